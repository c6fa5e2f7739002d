package cache

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"

	"kubewright.dev/runtime/pkg/client"
)

// Cache reads objects from memory and keeps them up to date with the API server. It implements what a client needs to
// read, and what sources need to watch.
type Cache interface {
	client.Reader
	Informers
}

// Informers hand out what keeps kinds up to date and tells about changes: one informer a kind.
type Informers interface {
	// GetInformer returns the informer of obj's kind and starts one if there is none. On a running cache it waits until
	// the first list is in, unless BlockUntilSynced(false) is given; if the server then refuses the kind, the error
	// says why.
	GetInformer(ctx context.Context, obj client.Object, opts ...InformerGetOption) (Informer, error)

	// GetInformerForKind is GetInformer for a kind. Kinds that the scheme does not know are kept as unstructured objects.
	GetInformerForKind(ctx context.Context, gvk schema.GroupVersionKind, opts ...InformerGetOption) (Informer, error)

	// RemoveInformer stops the informer of obj's kind and drops what it keeps. It does nothing if there is none.
	RemoveInformer(ctx context.Context, obj client.Object) error

	// Start runs all informers, those that come later too, until ctx is done, and returns when they have stopped.
	Start(ctx context.Context) error

	// WaitForCacheSync waits until the cache is started and the first lists of all informers are in. It reports false if
	// ctx ends before.
	WaitForCacheSync(ctx context.Context) bool

	client.FieldIndexer
}

// Informer tells handlers about the objects of a kind: first all that exist, then what changes.
type Informer interface {
	// AddEventHandler adds a handler, with the informer's own resync period. Each handler gets its events in order and
	// one at a time; a slow one does not hold up others. The result tells when the first list has been delivered.
	AddEventHandler(handler toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error)

	// AddEventHandlerWithResyncPeriod adds a handler that gets update events for all objects each resyncPeriod; 0 means never.
	AddEventHandlerWithResyncPeriod(handler toolscache.ResourceEventHandler, resyncPeriod time.Duration) (toolscache.ResourceEventHandlerRegistration, error)

	// AddEventHandlerWithOptions adds a handler with options; a nil resync period means the informer's own.
	AddEventHandlerWithOptions(handler toolscache.ResourceEventHandler, options toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error)

	// RemoveEventHandler removes a handler, which gets no new events from then on.
	RemoveEventHandler(handle toolscache.ResourceEventHandlerRegistration) error

	// AddIndexers adds indexes under names that are not in use yet.
	AddIndexers(indexers toolscache.Indexers) error

	// HasSynced reports whether the first list is in the store.
	HasSynced() bool

	// HasSyncedChecker returns what is done when the first list is in the store.
	HasSyncedChecker() toolscache.DoneChecker

	// IsStopped reports whether the informer has been stopped; it does not start again then.
	IsStopped() bool
}

// InformerGetOptions are the options of GetInformer.
type InformerGetOptions struct {
	// BlockUntilSynced says whether to wait for the first list. Nil means true.
	BlockUntilSynced *bool
}

// InformerGetOption sets an option of GetInformer.
type InformerGetOption func(*InformerGetOptions)

// BlockUntilSynced says whether GetInformer waits for the first list; it does by default.
func BlockUntilSynced(shouldBlock bool) InformerGetOption {
	return func(o *InformerGetOptions) { o.BlockUntilSynced = &shouldBlock }
}
