// Package reconcile defines what an operator's author writes: the function that
// brings the world closer to what an object asks for.
//
// A [Reconciler] is told the name of an object, reads its state, compares it with
// the world and acts. It may be called at any time, more often than there are
// changes and after several changes at once, so it must not depend on the event
// that led to the call.
package reconcile

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"kubewright.dev/runtime/internal/causes"
	"kubewright.dev/runtime/pkg/client"
)

// Result says when to come back to an object. The zero value means: when it
// changes.
type Result struct {
	// Requeue asks for another reconcile after the rate limiter's delay, as an
	// error does.
	//
	// Deprecated: set RequeueAfter, or return an error.
	Requeue bool

	// RequeueAfter asks for another reconcile after this time. It resets the rate
	// limiter's count of failures.
	RequeueAfter time.Duration

	// Priority is the priority of the object in the queue if it is queued again.
	// Default: that of the work just done. Only priority queues look at it.
	Priority *int
}

// IsZero says whether nothing was asked for.
func (r *Result) IsZero() bool {
	return r == nil || *r == Result{}
}

// Request names the object to reconcile. Its namespace is empty if the object
// has cluster scope.
type Request struct {
	// NamespacedName is the object's namespace and name.
	types.NamespacedName
}

// TypedReconciler brings the world closer to what the object named by the
// request asks for.
type TypedReconciler[request comparable] interface {
	// Reconcile does so once. If it returns an error, the request is queued again
	// with a growing delay, and the result is ignored; an error made by
	// TerminalError is only logged and counted. Requests that are equal never run
	// at the same time.
	Reconcile(context.Context, request) (Result, error)
}

// Reconciler is a TypedReconciler of objects by name.
type Reconciler = TypedReconciler[Request]

// TypedFunc makes a TypedReconciler of a function.
type TypedFunc[request comparable] func(context.Context, request) (Result, error)

// Reconcile calls the function.
func (f TypedFunc[request]) Reconcile(ctx context.Context, req request) (Result, error) {
	return f(ctx, req)
}

// Func makes a Reconciler of a function.
type Func = TypedFunc[Request]

var _ Reconciler = Func(nil)

// ObjectReconciler is a reconciler that is given the object instead of its name.
type ObjectReconciler[object client.Object] interface {
	// Reconcile has the meaning of TypedReconciler.Reconcile.
	Reconcile(context.Context, object) (Result, error)
}

// AsReconciler makes a Reconciler that reads the object and passes it on. An
// object that does not exist any more is skipped.
func AsReconciler[object client.Object](reader client.Client, inner ObjectReconciler[object]) Reconciler {
	return Func(func(ctx context.Context, req Request) (Result, error) {
		kind := reflect.TypeFor[object]()
		if kind.Kind() != reflect.Pointer {
			return Result{}, TerminalError(fmt.Errorf("reconcile %s: %s is not a pointer to an object's type", req, kind))
		}
		found := reflect.New(kind.Elem()).Interface().(object)
		if err := reader.Get(ctx, req.NamespacedName, found); err != nil {
			if apierrors.IsNotFound(err) {
				return Result{}, nil
			}
			return Result{}, err
		}
		return inner.Reconcile(ctx, found)
	})
}

// TerminalError marks an error that trying again does not mend. The controller
// logs and counts it and waits for the next event of the object.
func TerminalError(err error) error {
	return &terminal{cause: err}
}

type terminal struct{ cause error }

// Error has the prefix that log searches know.
func (t *terminal) Error() string {
	if t.cause == nil {
		return "nil terminal error"
	}
	return "terminal error: " + t.cause.Error()
}

// Unwrap returns the marked error.
func (t *terminal) Unwrap() error { return t.cause }

// Is makes errors.Is(err, TerminalError(nil)) tell terminal errors from others.
func (t *terminal) Is(target error) bool {
	var other *terminal
	return errors.As(target, &other)
}

// Cause is one reason why a reconcile happens: which watch, which object, what
// happened and how often.
type Cause = causes.Cause

// CausesFrom returns why the reconcile that the context belongs to happens. It
// is for logs and diagnosis: what a reconciler does must depend on the state
// alone. It is empty if the request came in by a source that records no causes.
func CausesFrom(ctx context.Context) []Cause { return causes.From(ctx) }
