package source

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/handler"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/predicate"
	"kubewright.dev/runtime/pkg/reconcile"
)

// lookupInterval is the time between two tries to find a kind that the server
// does not serve yet.
const lookupInterval = 10 * time.Second

// Kind delivers the events of all objects of obj's kind that the cache sees.
func Kind[object client.Object](cache cache.Cache, obj object, handler handler.TypedEventHandler[object, reconcile.Request], predicates ...predicate.TypedPredicate[object]) SyncingSource {
	return TypedKind(cache, obj, handler, predicates...)
}

// TypedKind is Kind for any type of request.
func TypedKind[object client.Object, request comparable](cache cache.Cache, obj object, handler handler.TypedEventHandler[object, request], predicates ...predicate.TypedPredicate[object]) TypedSyncingSource[request] {
	return &kind[object, request]{cache: cache, obj: obj, handler: handler, predicates: predicates}
}

type kind[object client.Object, request comparable] struct {
	cache      cache.Cache
	obj        object
	handler    handler.TypedEventHandler[object, request]
	predicates []predicate.TypedPredicate[object]

	// synced gets the outcome of the start, once. It is made by Start.
	synced chan error
	stop   context.CancelFunc
	// lastErr holds at most one value: why the kind can not be watched yet.
	lastErr chan error
}

func absent(obj any) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// Start implements TypedSource. The kind may be missing at the server: the source
// then looks again until the context or the wait for its sync ends.
func (k *kind[object, request]) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[request]) error {
	switch {
	case absent(k.obj):
		return errors.New("kind source: the object is nil: pass an empty one of the kind to watch, as &corev1.Pod{}")
	case k.cache == nil:
		return fmt.Errorf("%s: the cache is nil: pass the manager's, mgr.GetCache()", k)
	case k.handler == nil:
		return fmt.Errorf("%s: the handler is nil: pass one, as &handler.EnqueueRequestForObject{}", k)
	case k.synced != nil:
		return fmt.Errorf("%s: started twice: make one source for each controller", k)
	}
	k.synced = make(chan error, 1)
	k.lastErr = make(chan error, 1)
	startCtx, stop := context.WithCancel(ctx)
	k.stop = stop
	to := delivery[object, request]{ctx: ctx, source: k.String(), queue: queue, handler: k.handler, predicates: k.predicates}
	go func() {
		k.synced <- k.follow(startCtx, to)
	}()
	return nil
}

// follow adds the delivery to the kind's informer and waits until what existed
// was delivered.
func (k *kind[object, request]) follow(ctx context.Context, to toolscache.ResourceEventHandler) error {
	informer, err := k.informer(ctx)
	if err != nil {
		return err
	}
	registration, err := informer.AddEventHandler(to)
	if err != nil {
		return fmt.Errorf("%s: %w", k, err)
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return fmt.Errorf("%s: the cache was not filled in time; see its log for the server's answers", k)
	}
	return nil
}

// informer asks the cache for the kind's informer until it has one, or an error
// that time does not mend.
func (k *kind[object, request]) informer(ctx context.Context) (cache.Informer, error) {
	for {
		// The objects' arrival is waited for at the registration, so not here.
		informer, err := k.cache.GetInformer(ctx, k.obj, cache.BlockUntilSynced(false))
		if err == nil {
			return informer, nil
		}
		err = k.explain(err)
		if runtime.IsNotRegisteredError(err) || apierrors.IsForbidden(err) {
			return nil, err
		}
		logf.FromContext(ctx).Error(err, "could not watch yet, will try again", "source", k.String(), "after", lookupInterval.String())
		select {
		case <-k.lastErr:
		default:
		}
		k.lastErr <- err
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(lookupInterval):
		}
	}
}

// explain adds the remedy to errors that have a usual one.
func (k *kind[object, request]) explain(err error) error {
	switch {
	case meta.IsNoMatchError(err):
		return fmt.Errorf("%s: the API server does not know this kind: if it is yours, install its CustomResourceDefinition with `make install`: %w", k, err)
	case runtime.IsNotRegisteredError(err):
		return fmt.Errorf("%s: add the kind's AddToScheme to the manager's scheme: %w", k, err)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s: add an RBAC marker with the verbs list and watch for it: %w", k, err)
	}
	return fmt.Errorf("%s: %w", k, err)
}

// WaitForSync implements TypedSyncingSource.
func (k *kind[object, request]) WaitForSync(ctx context.Context) error {
	if k.synced == nil {
		return fmt.Errorf("%s: waited for before it was started", k)
	}
	select {
	case err := <-k.synced:
		return err
	case <-ctx.Done():
		k.stop()
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil
		}
		select {
		case err := <-k.lastErr:
			return err
		default:
			return fmt.Errorf("%s: the cache was not filled in time: %w", k, ctx.Err())
		}
	}
}

// String names the source in logs.
func (k *kind[object, request]) String() string {
	if absent(k.obj) {
		return "kind source: unknown"
	}
	return fmt.Sprintf("kind source: %T", k.obj)
}
