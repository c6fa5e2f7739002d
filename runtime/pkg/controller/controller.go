// Package controller runs reconcilers: it lets sources fill a queue, and workers
// call the reconciler for what is in it.
//
// Most operators build their controllers with package builder. The functions here
// give the parts one by one:
//
//	c, err := controller.New("pods", mgr, controller.Options{Reconciler: r})
//	…
//	err = c.Watch(source.Kind(mgr.GetCache(), &corev1.Pod{}, &handler.TypedEnqueueRequestForObject[*corev1.Pod]{}))
//
// An object is never reconciled by two workers at once. A reconcile that fails is
// tried again with a growing delay.
package controller

import (
	"context"
	"errors"

	"github.com/go-logr/logr"

	"kubewright.dev/runtime/pkg/manager"
	"kubewright.dev/runtime/pkg/reconcile"
	"kubewright.dev/runtime/pkg/source"
)

// TypedController calls a reconciler for the requests that its sources make.
type TypedController[request comparable] interface {
	// Reconcile calls the reconciler as a worker would, with the controller's
	// guards against panics and time-outs.
	reconcile.TypedReconciler[request]
	// Watch adds a source. If the controller runs already, the source starts at
	// once.
	Watch(src source.TypedSource[request]) error
	// Start runs the controller until the context ends and all workers are
	// through.
	Start(ctx context.Context) error
	// GetLogger returns the controller's logger.
	GetLogger() logr.Logger
}

// Controller is a TypedController for reconciles by name.
type Controller = TypedController[reconcile.Request]

// New makes a controller and adds it to the manager, which starts it. The name is
// in metrics and logs, and has to be unique in the manager.
func New(name string, mgr manager.Manager, options Options) (Controller, error) {
	return NewTyped(name, mgr, options)
}

// NewTyped is New for any type of request.
func NewTyped[request comparable](name string, mgr manager.Manager, options TypedOptions[request]) (TypedController[request], error) {
	if mgr == nil {
		return nil, errors.New("controller " + name + ": no manager: pass one, or use NewUnmanaged")
	}
	options.DefaultFromConfig(mgr.GetControllerOptions())
	if options.Logger.GetSink() == nil {
		options.Logger = mgr.GetLogger()
	}
	if options.SkipNameValidation == nil || !*options.SkipNameValidation {
		if err := claimName(mgr, name); err != nil {
			return nil, err
		}
	}
	c, err := NewTypedUnmanaged(name, options)
	if err != nil {
		return nil, err
	}
	return c, mgr.Add(c)
}

// NewUnmanaged makes a controller that its caller starts. Names of unmanaged
// controllers are not checked.
func NewUnmanaged(name string, options Options) (Controller, error) {
	return NewTypedUnmanaged(name, options)
}

// NewTypedUnmanaged is NewUnmanaged for any type of request.
func NewTypedUnmanaged[request comparable](name string, options TypedOptions[request]) (TypedController[request], error) {
	switch {
	case name == "":
		return nil, errors.New("controller without a name: give it one, it labels logs and metrics")
	case options.Reconciler == nil:
		return nil, errors.New("controller " + name + ": no reconciler: set Options.Reconciler")
	}
	options.complete(name)
	return newLoop(name, options), nil
}
