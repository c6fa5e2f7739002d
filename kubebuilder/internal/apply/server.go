package apply

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
)

// Server is an API server that objects are applied to.
type Server struct {
	host      string
	namespace string // for namespaced objects that name none
	dynamic   dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
	installed map[schema.GroupKind]bool // kinds whose definitions were applied here
}

// Connection says how to find the API server, as kubectl does: the file that Kubeconfig names, else those of the variable
// KUBECONFIG, else ~/.kube/config.
type Connection struct {
	Kubeconfig string
	Context    string // the current context of the file if empty
	Namespace  string // the context's namespace if empty
}

// Connect reads the configuration and returns the server that it names. It does not ask the server anything yet.
func Connect(c Connection) (*Server, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.Kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.Context}
	overrides.Context.Namespace = c.Namespace
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf("no kubeconfig says where the API server is; %s", remedy)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	// The API server itself keeps its clients in bounds.
	config.QPS = -1
	config.UserAgent = "kubewright " + rest.DefaultKubernetesUserAgent()
	return newServer(config, namespace)
}

func newServer(config *rest.Config, namespace string) (*Server, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	kinds, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Server{
		host:      config.Host,
		namespace: namespace,
		dynamic:   client,
		mapper:    restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kinds)),
		installed: map[schema.GroupKind]bool{},
	}, nil
}

const remedy = "start one with `kubebuilder cluster up` and set KUBECONFIG as that says, or set KUBECONFIG for yours"

// unreachable returns the error to show when err means that no server answers, otherwise nil.
func (s *Server) unreachable(err error) error {
	var network *net.OpError
	var request *url.Error
	if errors.As(err, &network) || utilnet.IsConnectionRefused(err) || errors.As(err, &request) && request.Timeout() {
		if errors.Is(err, context.Canceled) {
			return err
		}
		return fmt.Errorf("no API server answers at %s (%w); %s", s.host, err, remedy)
	}
	return nil
}

// unknownKindError is about a kind that the API server does not serve.
type unknownKindError struct{ gvk schema.GroupVersionKind }

func (e *unknownKindError) Error() string {
	return fmt.Sprintf("the API server has no kind %s in %s; install its definition first (in a project: make install)",
		e.gvk.Kind, e.gvk.GroupVersion())
}

func (e *unknownKindError) Is(target error) bool {
	_, ok := target.(*meta.NoKindMatchError)
	return ok
}
