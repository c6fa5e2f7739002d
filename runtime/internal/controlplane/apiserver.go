package controlplane

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// SecureServing is how the API server is reached.
type SecureServing struct {
	// ListenAddr is where it listens. A free port of the loopback address by default.
	ListenAddr
	// CA is the PEM certificate of the authority that signed the server's certificate. Start sets it.
	CA []byte
	// Authn knows the users. Client certificates by default.
	Authn
}

// APIServer is one kube-apiserver. The zero value works, given an EtcdURL.
type APIServer struct {
	// URL was where the server listened for unencrypted requests.
	//
	// Deprecated: use SecureServing.
	URL *url.URL
	// SecurePort is the port to listen on.
	//
	// Deprecated: use SecureServing.
	SecurePort int

	SecureServing

	// InsecureServing was an address for unencrypted requests; no API server of today has one.
	InsecureServing *ListenAddr
	// Path is the binary. By default it is looked for, see [FindBinary].
	Path string
	// Args are written before the flags that Configure gives.
	//
	// Deprecated: use Configure.
	Args []string
	// CertDir holds certificates and keys. A temporary folder, removed by Stop, by default.
	CertDir string
	// EtcdURL is where objects are kept.
	EtcdURL *url.URL
	// StartTimeout and StopTimeout bound Start and Stop, one minute each by default.
	StartTimeout time.Duration
	StopTimeout  time.Duration
	// Out and Err get what the server prints. Nothing is copied by default; an error has its end either way.
	Out io.Writer
	Err io.Writer

	args    *Arguments
	assets  string
	tempDir string
	serving KeyPair
	running *process
}

// Configure returns the server's flags, to be changed before Start.
func (s *APIServer) Configure() *Arguments {
	if s.args == nil {
		s.args = EmptyArguments()
	}
	return s.args
}

// DefaultAPIServerFlags are the flags that do not depend on the run. Those that do are added by Start.
func DefaultAPIServerFlags() map[string][]string {
	return map[string][]string{
		"advertise-address": {loopback},
		// The endpoints of the service kubernetes may not be on the loopback address, and no pod asks for them.
		"endpoint-reconciler-type": {"none"},
		"service-cluster-ip-range": {"10.0.0.0/24"},
		"allow-privileged":         {"true"},
		"authorization-mode":       {"RBAC"},
		// No controller makes the default service account, which this plugin would make every pod wait for.
		"disable-admission-plugins": {"ServiceAccount"},
	}
}

func (s *APIServer) authn() (Authn, error) {
	if s.Authn == nil {
		authn, err := NewCertAuthn()
		if err != nil {
			return nil, err
		}
		s.Authn = authn
	}
	return s.Authn, nil
}

// Start runs the server and returns when all its start-up work, the roles of RBAC included, is done.
func (s *APIServer) Start() error {
	if s.running != nil {
		return fmt.Errorf("kube-apiserver at %s runs already", s.HostPort())
	}
	if s.EtcdURL == nil {
		return errors.New("kube-apiserver needs an EtcdURL")
	}
	path, err := binaryPath(s.Path, "kube-apiserver", s.assets)
	if err != nil {
		return err
	}
	s.Path = path
	if err := s.prepare(); err != nil {
		return errorsJoinCleanup(err, s.cleanup)
	}
	if s.Port == "" && s.SecurePort != 0 {
		s.Port = strconv.Itoa(s.SecurePort)
	}
	if s.Address == "" {
		s.Address = loopback
	}
	chosen := s.Port != ""
	for attempt := 1; ; attempt++ {
		if !chosen {
			addr, err := freeAddr()
			if err != nil {
				return errorsJoinCleanup(err, s.cleanup)
			}
			s.Port = addr.Port
		}
		p := s.process()
		if err = p.start(); err == nil {
			s.running = p
			return nil
		}
		if chosen || attempt == startAttempts || !p.portTaken() {
			return errorsJoinCleanup(err, s.cleanup)
		}
	}
}

// prepare makes what the server reads from files: its certificate and the keys of service accounts' tokens.
func (s *APIServer) prepare() error {
	if s.CertDir == "" {
		dir, err := os.MkdirTemp("", "kubewright-apiserver-")
		if err != nil {
			return fmt.Errorf("make the API server's folder: %w", err)
		}
		s.tempDir, s.CertDir = dir, dir
	}
	ca, err := NewCA("envtest-server")
	if err != nil {
		return err
	}
	s.CA = ca.PEM()
	hosts := []string{"localhost", loopback, "kubernetes", "kubernetes.default", "kubernetes.default.svc"}
	if s.Address != "" {
		hosts = append(hosts, s.Address)
	}
	if s.serving, err = ca.IssueServer(hosts...); err != nil {
		return err
	}
	key, err := newKey()
	if err != nil {
		return err
	}
	private, err := privatePEM(key)
	if err != nil {
		return err
	}
	public, err := publicPEM(key.Public())
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"apiserver.crt": s.serving.Cert, "apiserver.key": s.serving.Key, "apiserver-ca.crt": s.CA,
		"sa-signer.key": private, "sa-signer.pub": public,
	} {
		if err := os.WriteFile(filepath.Join(s.CertDir, name), data, 0o600); err != nil {
			return fmt.Errorf("write the API server's keys: %w", err)
		}
	}
	authn, err := s.authn()
	if err != nil {
		return err
	}
	if err := authn.Configure(s.CertDir, s.Configure()); err != nil {
		return fmt.Errorf("set up authentication: %w", err)
	}
	if err := authn.Start(); err != nil {
		return fmt.Errorf("start authentication: %w", err)
	}
	return nil
}

func (s *APIServer) process() *process {
	flags := DefaultAPIServerFlags()
	for name, value := range map[string]string{
		"etcd-servers":                     s.EtcdURL.String(),
		"bind-address":                     s.Address,
		"secure-port":                      s.Port,
		"cert-dir":                         s.CertDir,
		"tls-cert-file":                    filepath.Join(s.CertDir, "apiserver.crt"),
		"tls-private-key-file":             filepath.Join(s.CertDir, "apiserver.key"),
		"service-account-issuer":           s.SecureServing.URL("https", "").String(),
		"service-account-key-file":         filepath.Join(s.CertDir, "sa-signer.pub"),
		"service-account-signing-key-file": filepath.Join(s.CertDir, "sa-signer.key"),
	} {
		flags[name] = []string{value}
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CA)
	return &process{
		path: s.Path, args: append(append([]string(nil), s.Args...), s.Configure().AsStrings(flags)...),
		out: s.Out, err: s.Err,
		probe: s.SecureServing.URL("https", "/readyz").String(),
		client: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		}},
		startTimeout: s.StartTimeout, stopTimeout: s.StopTimeout,
	}
}

// Stop ends the server and removes the folder that Start made.
func (s *APIServer) Stop() error {
	p := s.running
	s.running = nil
	err := p.stop()
	if s.Authn != nil {
		err = errors.Join(err, s.Authn.Stop())
	}
	return errorsJoinCleanup(err, s.cleanup)
}

func (s *APIServer) cleanup() error {
	if s.tempDir == "" {
		return nil
	}
	dir := s.tempDir
	s.tempDir, s.CertDir = "", ""
	return os.RemoveAll(dir)
}
