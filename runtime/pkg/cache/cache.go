package cache

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/internal/store"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
)

// informerCache is the cache: the informers of all kinds and what they are made from.
type informerCache struct {
	config *rest.Config
	opts   Options
	byKind map[schema.GroupVersionKind]ByObject

	mu        sync.Mutex
	informers map[schema.GroupVersionKind]*informer
	isStarted bool
	started   chan struct{}
	stopped   bool
}

var _ Cache = &informerCache{}

// New returns a cache of the API server that config leads to. It reads nothing before Start.
func New(config *rest.Config, opts Options) (Cache, error) {
	if config == nil {
		return nil, errors.New("cache: no REST config given; config.GetConfig finds one")
	}
	if opts.NewInformer != nil {
		return nil, errors.New("cache: Options.NewInformer is not supported")
	}
	var err error
	if opts.HTTPClient == nil {
		if opts.HTTPClient, err = rest.HTTPClientFor(config); err != nil {
			return nil, fmt.Errorf("cache: HTTP client: %w", err)
		}
	}
	if opts.Scheme == nil {
		opts.Scheme = scheme.Scheme
	}
	if opts.Mapper == nil {
		if opts.Mapper, err = apiutil.NewDynamicRESTMapper(config, opts.HTTPClient); err != nil {
			return nil, fmt.Errorf("cache: mapper: %w", err)
		}
	}
	c := &informerCache{
		config: config, opts: opts, byKind: map[schema.GroupVersionKind]ByObject{},
		informers: map[schema.GroupVersionKind]*informer{}, started: make(chan struct{}),
	}
	for obj, settings := range opts.ByObject {
		gvk, err := apiutil.GVKForObject(obj, opts.Scheme)
		if err != nil {
			return nil, fmt.Errorf("cache: ByObject: %w", err)
		}
		if _, twice := c.byKind[gvk]; twice {
			return nil, fmt.Errorf("cache: ByObject has two entries for %s: typed, unstructured and metadata-only objects mean the same", gvk)
		}
		c.byKind[gvk] = settings
	}
	return c, nil
}

// GetInformer implements Informers.
func (c *informerCache) GetInformer(ctx context.Context, obj client.Object, opts ...InformerGetOption) (Informer, error) {
	gvk, err := apiutil.GVKForObject(obj, c.opts.Scheme)
	if err != nil {
		return nil, err
	}
	return c.informerFor(ctx, gvk, formOf(obj), opts)
}

// GetInformerForKind implements Informers.
func (c *informerCache) GetInformerForKind(ctx context.Context, gvk schema.GroupVersionKind, opts ...InformerGetOption) (Informer, error) {
	f := unstructuredForm
	if c.opts.Scheme.Recognizes(gvk) {
		f = typedForm
	}
	return c.informerFor(ctx, gvk, f, opts)
}

func (c *informerCache) informerFor(ctx context.Context, gvk schema.GroupVersionKind, f form, opts []InformerGetOption) (Informer, error) {
	var o InformerGetOptions
	for _, opt := range opts {
		opt(&o)
	}
	v, err := c.ensure(gvk, f)
	if err != nil {
		return nil, err
	}
	if (o.BlockUntilSynced == nil || *o.BlockUntilSynced) && closed(c.started) {
		if err := v.wait(ctx, f); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// ensure returns the kind's informer as it is seen in a form, new and running if need be.
func (c *informerCache) ensure(gvk schema.GroupVersionKind, f form) (view, error) {
	c.mu.Lock()
	inf := c.informers[gvk]
	c.mu.Unlock()
	if inf == nil {
		// May ask the server, so others must not wait for it.
		mapping, err := c.opts.Mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			if meta.IsNoMatchError(err) {
				err = fmt.Errorf("cannot cache %s: the API server does not have the kind: install its CRD first, as with `make install`: %w", gvk, err)
			}
			return view{}, err
		}
		k := kind{gvk: gvk, resource: mapping.Resource, namespaced: mapping.Scope.Name() == meta.RESTScopeNameNamespace}
		if !k.namespaced && len(c.byKind[gvk].Namespaces) > 0 {
			return view{}, fmt.Errorf("cache: ByObject gives namespaces for %s, which is cluster-scoped", gvk)
		}
		c.mu.Lock()
		if inf = c.informers[gvk]; inf == nil {
			if c.stopped {
				c.mu.Unlock()
				return view{}, fmt.Errorf("cannot cache %s: the cache is stopped", gvk)
			}
			inf = newInformer(c, k, f)
			c.informers[gvk] = inf
			if c.isStarted {
				inf.run()
			}
		}
		c.mu.Unlock()
	}
	inf.want(f)
	return view{inf, f}, nil
}

// RemoveInformer implements Informers.
func (c *informerCache) RemoveInformer(_ context.Context, obj client.Object) error {
	gvk, err := apiutil.GVKForObject(obj, c.opts.Scheme)
	if err != nil {
		return err
	}
	c.mu.Lock()
	inf := c.informers[gvk]
	delete(c.informers, gvk)
	c.mu.Unlock()
	if inf != nil {
		inf.stop()
	}
	return nil
}

// Start implements Informers.
func (c *informerCache) Start(ctx context.Context) error {
	c.mu.Lock()
	if c.isStarted {
		c.mu.Unlock()
		return errors.New("cache: it has been started before")
	}
	c.isStarted = true
	for _, inf := range c.informers {
		inf.run()
	}
	close(c.started)
	c.mu.Unlock()

	<-ctx.Done()
	c.mu.Lock()
	c.stopped = true
	all := maps.Clone(c.informers)
	c.mu.Unlock()
	for _, inf := range all {
		inf.end()
	}
	return nil
}

// WaitForCacheSync implements Informers.
func (c *informerCache) WaitForCacheSync(ctx context.Context) bool {
	select {
	case <-c.started:
	case <-ctx.Done():
		return false
	}
	c.mu.Lock()
	all := maps.Clone(c.informers)
	c.mu.Unlock()
	for _, inf := range all {
		inf.mu.Lock()
		synced := inf.synced[inf.wanted]
		inf.mu.Unlock()
		select {
		case <-synced:
		case <-inf.life.Done():
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// IndexField implements client.FieldIndexer.
func (c *informerCache) IndexField(_ context.Context, obj client.Object, field string, extractValue client.IndexerFunc) error {
	gvk, err := apiutil.GVKForObject(obj, c.opts.Scheme)
	if err != nil {
		return err
	}
	v, err := c.ensure(gvk, formOf(obj))
	if err != nil {
		return fmt.Errorf("index on field %q: %w", field, err)
	}
	err = v.addIndex(fieldIndex(field), func(obj store.Object) ([]string, error) { return extractValue(obj), nil })
	if err != nil {
		return fmt.Errorf("index on field %q of %s: %w", field, gvk, err)
	}
	return nil
}

// fieldIndex keeps the names of fields apart from those of indexers.
func fieldIndex(field string) string { return "field:" + field }

const defaultSyncPeriod = 10 * time.Hour
