package envtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kubewright.dev/runtime/internal/controlplane"
)

// StartTimeout and StopTimeout bound the start and the stop of each server, in seconds, when the Environment and the
// variables KUBEBUILDER_CONTROLPLANE_START_TIMEOUT and KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT (as "2m") say nothing.
const (
	StartTimeout = 60
	StopTimeout  = 60
)

const (
	envUseExisting  = "USE_EXISTING_CLUSTER"
	envAttachOutput = "KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT"
	envStartTimeout = "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT"
	envStopTimeout  = "KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT"
)

// Environment is an API server for tests. The zero value works.
type Environment struct {
	// ControlPlane is the pair of servers, to be configured before Start and left alone after.
	ControlPlane controlplane.ControlPlane

	// Scheme knows the types whose conversion webhooks are set up in CRDs. client-go's scheme by default.
	Scheme *runtime.Scheme

	// Config is a client configuration for the API server with all rights. Start sets it; with UseExistingCluster
	// it may be given.
	Config *rest.Config

	// KubeConfig is Config as a kubeconfig file. Start sets it.
	KubeConfig []byte

	// CRDInstallOptions say which CRDs are installed and how.
	CRDInstallOptions CRDInstallOptions

	// WebhookInstallOptions say which webhook configurations are installed and how.
	WebhookInstallOptions WebhookInstallOptions

	// ErrorIfCRDPathMissing lets Start fail when one of CRDDirectoryPaths does not exist.
	ErrorIfCRDPathMissing bool

	// CRDs are installed by Start. After Start they are all CRDs that were installed.
	CRDs []*apiextensionsv1.CustomResourceDefinition

	// CRDDirectoryPaths are files, and folders of files, with CRDs in YAML or JSON.
	CRDDirectoryPaths []string

	// DownloadBinaryAssets asked for a download of the binaries.
	//
	// Deprecated: nothing is downloaded, Start fails if it is set; `kubebuilder cluster build` makes the binaries.
	DownloadBinaryAssets bool
	// DownloadBinaryAssetsVersion is not read.
	//
	// Deprecated: see DownloadBinaryAssets.
	DownloadBinaryAssetsVersion string
	// DownloadBinaryAssetsIndexURL is not read.
	//
	// Deprecated: see DownloadBinaryAssets.
	DownloadBinaryAssetsIndexURL string

	// BinaryAssetsDirectory is the folder of etcd, kube-apiserver and kubectl; the package's comment says what holds
	// when it is empty.
	BinaryAssetsDirectory string

	// UseExistingCluster makes Start connect to a cluster rather than run one. If nil, the variable
	// USE_EXISTING_CLUSTER decides.
	UseExistingCluster *bool

	// ControlPlaneStartTimeout and ControlPlaneStopTimeout bound the start and the stop of each server, StartTimeout
	// and StopTimeout by default.
	ControlPlaneStartTimeout time.Duration
	ControlPlaneStopTimeout  time.Duration

	// AttachControlPlaneOutput copies what the servers print to this process's output. The variable
	// KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true does it too.
	AttachControlPlaneOutput bool
}

// Start runs the control plane, or connects to the existing cluster, installs CRDs and webhook configurations, and
// returns a client configuration. If it fails, nothing is left running.
func (te *Environment) Start() (*rest.Config, error) {
	existing, err := te.existing()
	if err != nil {
		return nil, err
	}
	if existing {
		err = te.connect()
	} else {
		err = te.launch()
	}
	if err == nil {
		err = te.install()
	}
	if err != nil && !existing {
		err = errors.Join(err, te.ControlPlane.Stop())
		te.Config, te.KubeConfig = nil, nil
	}
	if err != nil {
		return nil, err
	}
	return te.Config, nil
}

// existing tells whether an existing cluster is to be used.
func (te *Environment) existing() (bool, error) {
	if te.UseExistingCluster != nil {
		return *te.UseExistingCluster, nil
	}
	return boolFromEnv(envUseExisting)
}

func (te *Environment) connect() error {
	if te.Config != nil {
		return nil
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return fmt.Errorf("find the existing cluster: %w", err)
	}
	te.Config = cfg
	te.KubeConfig, err = controlplane.KubeConfigFromREST(cfg)
	return err
}

// launch runs the control plane and waits until a first namespace can be used.
func (te *Environment) launch() error {
	if te.DownloadBinaryAssets {
		return errors.New("DownloadBinaryAssets is set, but nothing is downloaded: unset it and run `kubebuilder cluster build`")
	}
	if err := te.configure(); err != nil {
		return err
	}
	if err := te.ControlPlane.Start(); err != nil {
		return err
	}
	admin, err := te.AddUser(User{Name: "admin", Groups: []string{"system:masters"}}, &rest.Config{
		// A test wants its answers at once.
		QPS: 1000, Burst: 2000,
	})
	if err != nil {
		return err
	}
	te.Config = admin.Config()
	if te.KubeConfig, err = admin.KubeConfig(); err != nil {
		return err
	}
	return te.awaitDefaultNamespace()
}

// configure hands the Environment's settings down to the servers, where these have none of their own.
func (te *Environment) configure() error {
	attach, err := boolFromEnv(envAttachOutput)
	if err != nil {
		return err
	}
	start, err := durationOr(te.ControlPlaneStartTimeout, envStartTimeout, StartTimeout*time.Second)
	if err != nil {
		return err
	}
	stop, err := durationOr(te.ControlPlaneStopTimeout, envStopTimeout, StopTimeout*time.Second)
	if err != nil {
		return err
	}
	te.ControlPlaneStartTimeout, te.ControlPlaneStopTimeout = start, stop
	te.ControlPlane.SetAssets(te.BinaryAssetsDirectory)
	if te.ControlPlane.Etcd == nil {
		te.ControlPlane.Etcd = &Etcd{}
	}
	etcd, api := te.ControlPlane.Etcd, te.ControlPlane.GetAPIServer()
	for _, d := range []*time.Duration{&etcd.StartTimeout, &api.StartTimeout} {
		if *d == 0 {
			*d = start
		}
	}
	for _, d := range []*time.Duration{&etcd.StopTimeout, &api.StopTimeout} {
		if *d == 0 {
			*d = stop
		}
	}
	if !attach && !te.AttachControlPlaneOutput {
		return nil
	}
	if etcd.Out == nil {
		etcd.Out = os.Stdout
	}
	if etcd.Err == nil {
		etcd.Err = os.Stderr
	}
	if api.Out == nil {
		api.Out = os.Stdout
	}
	if api.Err == nil {
		api.Err = os.Stderr
	}
	return nil
}

// awaitDefaultNamespace waits for the namespace default: the API server makes it a moment after it is ready.
func (te *Environment) awaitDefaultNamespace() error {
	client, err := dynamic.NewForConfig(te.Config)
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	namespaces := client.Resource(corev1.SchemeGroupVersion.WithResource("namespaces"))
	err = wait.PollUntilContextTimeout(context.Background(), 50*time.Millisecond, te.ControlPlaneStartTimeout, true, func(ctx context.Context) (bool, error) {
		_, err := namespaces.Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		return fmt.Errorf("wait for namespace %s: %w", metav1.NamespaceDefault, err)
	}
	return nil
}

// install installs CRDs and webhook configurations. Webhooks are prepared first: a CRD that is converted by one needs
// its address.
func (te *Environment) install() error {
	if te.Scheme == nil {
		te.Scheme = scheme.Scheme
	}
	if err := te.WebhookInstallOptions.PrepWithoutInstalling(); err != nil {
		return err
	}
	o := &te.CRDInstallOptions
	if o.Scheme == nil {
		o.Scheme = te.Scheme
	}
	o.CRDs = append(o.CRDs, te.CRDs...)
	o.Paths = append(o.Paths, te.CRDDirectoryPaths...)
	o.ErrorIfPathMissing = o.ErrorIfPathMissing || te.ErrorIfCRDPathMissing
	o.WebhookOptions = te.WebhookInstallOptions
	crds, err := InstallCRDs(te.Config, *o)
	if err != nil {
		return err
	}
	te.CRDs = crds
	return te.WebhookInstallOptions.Install(te.Config)
}

// Stop ends the control plane. CRDs are deleted before if CRDInstallOptions.CleanUpAfterUse says so, which matters
// for an existing cluster.
func (te *Environment) Stop() error {
	var errs []error
	if te.CRDInstallOptions.CleanUpAfterUse && te.Config != nil {
		o := te.CRDInstallOptions
		o.CRDs = te.CRDs
		errs = append(errs, UninstallCRDs(te.Config, o))
	}
	errs = append(errs, te.WebhookInstallOptions.Cleanup())
	existing, err := te.existing()
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	if !existing {
		errs = append(errs, te.ControlPlane.Stop())
	}
	return errors.Join(errs...)
}

// AddUser makes the user known to the API server that Start runs. baseConfig, which may be nil, gives the other
// settings of the user's client. The user's rights are what RBAC rules grant; the group system:masters has all.
func (te *Environment) AddUser(user User, baseConfig *rest.Config) (*AuthenticatedUser, error) {
	return te.ControlPlane.AddUser(user, baseConfig)
}

func boolFromEnv(name string) (bool, error) {
	value := os.Getenv(name)
	if value == "" {
		return false, nil
	}
	b, err := strconv.ParseBool(value)
	if err != nil {
		return false, fmt.Errorf("variable %s is %q: set it to true or false", name, value)
	}
	return b, nil
}

func durationOr(given time.Duration, env string, otherwise time.Duration) (time.Duration, error) {
	if given != 0 {
		return given, nil
	}
	value := os.Getenv(env)
	if value == "" {
		return otherwise, nil
	}
	d, err := time.ParseDuration(value)
	if err != nil {
		return 0, fmt.Errorf("variable %s is %q: set it to a duration as 90s", env, value)
	}
	return d, nil
}
