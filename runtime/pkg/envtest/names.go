package envtest

import "kubewright.dev/runtime/internal/controlplane"

// The parts of a control plane. Their zero values work; fields that are set before Environment.Start are kept.
type (
	// ControlPlane is an etcd and an API server.
	ControlPlane = controlplane.ControlPlane
	// APIServer is one kube-apiserver; its Configure gives access to the flags.
	APIServer = controlplane.APIServer
	// Etcd is one etcd server.
	Etcd = controlplane.Etcd
	// SecureServing is how an API server is reached.
	SecureServing = controlplane.SecureServing
	// ListenAddr is a host and a port.
	ListenAddr = controlplane.ListenAddr
	// Arguments are the flags of a server.
	Arguments = controlplane.Arguments
	// Arg is the value of one flag.
	Arg = controlplane.Arg
	// Authn is a way in which an API server knows its users.
	Authn = controlplane.Authn
	// User is a name and groups.
	User = controlplane.User
	// AuthenticatedUser is a user that the API server knows.
	AuthenticatedUser = controlplane.AuthenticatedUser
)

// EmptyArguments returns Arguments that leave all defaults as they are.
var EmptyArguments = controlplane.EmptyArguments

// DefaultKubeAPIServerFlags are templates of the API server's flags.
//
// Deprecated: use APIServer.Configure. They are not read.
var DefaultKubeAPIServerFlags = []string{
	"--advertise-address=127.0.0.1",
	"--etcd-servers={{ if .EtcdURL }}{{ .EtcdURL.String }}{{ end }}",
	"--cert-dir={{ .CertDir }}",
	"--secure-port={{ if .SecurePort }}{{ .SecurePort }}{{ end }}",
	"--service-cluster-ip-range=10.0.0.0/24",
	"--allow-privileged=true",
}

// DefaultBinaryAssetsIndexURL is where an index of binaries to download stands.
//
// Deprecated: nothing is downloaded; `kubebuilder cluster build` makes the binaries.
var DefaultBinaryAssetsIndexURL = "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml"

// SetupEnvtestDefaultBinaryAssetsDirectory returns the folder in which the kubebuilder command keeps the binaries that
// it built.
func SetupEnvtestDefaultBinaryAssetsDirectory() (string, error) {
	return controlplane.BuiltAssetsDir()
}
