package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/client/apiutil"
	"kubewright.dev/runtime/pkg/log"
)

// New returns a client for the API server of config. The server's warnings are logged once each, unless config has a
// warning handler.
func New(config *rest.Config, options Options) (Client, error) {
	return NewWithWatch(config, options)
}

// NewWithWatch is [New], with a client that can also watch. Watches always go to the API server.
func NewWithWatch(config *rest.Config, options Options) (WithWatch, error) {
	c, err := newClient(config, options)
	if err != nil {
		return nil, err
	}
	var out WithWatch = c
	if options.FieldOwner != "" {
		out = watching{&optioned{Client: out, first: FieldOwner(options.FieldOwner)}, c}
	}
	if options.FieldValidation != "" {
		out = watching{&optioned{Client: out, first: FieldValidation(options.FieldValidation)}, c}
	}
	if options.DryRun != nil && *options.DryRun {
		out = watching{&optioned{Client: out, last: DryRunAll}, c}
	}
	return out, nil
}

func newClient(config *rest.Config, options Options) (*client, error) {
	if config == nil {
		return nil, errors.New("client: no rest config given; config.GetConfig finds one")
	}
	config = rest.CopyConfig(config)
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	if config.WarningHandler == nil && config.WarningHandlerWithContext == nil {
		config.WarningHandlerWithContext = warnings(options.Log)
	}
	if options.HTTPClient == nil {
		made, err := rest.HTTPClientFor(config)
		if err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
		options.HTTPClient = made
	}
	if options.Scheme == nil {
		options.Scheme = clientgoscheme.Scheme
	}
	if options.Mapper == nil {
		made, err := apiutil.NewDynamicRESTMapper(config, options.HTTPClient)
		if err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
		options.Mapper = made
	}
	metadataClient, err := metadata.NewForConfigAndClient(metadata.ConfigFor(config), options.HTTPClient)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	found := newEndpoints(config, options.HTTPClient, options.Scheme, options.Mapper)
	c := &client{
		endpoints: found,
		whole:     objects{found},
		metadata:  metadataOnly{found, metadataClient},
	}
	if options.Cache != nil && options.Cache.Reader != nil {
		if c.cached, err = newCachedReads(options.Cache, found); err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	return c, nil
}

// warnings handles the API server's warnings: to the given log, or the one of the request's context when that is none.
func warnings(to logr.Logger) rest.WarningHandlerWithContext {
	handler := log.NewKubeAPIWarningLogger(log.KubeAPIWarningLoggerOptions{})
	if to.GetSink() == nil {
		return handler
	}
	return warningsTo{handler, to}
}

type warningsTo struct {
	rest.WarningHandlerWithContext
	log logr.Logger
}

// HandleWarningHeaderWithContext logs a warning to the client's own log.
func (w warningsTo) HandleWarningHeaderWithContext(ctx context.Context, code int, agent string, text string) {
	w.WarningHandlerWithContext.HandleWarningHeaderWithContext(log.IntoContext(ctx, w.log), code, agent, text)
}

// client chooses for each request who answers it: the cache for reads that may come from there, else the backend for the
// sort of value.
type client struct {
	endpoints *endpoints
	whole     objects
	metadata  metadataOnly
	cached    *cachedReads
}

var _ WithWatch = &client{}

// backend is the one for obj's sort of value.
func (c *client) backend(obj runtime.Object) backend {
	switch obj.(type) {
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		return c.metadata
	}
	return c.whole
}

func (c *client) Get(ctx context.Context, key ObjectKey, obj Object, opts ...GetOption) error {
	if cached, err := c.cached.serves(obj); err != nil {
		return err
	} else if cached {
		return c.cached.reader.Get(ctx, key, obj, opts...)
	}
	return c.backend(obj).get(ctx, key, obj, "", obj, (&GetOptions{}).ApplyOptions(opts).AsGetOptions())
}

func (c *client) List(ctx context.Context, list ObjectList, opts ...ListOption) error {
	if cached, err := c.cached.serves(list); err != nil {
		return err
	} else if cached {
		return c.cached.reader.List(ctx, list, opts...)
	}
	return c.backend(list).list(ctx, list, (&ListOptions{}).ApplyOptions(opts))
}

func (c *client) Watch(ctx context.Context, list ObjectList, opts ...ListOption) (watch.Interface, error) {
	o := (&ListOptions{}).ApplyOptions(opts)
	o.Raw = copyOf(o.Raw)
	o.Raw.Watch = true
	return c.backend(list).watch(ctx, list, o)
}

func (c *client) Create(ctx context.Context, obj Object, opts ...CreateOption) error {
	return c.backend(obj).create(ctx, obj, "", obj, (&CreateOptions{}).ApplyOptions(opts).AsCreateOptions())
}

func (c *client) Update(ctx context.Context, obj Object, opts ...UpdateOption) error {
	return c.backend(obj).update(ctx, obj, "", obj, (&UpdateOptions{}).ApplyOptions(opts).AsUpdateOptions())
}

func (c *client) Patch(ctx context.Context, obj Object, patch Patch, opts ...PatchOption) error {
	return c.backend(obj).patch(ctx, obj, "", obj, patch, (&PatchOptions{}).ApplyOptions(opts).AsPatchOptions())
}

func (c *client) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...ApplyOption) error {
	return c.whole.applyConfig(ctx, obj, "", nil, (&ApplyOptions{}).ApplyOptions(opts).AsPatchOptions())
}

func (c *client) Delete(ctx context.Context, obj Object, opts ...DeleteOption) error {
	return c.backend(obj).delete(ctx, obj, (&DeleteOptions{}).ApplyOptions(opts).AsDeleteOptions())
}

func (c *client) DeleteAllOf(ctx context.Context, obj Object, opts ...DeleteAllOfOption) error {
	return c.backend(obj).deleteAllOf(ctx, obj, (&DeleteAllOfOptions{}).ApplyOptions(opts))
}

func (c *client) Status() SubResourceWriter { return c.SubResource("status") }

func (c *client) SubResource(name string) SubResourceClient { return subResource{c, name} }

func (c *client) Scheme() *runtime.Scheme { return c.endpoints.scheme }

func (c *client) RESTMapper() meta.RESTMapper { return c.endpoints.mapper }

func (c *client) GroupVersionKindFor(obj runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(obj, c.endpoints.scheme)
}

func (c *client) IsObjectNamespaced(obj runtime.Object) (bool, error) {
	return apiutil.IsObjectNamespaced(obj, c.endpoints.scheme, c.endpoints.mapper)
}
