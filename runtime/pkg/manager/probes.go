package manager

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"

	"kubewright.dev/runtime/internal/httpserver"
	"kubewright.dev/runtime/pkg/healthz"
)

// probeShutdown is how long a probe in flight may hold up the end of a server.
var probeShutdown = 10 * time.Second

// probes are the liveness and readiness endpoints.
type probes struct {
	listener                    net.Listener
	livenessPath, readinessPath string
	liveness, readiness         map[string]healthz.Checker
}

// listen opens the address, or returns nil if it says that nothing is served.
func listen(what, address string) (net.Listener, error) {
	if address == "" || address == "0" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("address %s for %s: %w", address, what, err)
	}
	return listener, nil
}

// newProbes opens the probes' address, or returns nil if there are to be none.
func newProbes(options Options) (*probes, error) {
	listener, err := listen("health probes", options.HealthProbeBindAddress)
	if listener == nil {
		return nil, err
	}
	return &probes{
		listener:      listener,
		livenessPath:  options.LivenessEndpointName,
		readinessPath: options.ReadinessEndpointName,
		liveness:      map[string]healthz.Checker{},
		readiness:     map[string]healthz.Checker{},
	}, nil
}

// server serves the endpoints that have checks.
func (p *probes) server() *Server {
	mux := http.NewServeMux()
	mount := func(path string, checks map[string]healthz.Checker) {
		if len(checks) == 0 {
			return
		}
		path = "/" + strings.Trim(path, "/")
		handler := http.StripPrefix(path, &healthz.Handler{Checks: checks})
		mux.Handle(path, handler)
		mux.Handle(path+"/", handler)
	}
	mount(p.readinessPath, p.readiness)
	mount(p.livenessPath, p.liveness)
	return &Server{Name: "health probe", Server: httpserver.New(mux), Listener: p.listener, ShutdownTimeout: &probeShutdown}
}

// newProfiles serves Go's profiles, or returns nil if it is not to.
func newProfiles(options Options) (*Server, error) {
	listener, err := listen("profiles", options.PprofBindAddress)
	if listener == nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return &Server{Name: "pprof", Server: httpserver.New(mux), Listener: listener, ShutdownTimeout: &probeShutdown}, nil
}
