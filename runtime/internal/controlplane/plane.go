package controlplane

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"

	"k8s.io/client-go/rest"
)

// ControlPlane is an etcd and the API server that keeps its objects there. The zero value works.
type ControlPlane struct {
	APIServer *APIServer
	Etcd      *Etcd

	// KubectlPath is the binary that KubeCtl runs. By default it is looked for, see [FindBinary].
	KubectlPath string

	assets string
}

// SetAssets says in which folder binaries are looked for whose paths are not given. Empty means the usual folders.
func (f *ControlPlane) SetAssets(dir string) {
	f.assets = dir
}

// GetAPIServer returns the API server, making one where there is none.
func (f *ControlPlane) GetAPIServer() *APIServer {
	if f.APIServer == nil {
		f.APIServer = &APIServer{}
	}
	return f.APIServer
}

func (f *ControlPlane) getEtcd() *Etcd {
	if f.Etcd == nil {
		f.Etcd = &Etcd{}
	}
	return f.Etcd
}

// Start runs both and returns when the API server is ready. If one fails, none is left running.
func (f *ControlPlane) Start() error {
	etcd, api := f.getEtcd(), f.GetAPIServer()
	etcd.assets, api.assets = f.assets, f.assets
	if err := etcd.Start(); err != nil {
		return fmt.Errorf("start the control plane: %w", err)
	}
	api.EtcdURL = etcd.URL
	if err := api.Start(); err != nil {
		return errors.Join(fmt.Errorf("start the control plane: %w", err), etcd.Stop())
	}
	return nil
}

// Stop ends the API server, then etcd. Both are ended even if one makes trouble.
func (f *ControlPlane) Stop() error {
	var errs []error
	if f.APIServer != nil {
		errs = append(errs, f.APIServer.Stop())
	}
	if f.Etcd != nil {
		errs = append(errs, f.Etcd.Stop())
	}
	return errors.Join(errs...)
}

// APIURL is where the API server listens.
func (f *ControlPlane) APIURL() *url.URL {
	return f.GetAPIServer().SecureServing.URL("https", "")
}

// AddUser makes the user known to the API server. baseConfig, which may be nil, gives the client's other settings.
func (f *ControlPlane) AddUser(user User, baseConfig *rest.Config) (*AuthenticatedUser, error) {
	authn, err := f.GetAPIServer().authn()
	if err != nil {
		return nil, err
	}
	cfg, err := authn.AddUser(user, baseConfig)
	if err != nil {
		return nil, fmt.Errorf("add user %s: %w", user.Name, err)
	}
	return &AuthenticatedUser{cfg: cfg, plane: f}, nil
}

// RESTClientConfig returns a configuration with the address of the API server and no credentials.
//
// Deprecated: use AddUser.
func (f *ControlPlane) RESTClientConfig() (*rest.Config, error) {
	api := f.GetAPIServer()
	return &rest.Config{
		Host:            f.APIURL().String(),
		TLSClientConfig: rest.TLSClientConfig{CAData: api.CA},
		QPS:             1000, Burst: 2000,
	}, nil
}

// KubeCtl returns a kubectl without credentials; see [AuthenticatedUser.Kubectl] for one that has them.
func (f *ControlPlane) KubeCtl() *KubeCtl {
	return &KubeCtl{Path: f.KubectlPath, assets: f.assets}
}

// KubeCtl runs kubectl.
type KubeCtl struct {
	// Path is the binary. By default it is looked for, see [FindBinary].
	Path string
	// Opts are flags given to every run.
	Opts []string

	assets string
}

// Run runs kubectl with the arguments and returns what it printed.
func (k *KubeCtl) Run(args ...string) (stdout, stderr io.Reader, err error) {
	path, err := binaryPath(k.Path, "kubectl", k.assets)
	if err != nil {
		return nil, nil, err
	}
	var out, errOut bytes.Buffer
	cmd := exec.Command(path, append(append([]string(nil), k.Opts...), args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err = cmd.Run(); err != nil {
		err = fmt.Errorf("kubectl %q: %w", args, err)
	}
	return &out, &errOut, err
}

func binaryPath(given, name, assets string) (string, error) {
	if given != "" {
		return given, nil
	}
	return FindBinary(name, assets)
}

func errorsJoinCleanup(err error, cleanup func() error) error {
	return errors.Join(err, cleanup())
}
