// Package priorityqueue is the queue between a controller's watches and its
// workers.
//
// It has the guarantees of client-go's work queue - an item is in it once, and is
// given to one worker at a time - and adds priorities: of the items that are
// ready, the one with the highest priority goes first, and among equals the one
// that came first. So a change that a user just made overtakes the thousands of
// objects that are only listed at the start or resynced.
//
// The queue runs no goroutine. It takes its time from a clock, which tests
// replace; given the same calls and the same clock it always does the same.
package priorityqueue

import (
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"kubewright.dev/runtime/internal/queuemetrics"
)

// AddOpts says how items are put in.
type AddOpts struct {
	// After is the time to wait before the items are ready. Default: none.
	After time.Duration
	// RateLimited makes each item wait as long as the rate limiter says for it. If
	// After is set too, the shorter time counts.
	RateLimited bool
	// Priority orders the items that are ready, the highest first. Default: 0.
	Priority *int
}

// PriorityQueue is a work queue whose items have priorities. An item that is put
// in again keeps the higher of its priorities and the earlier of its times.
type PriorityQueue[T comparable] interface {
	workqueue.TypedRateLimitingInterface[T]
	// AddWithOpts puts the items in.
	AddWithOpts(o AddOpts, items ...T)
	// GetWithPriority waits for an item and returns it with its priority. The last
	// result is true when the queue was shut down.
	GetWithPriority() (item T, priority int, shutdown bool)
}

// Opts are the settings of a queue.
type Opts[T comparable] struct {
	// RateLimiter says how long an item waits that is added rate limited.
	// Default: client-go's default for controllers, 5 ms doubling up to 1000 s
	// for each item, and 10 a second with bursts of 100 over all.
	RateLimiter workqueue.TypedRateLimiter[T]
	// MetricProvider makes the queue's metrics. Default: the workqueue_* metrics
	// of the process-wide registry.
	MetricProvider workqueue.MetricsProvider
	// Log is where the queue reports. Default: nowhere.
	Log logr.Logger
	// Clock is the queue's time. Default: the real one.
	Clock clock.WithDelayedExecution
}

// Opt changes the settings of a queue.
type Opt[T comparable] func(*Opts[T])

// New makes a queue. Its metrics carry the name.
func New[T comparable](name string, o ...Opt[T]) PriorityQueue[T] {
	opts := Opts[T]{}
	for _, change := range o {
		change(&opts)
	}
	if opts.RateLimiter == nil {
		opts.RateLimiter = workqueue.DefaultTypedControllerRateLimiter[T]()
	}
	if opts.MetricProvider == nil {
		opts.MetricProvider = queuemetrics.Provider
	}
	if opts.Clock == nil {
		opts.Clock = clock.RealClock{}
	}
	return newQueue(name, opts)
}
