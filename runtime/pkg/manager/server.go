package manager

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"kubewright.dev/runtime/internal/httpserver"
	"kubewright.dev/runtime/pkg/log"
)

// Server runs an HTTP server as part of a manager. It starts with the manager's
// own servers, before caches and controllers.
type Server struct {
	// Name is what log lines call the server.
	Name string

	// Server is what to serve with. It has to be given.
	Server *http.Server

	// Listener is where to serve. Default: one at Server's Addr.
	Listener net.Listener

	// OnlyServeWhenLeader makes the server wait until this replica leads.
	OnlyServeWhenLeader bool

	// ShutdownTimeout is how long requests in flight may take once the server
	// stops. Default: no limit but the manager's own.
	ShutdownTimeout *time.Duration
}

var (
	_ Runnable               = (*Server)(nil)
	_ LeaderElectionRunnable = (*Server)(nil)
)

// Start serves until the context ends.
func (s *Server) Start(ctx context.Context) error {
	if s.Server == nil {
		return fmt.Errorf("server %q has nothing to serve with: set Server", s.Name)
	}
	listener := s.Listener
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", s.Server.Addr); err != nil {
			return fmt.Errorf("server %q: %w", s.Name, err)
		}
	}
	logger := log.FromContext(ctx).WithValues("name", s.Name, "addr", listener.Addr().String())

	logger.Info("starting server")
	err := httpserver.Serve(ctx, s.Server, listener, s.ShutdownTimeout)
	if errors.Is(err, context.DeadlineExceeded) {
		logger.Info("server cut off requests that did not finish in time")
		return nil
	}
	if err != nil {
		return fmt.Errorf("server %q: %w", s.Name, err)
	}
	return nil
}

// NeedLeaderElection is true if the server is for the leader only.
func (s *Server) NeedLeaderElection() bool { return s.OnlyServeWhenLeader }
