package controlplane

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// User is who a client says it is: the name and groups that RBAC rules speak of.
type User struct {
	Name   string
	Groups []string
}

// Authn is a way in which an API server knows its users. Its methods are called in the order in which they stand.
type Authn interface {
	// Configure sets the API server's flags; workDir is a folder to put files in.
	Configure(workDir string, args *Arguments) error
	// Start runs before the API server does.
	Start() error
	// AddUser returns baseCfg with the credentials of the user.
	AddUser(user User, baseCfg *rest.Config) (*rest.Config, error)
	// Stop runs after the API server has ended.
	Stop() error
}

// CertAuthn knows users by client certificates that its own authority signed.
type CertAuthn struct {
	ca *CA
}

// NewCertAuthn makes a CertAuthn with a new authority.
func NewCertAuthn() (*CertAuthn, error) {
	ca, err := NewCA("envtest-clients")
	if err != nil {
		return nil, err
	}
	return &CertAuthn{ca: ca}, nil
}

// Configure lets the API server trust the authority.
func (c *CertAuthn) Configure(workDir string, args *Arguments) error {
	path := filepath.Join(workDir, "client-ca.crt")
	if err := os.WriteFile(path, c.ca.PEM(), 0o600); err != nil {
		return fmt.Errorf("write the authority of client certificates: %w", err)
	}
	args.Set("client-ca-file", path)
	return nil
}

// Start does nothing: there is no process behind certificates.
func (c *CertAuthn) Start() error { return nil }

// Stop does nothing.
func (c *CertAuthn) Stop() error { return nil }

// AddUser signs a certificate for the user.
func (c *CertAuthn) AddUser(user User, baseCfg *rest.Config) (*rest.Config, error) {
	pair, err := c.ca.IssueClient(user)
	if err != nil {
		return nil, err
	}
	cfg := &rest.Config{}
	if baseCfg != nil {
		cfg = rest.CopyConfig(baseCfg)
	}
	cfg.CertData, cfg.KeyData = pair.Cert, pair.Key
	return cfg, nil
}

// AuthenticatedUser is a user that the API server knows.
type AuthenticatedUser struct {
	cfg   *rest.Config
	plane *ControlPlane
}

// Config returns the configuration of a client that acts as the user. The host and the authority are filled in once
// the API server runs.
func (u *AuthenticatedUser) Config() *rest.Config {
	if api := u.plane.GetAPIServer(); u.cfg.Host == "" && api.Port != "" {
		u.cfg.Host = api.SecureServing.URL("https", "").String()
		u.cfg.CAData = api.CA
	}
	return u.cfg
}

// KubeConfig returns the same as a kubeconfig file.
func (u AuthenticatedUser) KubeConfig() ([]byte, error) {
	return KubeConfigFromREST(u.Config())
}

// Kubectl returns a kubectl that acts as the user. Its kubeconfig is removed when the control plane stops.
func (u *AuthenticatedUser) Kubectl() (*KubeCtl, error) {
	kubeconfig, err := u.KubeConfig()
	if err != nil {
		return nil, err
	}
	api := u.plane.GetAPIServer()
	f, err := os.CreateTemp(api.CertDir, "*.kubeconfig")
	if err != nil {
		return nil, fmt.Errorf("write a kubeconfig: %w", err)
	}
	defer f.Close() //nolint:errcheck // the write below is checked
	if _, err := f.Write(kubeconfig); err != nil {
		return nil, fmt.Errorf("write a kubeconfig: %w", err)
	}
	ctl := u.plane.KubeCtl()
	ctl.Opts = append(ctl.Opts, "--kubeconfig="+f.Name())
	return ctl, nil
}

// KubeConfigFromREST writes a client configuration as a kubeconfig file with one cluster, user and context.
func KubeConfigFromREST(cfg *rest.Config) ([]byte, error) {
	const entry = "envtest"
	file := clientcmdapi.NewConfig()
	file.Clusters[entry] = &clientcmdapi.Cluster{
		Server:                   cfg.Host,
		CertificateAuthority:     cfg.CAFile,
		CertificateAuthorityData: cfg.CAData,
		InsecureSkipTLSVerify:    cfg.Insecure,
		TLSServerName:            cfg.ServerName,
	}
	file.AuthInfos[entry] = &clientcmdapi.AuthInfo{
		ClientCertificate:     cfg.CertFile,
		ClientCertificateData: cfg.CertData,
		ClientKey:             cfg.KeyFile,
		ClientKeyData:         cfg.KeyData,
		Token:                 cfg.BearerToken,
		TokenFile:             cfg.BearerTokenFile,
		Username:              cfg.Username,
		Password:              cfg.Password,
		Impersonate:           cfg.Impersonate.UserName,
		ImpersonateGroups:     cfg.Impersonate.Groups,
		Exec:                  cfg.ExecProvider,
		AuthProvider:          cfg.AuthProvider,
	}
	file.Contexts[entry] = &clientcmdapi.Context{Cluster: entry, AuthInfo: entry}
	file.CurrentContext = entry
	data, err := clientcmd.Write(*file)
	if err != nil {
		return nil, fmt.Errorf("write a kubeconfig for %s: %w", cfg.Host, err)
	}
	return data, nil
}
