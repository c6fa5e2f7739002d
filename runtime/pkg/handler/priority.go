package handler

import (
	"context"
	"time"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/controller/priorityqueue"
	"kubewright.dev/runtime/pkg/event"
)

// LowPriority is the priority of work that nobody waits for: objects that were
// there when the watch started, and resyncs.
const LowPriority = -100

// WithLowPriorityWhenUnchanged makes a handler whose requests for objects of the
// initial list and for updates that change nothing have LowPriority, unless the
// handler sets a priority. It has no effect on queues without priorities. The
// handlers of this package do so already.
func WithLowPriorityWhenUnchanged[object client.Object, request comparable](u TypedEventHandler[object, request]) TypedEventHandler[object, request] {
	return yielding[object, request]{TypedEventHandler: u}
}

type yielding[object any, request comparable] struct {
	TypedEventHandler[object, request]
}

func (y yielding[object, request]) Create(ctx context.Context, e event.TypedCreateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	y.TypedEventHandler.Create(ctx, e, patient(q, e.IsInInitialList))
}

func (y yielding[object, request]) Update(ctx context.Context, e event.TypedUpdateEvent[object], q workqueue.TypedRateLimitingInterface[request]) {
	y.TypedEventHandler.Update(ctx, e, patient(q, unchanged(e)))
}

// unchanged says whether an update is only a resync.
func unchanged[object any](e event.TypedUpdateEvent[object]) bool {
	before, okBefore := any(e.ObjectOld).(client.Object)
	after, okAfter := any(e.ObjectNew).(client.Object)
	if !okBefore || !okAfter || missing(before) || missing(after) {
		return false
	}
	return before.GetResourceVersion() == after.GetResourceVersion()
}

// patient returns a view of the queue that adds with LowPriority, if the work is
// of low priority and the queue knows priorities.
func patient[request comparable](q workqueue.TypedRateLimitingInterface[request], low bool) workqueue.TypedRateLimitingInterface[request] {
	if !low {
		return q
	}
	if byPriority, ok := q.(priorityqueue.PriorityQueue[request]); ok {
		return lowered[request]{byPriority}
	}
	return q
}

type lowered[request comparable] struct {
	priorityqueue.PriorityQueue[request]
}

func (l lowered[request]) AddWithOpts(o priorityqueue.AddOpts, items ...request) {
	if o.Priority == nil {
		o.Priority = new(LowPriority)
	}
	l.PriorityQueue.AddWithOpts(o, items...)
}

func (l lowered[request]) Add(item request) { l.AddWithOpts(priorityqueue.AddOpts{}, item) }

func (l lowered[request]) AddAfter(item request, after time.Duration) {
	l.AddWithOpts(priorityqueue.AddOpts{After: after}, item)
}

func (l lowered[request]) AddRateLimited(item request) {
	l.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, item)
}
