// Package source is where events come from: watches of the cluster, and channels
// for everything else.
//
// A source is started by a controller with the controller's queue. It delivers
// events, through predicates, to a handler, which fills the queue.
package source

import (
	"context"
	"fmt"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/reconcile"
)

// TypedSource delivers events to a queue until the context ends.
type TypedSource[request comparable] interface {
	// Start begins and returns at once. It is called by the controller, once.
	Start(context.Context, workqueue.TypedRateLimitingInterface[request]) error
}

// Source is a TypedSource for reconciles by name.
type Source = TypedSource[reconcile.Request]

// TypedSyncingSource is a source that first delivers what exists.
type TypedSyncingSource[request comparable] interface {
	TypedSource[request]
	// WaitForSync waits until all that existed at the start was delivered. It
	// fails if that can not happen, or if the context ends first.
	WaitForSync(ctx context.Context) error
}

// SyncingSource is a TypedSyncingSource for reconciles by name.
type SyncingSource = TypedSyncingSource[reconcile.Request]

// TypedFunc makes a source of a function.
type TypedFunc[request comparable] func(context.Context, workqueue.TypedRateLimitingInterface[request]) error

// Func is a TypedFunc for reconciles by name.
type Func = TypedFunc[reconcile.Request]

var _ Source = Func(nil)

// Start calls the function.
func (f TypedFunc[request]) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[request]) error {
	return f(ctx, queue)
}

// String names the source in logs.
func (f TypedFunc[request]) String() string { return fmt.Sprintf("func source: %p", f) }
