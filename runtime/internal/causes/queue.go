package causes

import (
	"time"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/controller/priorityqueue"
)

// Recording returns a view of the queue that notes the cause with all that is
// added through it. It is a priority queue if the given one is. Without a ledger
// it returns the queue itself.
func Recording[request comparable](queue workqueue.TypedRateLimitingInterface[request], ledger *Ledger[request], cause Cause) workqueue.TypedRateLimitingInterface[request] {
	if ledger == nil {
		return queue
	}
	note := func(item request) { ledger.Note(item, cause) }
	if byPriority, ok := queue.(priorityqueue.PriorityQueue[request]); ok {
		return recordingByPriority[request]{PriorityQueue: byPriority, note: note}
	}
	return recording[request]{TypedRateLimitingInterface: queue, note: note}
}

type recording[request comparable] struct {
	workqueue.TypedRateLimitingInterface[request]
	note func(request)
}

func (r recording[request]) Add(item request) {
	r.note(item)
	r.TypedRateLimitingInterface.Add(item)
}

func (r recording[request]) AddAfter(item request, delay time.Duration) {
	r.note(item)
	r.TypedRateLimitingInterface.AddAfter(item, delay)
}

func (r recording[request]) AddRateLimited(item request) {
	r.note(item)
	r.TypedRateLimitingInterface.AddRateLimited(item)
}

type recordingByPriority[request comparable] struct {
	priorityqueue.PriorityQueue[request]
	note func(request)
}

func (r recordingByPriority[request]) Add(item request) {
	r.note(item)
	r.PriorityQueue.Add(item)
}

func (r recordingByPriority[request]) AddAfter(item request, delay time.Duration) {
	r.note(item)
	r.PriorityQueue.AddAfter(item, delay)
}

func (r recordingByPriority[request]) AddRateLimited(item request) {
	r.note(item)
	r.PriorityQueue.AddRateLimited(item)
}

func (r recordingByPriority[request]) AddWithOpts(opts priorityqueue.AddOpts, items ...request) {
	for _, item := range items {
		r.note(item)
	}
	r.PriorityQueue.AddWithOpts(opts, items...)
}
