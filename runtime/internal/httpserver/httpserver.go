// Package httpserver makes HTTP servers that no client can hold open for free.
package httpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// New returns a server for the handler. Requests may take as long as they need,
// as profiles do, but their headers must come within half a minute, and idle
// connections are closed.
func New(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 30 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    1 << 20,
	}
}

// Serve serves on the listener until the context ends, and then lets the
// requests in flight finish, for as long as patience says: nil is without end.
// It returns when the server is down.
func Serve(ctx context.Context, server *http.Server, listener net.Listener, patience *time.Duration) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	select {
	case err := <-served:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	case <-ctx.Done():
	}

	last := context.WithoutCancel(ctx)
	if patience != nil {
		var cancel context.CancelFunc
		last, cancel = context.WithTimeout(last, *patience)
		defer cancel()
	}
	err := server.Shutdown(last)
	if err != nil {
		err = errors.Join(err, server.Close())
	}
	<-served
	return err
}
