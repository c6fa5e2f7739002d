package handler

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/reconcile"
)

// missing tells a nil object, also one inside a non-nil interface.
func missing(obj any) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// spread makes a handler of a function from an object to the requests that it
// calls for. Of an update both objects are asked, and a request that both call
// for is added once.
func spread[object any, request comparable](requests func(context.Context, object) []request) TypedFuncs[object, request] {
	enqueue := func(ctx context.Context, q workqueue.TypedRateLimitingInterface[request], objs ...object) {
		done := sets.New[request]()
		seen := false
		for _, obj := range objs {
			if missing(obj) {
				continue
			}
			seen = true
			for _, req := range requests(ctx, obj) {
				if !done.Has(req) {
					done.Insert(req)
					q.Add(req)
				}
			}
		}
		if !seen {
			logf.FromContext(ctx).Error(nil, "dropped an event that has no object", "type", reflect.TypeFor[object]().String())
		}
	}
	return TypedFuncs[object, request]{
		CreateFunc: func(ctx context.Context, e event.TypedCreateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
			enqueue(ctx, q, e.Object)
		},
		UpdateFunc: func(ctx context.Context, e event.TypedUpdateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
			enqueue(ctx, q, e.ObjectOld, e.ObjectNew)
		},
		DeleteFunc: func(ctx context.Context, e event.TypedDeleteEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
			enqueue(ctx, q, e.Object)
		},
		GenericFunc: func(ctx context.Context, e event.TypedGenericEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
			enqueue(ctx, q, e.Object)
		},
	}
}

// TypedEnqueueRequestForObject asks for a reconcile of the event's object. It is
// the handler of the kind that a controller is for.
type TypedEnqueueRequestForObject[object client.Object] struct{}

// EnqueueRequestForObject is the one for any kind of object.
type EnqueueRequestForObject = TypedEnqueueRequestForObject[client.Object]

func (TypedEnqueueRequestForObject[object]) funcs() TypedFuncs[object, reconcile.Request] {
	return spread(func(_ context.Context, obj object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}}}
	})
}

// Create implements TypedEventHandler.
func (h *TypedEnqueueRequestForObject[object]) Create(ctx context.Context, e event.TypedCreateEvent[object], q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.funcs().Create(ctx, e, q)
}

// Update implements TypedEventHandler.
func (h *TypedEnqueueRequestForObject[object]) Update(ctx context.Context, e event.TypedUpdateEvent[object], q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.funcs().Update(ctx, e, q)
}

// Delete implements TypedEventHandler.
func (h *TypedEnqueueRequestForObject[object]) Delete(ctx context.Context, e event.TypedDeleteEvent[object], q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.funcs().Delete(ctx, e, q)
}

// Generic implements TypedEventHandler.
func (h *TypedEnqueueRequestForObject[object]) Generic(ctx context.Context, e event.TypedGenericEvent[object], q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.funcs().Generic(ctx, e, q)
}

// TypedMapFunc says which requests an object calls for. It must not change the
// object, which belongs to the cache.
type TypedMapFunc[object any, request comparable] func(context.Context, object) []request

// MapFunc is a TypedMapFunc of any kind of object.
type MapFunc = TypedMapFunc[client.Object, reconcile.Request]

// EnqueueRequestsFromMapFunc asks for the reconciles that the function names. At
// an update it is asked for both the old and the new object.
func EnqueueRequestsFromMapFunc(fn MapFunc) EventHandler {
	return TypedEnqueueRequestsFromMapFunc(fn)
}

// TypedEnqueueRequestsFromMapFunc is EnqueueRequestsFromMapFunc for one type of
// object and of request.
func TypedEnqueueRequestsFromMapFunc[object any, request comparable](fn TypedMapFunc[object, request]) TypedEventHandler[object, request] {
	return spread[object, request](fn)
}
