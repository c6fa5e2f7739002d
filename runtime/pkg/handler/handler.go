// Package handler turns events into requests: it says which objects to
// reconcile because of what happened to another.
//
//   - [EnqueueRequestForObject]: the object of the event itself.
//   - [EnqueueRequestForOwner]: the object that owns the event's object.
//   - [EnqueueRequestsFromMapFunc]: whatever a function says.
//   - [Funcs]: full control over the queue.
package handler

import (
	"context"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
	"kubewright.dev/runtime/pkg/reconcile"
)

// TypedEventHandler puts requests into the queue in answer to events.
type TypedEventHandler[object any, request comparable] interface {
	// Create answers to an object that comes into view.
	Create(context.Context, event.TypedCreateEvent[object], workqueue.TypedRateLimitingInterface[request])
	// Update answers to an object that changed or was resynced.
	Update(context.Context, event.TypedUpdateEvent[object], workqueue.TypedRateLimitingInterface[request])
	// Delete answers to an object that is gone.
	Delete(context.Context, event.TypedDeleteEvent[object], workqueue.TypedRateLimitingInterface[request])
	// Generic answers to an event from outside the watches.
	Generic(context.Context, event.TypedGenericEvent[object], workqueue.TypedRateLimitingInterface[request])
}

// EventHandler handles events of any kind of object and asks for reconciles by
// name.
type EventHandler = TypedEventHandler[client.Object, reconcile.Request]

// TypedFuncs makes a handler of functions. Events whose function is nil are
// ignored.
//
// What the functions put into the queue while the controller's caches fill, or
// for updates that change nothing, gets LowPriority unless they set a priority.
type TypedFuncs[object any, request comparable] struct {
	// CreateFunc answers to Create.
	CreateFunc func(context.Context, event.TypedCreateEvent[object], workqueue.TypedRateLimitingInterface[request])
	// UpdateFunc answers to Update.
	UpdateFunc func(context.Context, event.TypedUpdateEvent[object], workqueue.TypedRateLimitingInterface[request])
	// DeleteFunc answers to Delete.
	DeleteFunc func(context.Context, event.TypedDeleteEvent[object], workqueue.TypedRateLimitingInterface[request])
	// GenericFunc answers to Generic.
	GenericFunc func(context.Context, event.TypedGenericEvent[object], workqueue.TypedRateLimitingInterface[request])
}

// Funcs is a TypedFuncs of any kind of object.
type Funcs = TypedFuncs[client.Object, reconcile.Request]

// Create implements TypedEventHandler.
func (f TypedFuncs[object, request]) Create(ctx context.Context, e event.TypedCreateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	if f.CreateFunc != nil {
		f.CreateFunc(ctx, e, patient(q, e.IsInInitialList))
	}
}

// Update implements TypedEventHandler.
func (f TypedFuncs[object, request]) Update(ctx context.Context, e event.TypedUpdateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	if f.UpdateFunc != nil {
		f.UpdateFunc(ctx, e, patient(q, unchanged(e)))
	}
}

// Delete implements TypedEventHandler.
func (f TypedFuncs[object, request]) Delete(ctx context.Context, e event.TypedDeleteEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	if f.DeleteFunc != nil {
		f.DeleteFunc(ctx, e, q)
	}
}

// Generic implements TypedEventHandler.
func (f TypedFuncs[object, request]) Generic(ctx context.Context, e event.TypedGenericEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	if f.GenericFunc != nil {
		f.GenericFunc(ctx, e, q)
	}
}
