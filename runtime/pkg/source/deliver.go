package source

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/internal/causes"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
	"kubewright.dev/runtime/pkg/handler"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/predicate"
)

// delivery takes events from an informer or a channel to a handler: it asks the
// predicates and notes the cause of what the handler queues.
type delivery[object any, request comparable] struct {
	ctx        context.Context
	source     string
	queue      workqueue.TypedRateLimitingInterface[request]
	handler    handler.TypedEventHandler[object, request]
	predicates []predicate.TypedPredicate[object]
}

var _ toolscache.ResourceEventHandler = delivery[client.Object, string]{}

// OnAdd implements toolscache.ResourceEventHandler.
func (d delivery[object, request]) OnAdd(obj any, isInInitialList bool) {
	if o, ok := d.typed(obj, causes.Create); ok {
		e := event.TypedCreateEvent[object]{Object: o, IsInInitialList: isInInitialList}
		if d.pass(func(p predicate.TypedPredicate[object]) bool { return p.Create(e) }) {
			d.handle(causes.Create, o, func(ctx context.Context, q workqueue.TypedRateLimitingInterface[request]) {
				d.handler.Create(ctx, e, q)
			})
		}
	}
}

// OnUpdate implements toolscache.ResourceEventHandler.
func (d delivery[object, request]) OnUpdate(before, after any) {
	o, ok := d.typed(before, causes.Update)
	n, okToo := d.typed(after, causes.Update)
	if !ok || !okToo {
		return
	}
	e := event.TypedUpdateEvent[object]{ObjectOld: o, ObjectNew: n}
	if d.pass(func(p predicate.TypedPredicate[object]) bool { return p.Update(e) }) {
		d.handle(causes.Update, n, func(ctx context.Context, q workqueue.TypedRateLimitingInterface[request]) {
			d.handler.Update(ctx, e, q)
		})
	}
}

// OnDelete implements toolscache.ResourceEventHandler.
func (d delivery[object, request]) OnDelete(obj any) {
	tombstone, missed := obj.(toolscache.DeletedFinalStateUnknown)
	if missed {
		obj = tombstone.Obj
	}
	if o, ok := d.typed(obj, causes.Delete); ok {
		e := event.TypedDeleteEvent[object]{Object: o, DeleteStateUnknown: missed}
		if d.pass(func(p predicate.TypedPredicate[object]) bool { return p.Delete(e) }) {
			d.handle(causes.Delete, o, func(ctx context.Context, q workqueue.TypedRateLimitingInterface[request]) {
				d.handler.Delete(ctx, e, q)
			})
		}
	}
}

// generic delivers an event from outside the watches.
func (d delivery[object, request]) generic(e event.TypedGenericEvent[object]) {
	if d.pass(func(p predicate.TypedPredicate[object]) bool { return p.Generic(e) }) {
		d.handle(causes.Generic, e.Object, func(ctx context.Context, q workqueue.TypedRateLimitingInterface[request]) {
			d.handler.Generic(ctx, e, q)
		})
	}
}

func (d delivery[object, request]) typed(obj any, what string) (object, bool) {
	o, ok := obj.(object)
	if !ok {
		logf.FromContext(d.ctx).Error(nil, "dropped an event whose object has another type than the source",
			"source", d.source, "event", what, "type", fmt.Sprintf("%T", obj))
	}
	return o, ok
}

func (d delivery[object, request]) pass(ask func(predicate.TypedPredicate[object]) bool) bool {
	for _, p := range d.predicates {
		if !ask(p) {
			return false
		}
	}
	return true
}

// handle calls the handler with a queue that notes the cause and a context that
// ends with it.
func (d delivery[object, request]) handle(what string, about any, call func(context.Context, workqueue.TypedRateLimitingInterface[request])) {
	ctx, cancel := context.WithCancel(d.ctx)
	defer cancel()
	cause := causes.Cause{Source: d.source, Event: what}
	if obj, ok := about.(client.Object); ok && !absent(obj) {
		cause.Object = types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
	}
	call(ctx, causes.Recording(d.queue, causes.LedgerFrom[request](d.ctx), cause))
}
