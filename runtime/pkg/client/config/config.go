// Package config finds the API server that a program is to talk to.
//
// The places are looked at in this order, and the first one that says something is taken:
//
//  1. the file named by the flag --kubeconfig,
//  2. the files named by the environment variable KUBECONFIG,
//  3. the service account of the pod that the program runs in,
//  4. the file .kube/config in the user's home.
package config

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kubewright.dev/runtime/pkg/log"
)

// KubeconfigFlagName is the name of the flag that names the kubeconfig file.
const KubeconfigFlagName = "kubeconfig"

// kubeconfig is the value of the flag, wherever it was registered last.
var kubeconfig string

func init() { RegisterFlags(flag.CommandLine) }

// RegisterFlags adds the flag --kubeconfig to fs, or to [flag.CommandLine] when fs is nil, as it is done there already
// when this package is imported. Where fs has a flag of that name, that one is used.
func RegisterFlags(fs *flag.FlagSet) {
	if fs == nil {
		fs = flag.CommandLine
	}
	if known := fs.Lookup(KubeconfigFlagName); known != nil {
		kubeconfig = known.Value.String()
		return
	}
	fs.StringVar(&kubeconfig, KubeconfigFlagName, "", "path of the kubeconfig file; needed only where neither KUBECONFIG, a pod's service account nor ~/.kube/config is right")
}

// GetConfig returns how to reach the API server. See the package's words on where it looks. Requests are not held back
// on the client's side unless the caller sets QPS: the API server shares its capacity out fairly by itself.
func GetConfig() (*rest.Config, error) { return GetConfigWithContext("") }

// GetConfigOrDie is [GetConfig] for main functions: where there is no configuration it logs why and ends the process
// with status 1.
func GetConfigOrDie() *rest.Config {
	cfg, err := GetConfig()
	if err != nil {
		log.Log.WithName("client").WithName("config").Error(err, "no API server to talk to")
		os.Exit(1)
	}
	return cfg
}

// GetConfigWithContext is [GetConfig] with the named context of the kubeconfig file in the place of its current one.
func GetConfigWithContext(context string) (*rest.Config, error) {
	cfg, err := find(context)
	if err != nil {
		return nil, err
	}
	if cfg.QPS == 0 {
		cfg.QPS = -1
	}
	return cfg, nil
}

// find looks at the places, in order.
func find(context string) (*rest.Config, error) {
	if path := flagValue(); path != "" {
		return load(&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}, context)
	}
	if os.Getenv(clientcmd.RecommendedConfigPathEnvVar) == "" {
		cfg, err := rest.InClusterConfig()
		if err == nil {
			return cfg, nil
		}
		if !errors.Is(err, rest.ErrNotInCluster) {
			return nil, fmt.Errorf("configuration of the pod's service account: %w", err)
		}
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	if os.Getenv("HOME") == "" {
		// Services often run without HOME; the user database still knows the place.
		if u, err := user.Current(); err == nil {
			rules.Precedence = append(rules.Precedence, filepath.Join(u.HomeDir, clientcmd.RecommendedHomeDir, clientcmd.RecommendedFileName))
		}
	}
	return load(rules, context)
}

// flagValue is the path that the flag gives. A flag that someone else registered is read when it is needed, as it may
// have been parsed since.
func flagValue() string {
	if known := flag.Lookup(KubeconfigFlagName); known != nil && known.Value.String() != "" {
		return known.Value.String()
	}
	return kubeconfig
}

func load(rules clientcmd.ClientConfigLoader, context string) (*rest.Config, error) {
	overrides := &clientcmd.ConfigOverrides{ClusterInfo: clientcmdapi.Cluster{}, CurrentContext: context}
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: %w (looked at --%s, %s, the pod's service account and ~/.kube/config)",
			err, KubeconfigFlagName, clientcmd.RecommendedConfigPathEnvVar)
	}
	return cfg, nil
}
