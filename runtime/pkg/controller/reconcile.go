package controller

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"

	"kubewright.dev/runtime/internal/causes"
	"kubewright.dev/runtime/internal/controllermetrics"
	"kubewright.dev/runtime/pkg/controller/priorityqueue"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/reconcile"
)

type reconcileIDKey struct{}

// ReconcileIDFromContext returns the identifier of the reconcile that the context
// belongs to, which is in its log lines as reconcileID; empty outside of one.
var ReconcileIDFromContext = func(ctx context.Context) types.UID {
	id, _ := ctx.Value(reconcileIDKey{}).(types.UID)
	return id
}

// Reconcile implements TypedController.
func (l *loop[request]) Reconcile(ctx context.Context, req request) (result reconcile.Result, err error) {
	defer func() {
		thrown := recover()
		if thrown == nil {
			return
		}
		l.metrics.Panics.Inc()
		log := logf.FromContext(ctx)
		if !orElse(l.options.RecoverPanic, true) {
			log.Info("Observed a panic in reconciler", "panic", fmt.Sprint(thrown))
			panic(thrown)
		}
		log.Error(fmt.Errorf("panic: %v", thrown), "Observed a panic", "stacktrace", string(debug.Stack()))
		result, err = reconcile.Result{}, fmt.Errorf("panic: %v [recovered]", thrown)
	}()
	if limit := l.options.ReconciliationTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errReconcileTimeout)
		defer cancel()
		defer func() {
			if errors.Is(context.Cause(ctx), errReconcileTimeout) {
				l.metrics.Timeouts.Inc()
			}
		}()
	}
	return l.options.Reconciler.Reconcile(ctx, req)
}

var errReconcileTimeout = errors.New("the reconcile took longer than ReconciliationTimeout")

// do reconciles a request and puts it back if that is called for.
func (l *loop[request]) do(ctx context.Context, req request, priority int) {
	id := uuid.NewUUID()
	log := l.options.LogConstructor(&req).WithValues("reconcileID", id)
	ctx = context.WithValue(logf.IntoContext(ctx, log), reconcileIDKey{}, id)
	ctx = causes.Into(ctx, l.causes.Take(req))

	began := time.Now()
	result, err := l.Reconcile(ctx, req)
	l.metrics.Seconds.Observe(time.Since(began).Seconds())

	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case err != nil:
		l.failed(log, req, result, err, priority)
	case result.RequeueAfter > 0:
		// Waiting was asked for, so the failures before it are over.
		l.queue.Forget(req)
		l.again(req, causes.Requeue, priorityqueue.AddOpts{After: result.RequeueAfter, Priority: &priority})
		l.metrics.Ended(controllermetrics.ResultRequeueAfter)
	case result.Requeue: //nolint:staticcheck // Users may still set it.
		l.again(req, causes.Requeue, priorityqueue.AddOpts{RateLimited: true, Priority: &priority})
		l.metrics.Ended(controllermetrics.ResultRequeue)
	default:
		l.queue.Forget(req)
		l.metrics.Ended(controllermetrics.ResultSuccess)
	}
}

// failed counts and logs an error, and puts the request back unless trying again
// does not help.
func (l *loop[request]) failed(log logr.Logger, req request, result reconcile.Result, err error, priority int) {
	l.metrics.Errors.Inc()
	l.metrics.Ended(controllermetrics.ResultError)
	if errors.Is(err, reconcile.TerminalError(nil)) {
		l.metrics.TerminalErrors.Inc()
		l.queue.Forget(req)
		log.Error(err, "Reconciler error")
		return
	}
	l.again(req, causes.Retry, priorityqueue.AddOpts{RateLimited: true, Priority: &priority})
	if !result.IsZero() {
		log.Info("Warning: Reconciler returned both a result with either RequeueAfter or Requeue set and a non-nil error. " +
			"The result is ignored, and the request is tried again with exponential backoff")
	}
	if apierrors.IsConflict(err) {
		// Another writer was faster: the next try reads anew. That is the API's
		// usual way, not a fault.
		log.Info("Object changed meanwhile, will reconcile again", "reason", err.Error())
		return
	}
	log.Error(err, "Reconciler error")
}

// again puts the request back into the queue.
func (l *loop[request]) again(req request, why string, opts priorityqueue.AddOpts) {
	l.causes.Note(req, causes.Cause{Event: why})
	byPriority, ok := l.queue.(priorityqueue.PriorityQueue[request])
	switch {
	case ok:
		byPriority.AddWithOpts(opts, req)
	case opts.RateLimited:
		l.queue.AddRateLimited(req)
	default:
		l.queue.AddAfter(req, opts.After)
	}
}
