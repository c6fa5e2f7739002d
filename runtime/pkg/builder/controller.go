// Package builder builds controllers and webhooks in the words of the operator's
// author:
//
//	err := builder.ControllerManagedBy(mgr).
//		For(&appsv1.ReplicaSet{}).
//		Owns(&corev1.Pod{}).
//		Complete(&ReplicaSetReconciler{})
package builder

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
	"kubewright.dev/runtime/pkg/controller"
	"kubewright.dev/runtime/pkg/handler"
	"kubewright.dev/runtime/pkg/manager"
	"kubewright.dev/runtime/pkg/predicate"
	"kubewright.dev/runtime/pkg/reconcile"
	"kubewright.dev/runtime/pkg/source"
)

// TypedBuilder collects what a controller watches and makes it.
type TypedBuilder[request comparable] struct {
	mgr            manager.Manager
	name           string
	forInput       ForInput
	owns           []OwnsInput
	watches        []WatchesInput[request]
	raw            []source.TypedSource[request]
	filters        []predicate.Predicate
	options        controller.TypedOptions[request]
	logConstructor func(*request) logr.Logger
	ctrl           controller.TypedController[request]
}

// Builder is a TypedBuilder for reconciles by name.
type Builder = TypedBuilder[reconcile.Request]

// ForInput is the watch that For asks for.
type ForInput struct {
	object     client.Object
	predicates []predicate.Predicate
	as         projectAs
	// err is a mistake in the use of For, which Build reports.
	err error
}

// OwnsInput is a watch that Owns asks for.
type OwnsInput struct {
	object     client.Object
	predicates []predicate.Predicate
	as         projectAs
	everyOwner bool
}

// WatchesInput is a watch that Watches asks for.
type WatchesInput[request comparable] struct {
	object     client.Object
	handler    handler.TypedEventHandler[client.Object, request]
	predicates []predicate.Predicate
	as         projectAs
}

func (w *WatchesInput[request]) addPredicates(p []predicate.Predicate) { w.predicates = p }
func (w *WatchesInput[request]) project(as projectAs)                  { w.as = as }

// ControllerManagedBy begins a controller that the manager will start.
func ControllerManagedBy(m manager.Manager) *Builder {
	return TypedControllerManagedBy[reconcile.Request](m)
}

// TypedControllerManagedBy is ControllerManagedBy for any type of request.
func TypedControllerManagedBy[request comparable](m manager.Manager) *TypedBuilder[request] {
	return &TypedBuilder[request]{mgr: m}
}

// For names the kind that the controller is for: each event of an object calls
// for its reconcile. It gives the controller its name, too.
func (blder *TypedBuilder[request]) For(object client.Object, opts ...ForOption) *TypedBuilder[request] {
	if blder.forInput.object != nil {
		blder.forInput.err = errors.New("For(...) should only be called once, could not assign multiple objects for reconciliation: use Watches for the others")
		return blder
	}
	in := ForInput{object: object}
	if object == nil {
		in.err = errors.New("For(nil): pass an empty object of the kind, as &corev1.Pod{}")
	}
	for _, opt := range opts {
		opt.ApplyToFor(&in)
	}
	blder.forInput = in
	return blder
}

// Owns watches objects of a kind that the controller makes: each event calls for
// a reconcile of the object of the controller's kind that owns it.
func (blder *TypedBuilder[request]) Owns(object client.Object, opts ...OwnsOption) *TypedBuilder[request] {
	in := OwnsInput{object: object}
	for _, opt := range opts {
		opt.ApplyToOwns(&in)
	}
	blder.owns = append(blder.owns, in)
	return blder
}

// Watches watches objects of a kind and lets the handler say which reconciles
// their events call for.
func (blder *TypedBuilder[request]) Watches(object client.Object, eventHandler handler.TypedEventHandler[client.Object, request], opts ...WatchesOption) *TypedBuilder[request] {
	in := WatchesInput[request]{object: object, handler: eventHandler}
	for _, opt := range opts {
		opt.ApplyToWatches(&in)
	}
	blder.watches = append(blder.watches, in)
	return blder
}

// WatchesMetadata is Watches with OnlyMetadata: the handler gets objects of type
// metav1.PartialObjectMetadata.
func (blder *TypedBuilder[request]) WatchesMetadata(object client.Object, eventHandler handler.TypedEventHandler[client.Object, request], opts ...WatchesOption) *TypedBuilder[request] {
	return blder.Watches(object, eventHandler, append(opts, OnlyMetadata)...)
}

// WatchesRawSource adds a source as it is: the controller's event filters do not
// apply to it.
func (blder *TypedBuilder[request]) WatchesRawSource(src source.TypedSource[request]) *TypedBuilder[request] {
	blder.raw = append(blder.raw, src)
	return blder
}

// WithEventFilter adds a predicate to all watches of kinds.
func (blder *TypedBuilder[request]) WithEventFilter(p predicate.Predicate) *TypedBuilder[request] {
	blder.filters = append(blder.filters, p)
	return blder
}

// WithOptions sets the controller's options.
func (blder *TypedBuilder[request]) WithOptions(options controller.TypedOptions[request]) *TypedBuilder[request] {
	blder.options = options
	return blder
}

// WithLogConstructor sets what makes the loggers of reconciles, and with nil that
// of the controller.
func (blder *TypedBuilder[request]) WithLogConstructor(logConstructor func(*request) logr.Logger) *TypedBuilder[request] {
	blder.logConstructor = logConstructor
	return blder
}

// Named names the controller, in logs and metrics. Default: the kind that it is
// for, in lower case. The name has to be unique in the manager, and be a valid
// value of a Prometheus label.
func (blder *TypedBuilder[request]) Named(name string) *TypedBuilder[request] {
	blder.name = name
	return blder
}

// Complete makes the controller and adds it to the manager.
func (blder *TypedBuilder[request]) Complete(r reconcile.TypedReconciler[request]) error {
	_, err := blder.Build(r)
	return err
}

// Build is Complete for those who need the controller.
func (blder *TypedBuilder[request]) Build(r reconcile.TypedReconciler[request]) (controller.TypedController[request], error) {
	switch {
	case r == nil:
		return nil, errors.New("must provide a non-nil Reconciler")
	case blder.mgr == nil:
		return nil, errors.New("must provide a non-nil Manager")
	case blder.forInput.err != nil:
		return nil, blder.forInput.err
	}
	if err := blder.makeController(r); err != nil {
		return nil, err
	}
	if err := blder.addWatches(); err != nil {
		return nil, err
	}
	return blder.ctrl, nil
}

// kind returns the kind that the controller is for, if there is one.
func (blder *TypedBuilder[request]) kind() (schema.GroupVersionKind, bool, error) {
	if blder.forInput.object == nil {
		return schema.GroupVersionKind{}, false, nil
	}
	gvk, err := apiutil.GVKForObject(blder.forInput.object, blder.mgr.GetScheme())
	if err != nil {
		return gvk, false, fmt.Errorf("controller for %T: %w", blder.forInput.object, err)
	}
	return gvk, true, nil
}

// makeController settles the options and the name.
func (blder *TypedBuilder[request]) makeController(r reconcile.TypedReconciler[request]) error {
	gvk, hasKind, err := blder.kind()
	if err != nil {
		return err
	}
	name := blder.name
	if name == "" {
		if !hasKind {
			return errors.New("controller must have a name: call Named, as there is no For to take it from")
		}
		name = strings.ToLower(gvk.Kind)
	}
	options := blder.options
	if options.Reconciler != nil {
		return fmt.Errorf("controller %s: reconciler was set via WithOptions and via Build or Complete: set it in one of them", name)
	}
	options.Reconciler = r
	general := blder.mgr.GetControllerOptions()
	if options.MaxConcurrentReconciles == 0 && hasKind {
		// Written as in flags of kube-controller-manager: ReplicaSet.apps.
		options.MaxConcurrentReconciles = general.GroupKindConcurrency[gvk.GroupKind().String()]
	}
	if options.CacheSyncTimeout == 0 {
		options.CacheSyncTimeout = general.CacheSyncTimeout
	}
	if blder.logConstructor != nil {
		options.LogConstructor = blder.logConstructor
	}
	if options.LogConstructor == nil {
		log := options.Logger
		if log.GetSink() == nil {
			log = blder.mgr.GetLogger()
		}
		options.LogConstructor = logsOf[request](log, name, gvk, hasKind)
	}
	blder.ctrl, err = controller.NewTyped(name, blder.mgr, options)
	return err
}

// logsOf makes loggers that say the controller, its kind and the object.
func logsOf[request comparable](log logr.Logger, name string, gvk schema.GroupVersionKind, hasKind bool) func(*request) logr.Logger {
	log = log.WithValues("controller", name)
	if hasKind {
		log = log.WithValues("controllerGroup", gvk.Group, "controllerKind", gvk.Kind)
	}
	return func(req *request) logr.Logger {
		named, ok := any(req).(*reconcile.Request)
		if !ok || named == nil {
			return log
		}
		own := log
		if hasKind {
			own = own.WithValues(gvk.Kind, logr.Marshaler(objectRef{named}))
		}
		return own.WithValues("namespace", named.Namespace, "name", named.Name)
	}
}

// objectRef is the name of an object as log lines have it.
type objectRef struct{ *reconcile.Request }

// MarshalLog implements logr.Marshaler.
func (o objectRef) MarshalLog() any {
	return struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
	}{o.Name, o.Namespace}
}

// addWatches turns the inputs into sources.
func (blder *TypedBuilder[request]) addWatches() error {
	if blder.forInput.object == nil && len(blder.owns) > 0 {
		return errors.New("Owns() can only be used together with For()")
	}
	if blder.forInput.object == nil && len(blder.watches) == 0 && len(blder.raw) == 0 {
		return errors.New("there are no watches configured, controller will never get triggered. Use For(), Owns(), Watches() or WatchesRawSource() to set them up")
	}
	if in := blder.forInput; in.object != nil {
		byName, err := forRequests[request](&handler.EnqueueRequestForObject{}, "For")
		if err != nil {
			return err
		}
		if err := blder.watch(in.object, in.as, byName, in.predicates); err != nil {
			return err
		}
	}
	for _, in := range blder.owns {
		var opts []handler.OwnerOption
		if !in.everyOwner {
			opts = append(opts, handler.OnlyControllerOwner())
		}
		owner := handler.EnqueueRequestForOwner(blder.mgr.GetScheme(), blder.mgr.GetRESTMapper(), blder.forInput.object, opts...)
		byOwner, err := forRequests[request](owner, "Owns")
		if err != nil {
			return err
		}
		if err := blder.watch(in.object, in.as, byOwner, in.predicates); err != nil {
			return err
		}
	}
	for _, in := range blder.watches {
		if err := blder.watch(in.object, in.as, in.handler, in.predicates); err != nil {
			return err
		}
	}
	for _, src := range blder.raw {
		if err := blder.ctrl.Watch(src); err != nil {
			return err
		}
	}
	return nil
}

// forRequests gives a handler that makes reconcile.Requests the type that the
// builder needs, which fails for builders of other requests.
func forRequests[request comparable](h handler.EventHandler, what string) (handler.TypedEventHandler[client.Object, request], error) {
	typed, ok := any(h).(handler.TypedEventHandler[client.Object, request])
	if !ok {
		return nil, fmt.Errorf("%s() can only be used with reconcile.Request, got %s: use Watches() with a handler of your own", what, reflect.TypeFor[request]())
	}
	return typed, nil
}

// watch adds the watch of a kind, with the filters of all watches and its own.
func (blder *TypedBuilder[request]) watch(obj client.Object, as projectAs, h handler.TypedEventHandler[client.Object, request], own []predicate.Predicate) error {
	if as == metadataOnly {
		gvk, err := apiutil.GVKForObject(obj, blder.mgr.GetScheme())
		if err != nil {
			return fmt.Errorf("watch the metadata of %T: %w", obj, err)
		}
		partial := &metav1.PartialObjectMetadata{}
		partial.SetGroupVersionKind(gvk)
		obj = partial
	}
	all := append(append([]predicate.Predicate{}, blder.filters...), own...)
	return blder.ctrl.Watch(source.TypedKind(blder.mgr.GetCache(), obj, h, all...))
}
