package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"kubewright.dev/runtime/internal/eventrecorder"
	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
	"kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/recorder"
)

// Options say how a cluster's parts are made. The zero value works.
type Options struct {
	// Scheme maps Go types to kinds. Default: client-go's scheme, with all
	// built-in kinds.
	Scheme *runtime.Scheme

	// MapperProvider makes what maps kinds to resources. Default: a mapper that
	// asks the server when a kind is first needed.
	MapperProvider func(c *rest.Config, httpClient *http.Client) (meta.RESTMapper, error)

	// Logger is where the cluster's parts log to. Default: log.Log.
	Logger logr.Logger

	// HTTPClient sends all requests. Default: one made from the configuration.
	HTTPClient *http.Client

	// Cache are the options of the cache. Its scheme, mapper and HTTP client
	// default to those of the cluster.
	Cache cache.Options

	// NewCache makes the cache. Default: cache.New.
	NewCache cache.NewCacheFunc

	// Client are the options of the client. Its scheme, mapper, HTTP client and
	// the cache that it reads from default to those of the cluster.
	Client client.Options

	// NewClient makes the client. Default: client.New.
	NewClient client.NewClientFunc

	// EventBroadcaster sends the events of the old events API.
	//
	// Deprecated: it leaks a goroutine of each cluster that shares it.
	EventBroadcaster record.EventBroadcaster
}

// Option changes the options that New starts from.
type Option func(*Options)

// New makes a cluster from the configuration, which it copies. It runs nothing.
func New(config *rest.Config, opts ...Option) (Cluster, error) {
	if config == nil {
		return nil, errors.New("no configuration of the API server was given: a cluster needs a *rest.Config, as config.GetConfig returns it")
	}
	config = rest.CopyConfig(config)
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	var options Options
	for _, change := range opts {
		change(&options)
	}
	if err := options.complete(config); err != nil {
		return nil, err
	}

	c := &parts{config: config, httpClient: options.HTTPClient, scheme: options.Scheme}
	var err error
	if c.mapper, err = options.MapperProvider(config, options.HTTPClient); err != nil {
		return nil, fmt.Errorf("mapping of kinds to resources: %w", err)
	}
	if err = c.makeCache(options); err != nil {
		return nil, err
	}
	if err = c.makeClients(options); err != nil {
		return nil, err
	}
	c.events, err = eventrecorder.New(config, options.HTTPClient, options.Scheme, options.Logger.WithName("events"), options.EventBroadcaster)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// complete sets the options that have defaults.
func (o *Options) complete(config *rest.Config) error {
	if o.Logger.GetSink() == nil {
		o.Logger = log.Log
	}
	if o.Scheme == nil {
		o.Scheme = scheme.Scheme
	}
	if o.MapperProvider == nil {
		o.MapperProvider = apiutil.NewDynamicRESTMapper
	}
	if o.NewCache == nil {
		o.NewCache = cache.New
	}
	if o.NewClient == nil {
		o.NewClient = client.New
	}
	if o.HTTPClient == nil {
		var err error
		if o.HTTPClient, err = rest.HTTPClientFor(config); err != nil {
			return fmt.Errorf("HTTP client for %s: %w", config.Host, err)
		}
	}
	return nil
}

// parts is the Cluster.
type parts struct {
	config     *rest.Config
	httpClient *http.Client
	scheme     *runtime.Scheme
	mapper     meta.RESTMapper
	cache      cache.Cache
	client     client.Client
	apiReader  client.Reader
	events     *eventrecorder.Provider
}

func (c *parts) makeCache(options Options) error {
	wanted := options.Cache
	if wanted.Scheme == nil {
		wanted.Scheme = c.scheme
	}
	if wanted.Mapper == nil {
		wanted.Mapper = c.mapper
	}
	if wanted.HTTPClient == nil {
		wanted.HTTPClient = c.httpClient
	}
	var err error
	if c.cache, err = options.NewCache(c.config, wanted); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// makeClients makes the client that reads from the cache and the reader that
// does not.
func (c *parts) makeClients(options Options) error {
	wanted := options.Client
	if wanted.Scheme == nil {
		wanted.Scheme = c.scheme
	}
	if wanted.Mapper == nil {
		wanted.Mapper = c.mapper
	}
	if wanted.HTTPClient == nil {
		wanted.HTTPClient = c.httpClient
	}

	direct := wanted
	direct.Cache = nil
	var err error
	if c.apiReader, err = client.New(c.config, direct); err != nil {
		return fmt.Errorf("API reader: %w", err)
	}

	// The caller's options are not to change.
	var reads client.CacheOptions
	if wanted.Cache != nil {
		reads = *wanted.Cache
	}
	if reads.Reader == nil {
		reads.Reader = c.cache
	}
	wanted.Cache = &reads
	if c.client, err = options.NewClient(c.config, wanted); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	return nil
}

// Start fills the cache and keeps it current. Events are sent until it ends.
func (c *parts) Start(ctx context.Context) error {
	defer c.events.Stop()
	return c.cache.Start(ctx)
}

func (c *parts) GetHTTPClient() *http.Client          { return c.httpClient }
func (c *parts) GetConfig() *rest.Config              { return c.config }
func (c *parts) GetCache() cache.Cache                { return c.cache }
func (c *parts) GetScheme() *runtime.Scheme           { return c.scheme }
func (c *parts) GetClient() client.Client             { return c.client }
func (c *parts) GetFieldIndexer() client.FieldIndexer { return c.cache }
func (c *parts) GetRESTMapper() meta.RESTMapper       { return c.mapper }
func (c *parts) GetAPIReader() client.Reader          { return c.apiReader }
func (c *parts) String() string                       { return "cluster " + c.config.Host }
func (c *parts) GetEventRecorderFor(name string) record.EventRecorder {
	return c.events.GetEventRecorderFor(name) //nolint:staticcheck // Offered for compatibility.
}

func (c *parts) GetEventRecorder(name string) recorder.EventRecorder {
	return c.events.GetEventRecorder(name)
}
