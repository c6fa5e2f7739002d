// Package server serves an operator's metrics to Prometheus.
//
// The server answers /metrics from metrics.Registry, and whatever handlers were
// added. It can serve over TLS, with a certificate that it reloads when its files
// change or one that it makes itself, and behind a [Filter], such as the one in
// package filters that lets in only who the API server says may read metrics.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/client-go/rest"
	certutil "k8s.io/client-go/util/cert"

	"kubewright.dev/runtime/internal/httpserver"
	"kubewright.dev/runtime/pkg/certwatcher"
	"kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/metrics"
)

// DefaultBindAddress is where metrics are served unless options say otherwise.
var DefaultBindAddress = ":8080"

// metricsPath is where Prometheus looks unless told otherwise.
const metricsPath = "/metrics"

// shutdownPatience is how long a scrape in flight may hold up the end.
var shutdownPatience = time.Minute

// Server is a metrics server. A manager runs it with its other servers.
type Server interface {
	// AddExtraHandler serves one more path. It has to be called before Start;
	// a path can be served once.
	AddExtraHandler(path string, handler http.Handler) error

	// NeedLeaderElection is false: stand-by replicas have metrics too.
	NeedLeaderElection() bool

	// Start serves until the context ends.
	Start(ctx context.Context) error
}

// Filter wraps a handler to decide which requests reach it. It is applied to
// all paths of the server.
type Filter func(log logr.Logger, handler http.Handler) (http.Handler, error)

// Options say how metrics are served.
type Options struct {
	// SecureServing serves over TLS.
	SecureServing bool

	// BindAddress is the address to serve at. Default: DefaultBindAddress. With
	// "0" nothing is served.
	BindAddress string

	// ExtraHandlers are further handlers by path.
	ExtraHandlers map[string]http.Handler

	// FilterProvider makes the filter in front of all handlers, from the
	// configuration and HTTP client for the API server.
	FilterProvider func(c *rest.Config, httpClient *http.Client) (Filter, error)

	// CertDir is the folder of the certificate and its key. Default: the server
	// makes itself a certificate, which no client can verify.
	CertDir string

	// CertName is the certificate's file in CertDir. Default: tls.crt.
	CertName string

	// KeyName is the key's file in CertDir. Default: tls.key.
	KeyName string

	// TLSOpts change the TLS settings, after the server has set its own. One
	// that sets GetCertificate provides the certificate.
	TLSOpts []func(*tls.Config)

	// ListenConfig makes the listener.
	ListenConfig net.ListenConfig

	// HandlerOpts change how the metrics handler gathers and encodes. The first
	// gets a handler that goes on when a metric cannot be gathered.
	HandlerOpts []func(*promhttp.HandlerOpts)
}

// NewServer makes a metrics server, or returns nil if none is to be served.
func NewServer(o Options, config *rest.Config, httpClient *http.Client) (Server, error) {
	if o.BindAddress == "0" {
		return nil, nil
	}
	if o.BindAddress == "" {
		o.BindAddress = DefaultBindAddress
	}
	if o.CertName == "" {
		o.CertName = "tls.crt"
	}
	if o.KeyName == "" {
		o.KeyName = "tls.key"
	}
	s := &server{options: o, handlers: map[string]http.Handler{}}
	for path, handler := range o.ExtraHandlers {
		if err := s.AddExtraHandler(path, handler); err != nil {
			return nil, err
		}
	}
	if o.FilterProvider != nil {
		var err error
		if s.filter, err = o.FilterProvider(config, httpClient); err != nil {
			return nil, fmt.Errorf("filter of metrics requests: %w", err)
		}
	}
	return s, nil
}

type server struct {
	options Options
	filter  Filter

	mu       sync.Mutex
	handlers map[string]http.Handler
	bound    net.Addr
}

// NeedLeaderElection is false.
func (*server) NeedLeaderElection() bool { return false }

// String names the server in messages.
func (*server) String() string { return "metrics server" }

// AddExtraHandler serves one more path.
func (s *server) AddExtraHandler(path string, handler http.Handler) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if path == metricsPath {
		return fmt.Errorf("path %s is taken by the metrics themselves: choose another", path)
	}
	if s.handlers[path] != nil {
		return fmt.Errorf("path %s already has a handler on the metrics server", path)
	}
	s.handlers[path] = handler
	return nil
}

// GetBindAddr returns the address that the server is bound to, or "" while it
// is not.
func (s *server) GetBindAddr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bound == nil {
		return ""
	}
	return s.bound.String()
}

// Start serves until the context ends.
func (s *server) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("metrics")
	logger.Info("Starting metrics server")

	handler, err := s.handler(logger)
	if err != nil {
		return err
	}
	listener, err := s.options.ListenConfig.Listen(ctx, "tcp", s.options.BindAddress)
	if err != nil {
		return fmt.Errorf("address %s for metrics: %w", s.options.BindAddress, err)
	}
	s.mu.Lock()
	s.bound = listener.Addr()
	s.mu.Unlock()

	secure, err := s.secure(logger)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	watching, stopWatching := context.WithCancel(ctx)
	var certificates sync.WaitGroup
	defer certificates.Wait()
	defer stopWatching()
	if secure != nil {
		listener = tls.NewListener(listener, secure.config)
		if secure.files != nil {
			certificates.Go(func() {
				if err := secure.files.Start(watching); err != nil {
					logger.Error(err, "the certificate of the metrics server will not be reloaded")
				}
			})
		}
	}

	logger.Info("Serving metrics server", "bindAddress", s.options.BindAddress, "secure", s.options.SecureServing)
	err = httpserver.Serve(ctx, httpserver.New(handler), listener, &shutdownPatience)
	if err != nil {
		return fmt.Errorf("metrics server at %s: %w", s.options.BindAddress, err)
	}
	return nil
}

// handler serves all paths, behind the filter.
func (s *server) handler(logger logr.Logger) (http.Handler, error) {
	opts := promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError, Registry: metrics.Registry}
	for _, change := range s.options.HandlerOpts {
		change(&opts)
	}
	paths := map[string]http.Handler{metricsPath: promhttp.HandlerFor(metrics.Registry, opts)}
	s.mu.Lock()
	for path, handler := range s.handlers {
		paths[path] = handler
	}
	s.mu.Unlock()

	mux := http.NewServeMux()
	for path, handler := range paths {
		if s.filter != nil {
			var err error
			if handler, err = s.filter(logger.WithValues("path", path), handler); err != nil {
				return nil, fmt.Errorf("filter of requests for %s on the metrics server: %w", path, err)
			}
		}
		mux.Handle(path, handler)
	}
	return mux, nil
}

// security is how TLS is served.
type security struct {
	config *tls.Config
	// files follows the certificate's files. Nil: it is not from files.
	files *certwatcher.CertWatcher
}

// secure finds the certificate, or returns nil where TLS is not served.
func (s *server) secure(logger logr.Logger) (*security, error) {
	if !s.options.SecureServing {
		return nil, nil
	}
	found := &security{config: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}}
	for _, change := range s.options.TLSOpts {
		change(found.config)
	}
	if found.config.GetCertificate != nil || len(found.config.Certificates) > 0 {
		return found, nil
	}

	if s.options.CertDir != "" {
		files, err := certwatcher.New(
			filepath.Join(s.options.CertDir, s.options.CertName),
			filepath.Join(s.options.CertDir, s.options.KeyName))
		if err != nil {
			return nil, fmt.Errorf("certificate of the metrics server: %w", err)
		}
		found.files = files
		found.config.GetCertificate = files.GetCertificate
		return found, nil
	}

	logger.V(1).Info("no certificate was given: the metrics server makes one that clients cannot verify")
	certificate, key, err := certutil.GenerateSelfSignedCertKeyWithFixtures("localhost", []net.IP{{127, 0, 0, 1}}, nil, "")
	if err != nil {
		return nil, fmt.Errorf("making a certificate for the metrics server: %w", err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate for the metrics server: %w", err)
	}
	found.config.Certificates = []tls.Certificate{pair}
	return found, nil
}
