package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"kubewright.dev/runtime/pkg/certwatcher"
	"kubewright.dev/runtime/pkg/healthz"
	"kubewright.dev/runtime/pkg/log"
)

// DefaultPort is the port that a Server listens on when none is given.
var DefaultPort = 9443

// Server serves webhooks over TLS. A Manager runs it on every replica, whoever leads.
type Server interface {
	// NeedLeaderElection tells whether only the leader serves.
	NeedLeaderElection() bool
	// Register lets the handler answer requests of the path.
	Register(path string, hook http.Handler)
	// Start serves until the context ends, and returns when requests that were being answered are done.
	Start(ctx context.Context) error
	// StartedChecker returns a check that passes when the server accepts connections.
	StartedChecker() healthz.Checker
	// WebhookMux returns the multiplexer that Register adds to.
	WebhookMux() *http.ServeMux
}

// Options are the settings of a Server. The zero value works.
type Options struct {
	// Host is the address to listen on, all addresses by default.
	Host string
	// Port is the port to listen on, 9443 by default.
	Port int

	// CertDir is the folder of the certificate and its key, by default k8s-webhook-server/serving-certs in the
	// folder for temporary files. The files are watched and may be renewed at any time.
	CertDir string
	// CertName is the file name of the certificate, tls.crt by default.
	CertName string
	// KeyName is the file name of the key, tls.key by default.
	KeyName string
	// ClientCAName is the file name, in CertDir, of the authority that must have signed clients' certificates.
	// Clients need none by default.
	ClientCAName string

	// TLSOpts change the TLS configuration after all else is set. If one sets GetCertificate, no files are read.
	TLSOpts []func(*tls.Config)

	// WebhookMux is the multiplexer to use; a new one by default.
	WebhookMux *http.ServeMux
}

// DefaultServer is the Server that NewServer makes.
type DefaultServer struct {
	Options Options

	once sync.Once
	mu   sync.Mutex
	// problems are what Register could not say; Start does.
	problems  []error
	listening string // the address, once connections are accepted
}

var _ Server = &DefaultServer{}

// NewServer returns a Server with the options.
func NewServer(o Options) Server {
	return &DefaultServer{Options: o}
}

// setDefaults fills in what the options leave open, at the first use: Options may be changed until then.
func (s *DefaultServer) setDefaults() {
	s.once.Do(func() {
		o := &s.Options
		if o.WebhookMux == nil {
			o.WebhookMux = http.NewServeMux()
		}
		if o.Port <= 0 {
			o.Port = DefaultPort
		}
		if o.CertDir == "" {
			o.CertDir = filepath.Join(os.TempDir(), "k8s-webhook-server", "serving-certs")
		}
		if o.CertName == "" {
			o.CertName = "tls.crt"
		}
		if o.KeyName == "" {
			o.KeyName = "tls.key"
		}
	})
}

// NeedLeaderElection tells that replicas which stand by serve too: the API server asks any of them.
func (s *DefaultServer) NeedLeaderElection() bool {
	return false
}

// WebhookMux returns the multiplexer of the options.
func (s *DefaultServer) WebhookMux() *http.ServeMux {
	s.setDefaults()
	return s.Options.WebhookMux
}

// Register lets the handler answer requests of the path, and counts and times them. A second handler for a path is a
// mistake that Start reports.
func (s *DefaultServer) Register(path string, hook http.Handler) {
	s.setDefaults()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.Options.WebhookMux.Handler(&http.Request{URL: &url.URL{Path: path}}); taken == path {
		s.problems = append(s.problems, fmt.Errorf("webhook path %s is registered twice: give one of the two another path", path))
		return
	}
	s.Options.WebhookMux.Handle(path, instrument(path, hook))
	log.Log.WithName("webhook").Info("Registering webhook", "path", path)
}

// Start listens and serves until the context ends.
func (s *DefaultServer) Start(ctx context.Context) error {
	s.setDefaults()
	s.mu.Lock()
	err := errors.Join(s.problems...)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	logger := log.Log.WithName("webhook")

	cfg, watcher, err := s.tlsConfig()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	if watcher != nil {
		watching.Go(func() {
			if err := watcher.Start(ctx); err != nil {
				logger.Error(err, "Watching the serving certificate failed")
			}
		})
	}

	listener, err := net.Listen("tcp", net.JoinHostPort(s.Options.Host, strconv.Itoa(s.Options.Port)))
	if err != nil {
		return fmt.Errorf("webhook server: %w", err)
	}
	logger.Info("Serving webhook server", "host", s.Options.Host, "port", s.Options.Port)
	s.setListening(listener.Addr().String())
	defer s.setListening("")
	return serve(ctx, tls.NewListener(listener, cfg), s.Options.WebhookMux)
}

// serve answers requests until the context ends, then waits for those that are being answered.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	srv := &http.Server{
		Handler: handler,
		// An API server keeps its connections; one that sends its request slower than this is none.
		ReadHeaderTimeout: 30 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("webhook server: %w", err)
	case <-ctx.Done():
	}
	// Admission requests time out after at most 30 seconds: nobody waits for an answer longer.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if err := srv.Shutdown(end); err != nil {
		return fmt.Errorf("webhook server: requests were still being answered: %w", errors.Join(err, srv.Close()))
	}
	<-served
	return nil
}

// tlsConfig makes the TLS configuration, and the watcher of the certificate if it comes from files.
func (s *DefaultServer) tlsConfig() (*tls.Config, *certwatcher.CertWatcher, error) {
	cfg := &tls.Config{NextProtos: []string{"h2"}} //nolint:gosec // TLS 1.2 is Go's own minimum; TLSOpts may raise it
	for _, change := range s.Options.TLSOpts {
		change(cfg)
	}
	if name := s.Options.ClientCAName; name != "" {
		path := filepath.Join(s.Options.CertDir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("read the authority of clients: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(data) {
			return nil, nil, fmt.Errorf("%s has no PEM certificate to know clients by", path)
		}
		cfg.ClientCAs = pool
		cfg.ClientAuth = tls.RequireAndVerifyClientCert
	}
	if cfg.GetCertificate != nil {
		return cfg, nil, nil
	}
	certPath := filepath.Join(s.Options.CertDir, s.Options.CertName)
	watcher, err := certwatcher.New(certPath, filepath.Join(s.Options.CertDir, s.Options.KeyName))
	if err != nil {
		return nil, nil, fmt.Errorf("webhook server's certificate: %w", err)
	}
	cfg.GetCertificate = watcher.GetCertificate
	return cfg, watcher, nil
}

func (s *DefaultServer) setListening(addr string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listening = addr
}

// StartedChecker returns a check that makes a TLS connection to the server. It does not verify the certificate: the
// check is about the server, and the certificate is for another name.
func (s *DefaultServer) StartedChecker() healthz.Checker {
	return func(req *http.Request) error {
		s.mu.Lock()
		addr := s.listening
		s.mu.Unlock()
		if addr == "" {
			return errors.New("webhook server has not been started yet")
		}
		ctx := context.Background()
		if req != nil {
			ctx = req.Context()
		}
		dialer := &tls.Dialer{
			NetDialer: &net.Dialer{Timeout: 10 * time.Second},
			Config:    &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // see above
		}
		conn, err := dialer.DialContext(ctx, "tcp", addr)
		if err != nil {
			return fmt.Errorf("webhook server is not reachable: %w", err)
		}
		return conn.Close()
	}
}
