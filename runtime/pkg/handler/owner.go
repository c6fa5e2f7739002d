package handler

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/reconcile"
)

// OwnerOption changes which owners EnqueueRequestForOwner looks at.
type OwnerOption func(enqueueRequestForOwnerInterface)

type enqueueRequestForOwnerInterface interface {
	controllersOnly()
}

// OnlyControllerOwner looks only at the owner reference with controller: true.
func OnlyControllerOwner() OwnerOption {
	return func(o enqueueRequestForOwnerInterface) { o.controllersOnly() }
}

// EnqueueRequestForOwner asks for a reconcile of the objects of ownerType that
// own the event's object. Owners are told by group and kind, so an owner
// reference that names an older version still counts.
func EnqueueRequestForOwner(scheme *runtime.Scheme, mapper meta.RESTMapper, ownerType client.Object, opts ...OwnerOption) EventHandler {
	return TypedEnqueueRequestForOwner[client.Object](scheme, mapper, ownerType, opts...)
}

// TypedEnqueueRequestForOwner is EnqueueRequestForOwner for one type of owned
// object. It panics, as its signature leaves no other way, when the scheme does
// not know ownerType: that is a mistake in the program.
func TypedEnqueueRequestForOwner[object client.Object](scheme *runtime.Scheme, mapper meta.RESTMapper, ownerType client.Object, opts ...OwnerOption) TypedEventHandler[object, reconcile.Request] {
	gvk, err := apiutil.GVKForObject(ownerType, scheme)
	if err != nil {
		panic(fmt.Errorf("enqueue the owner of type %T: %w", ownerType, err))
	}
	search := &ownerSearch{kind: gvk.GroupKind(), mapper: mapper}
	for _, opt := range opts {
		opt(search)
	}
	return spread(func(ctx context.Context, obj object) []reconcile.Request {
		found, err := search.owners(obj)
		if err != nil {
			logf.FromContext(ctx).Error(err, "could not find the owner of an object", "object", client.ObjectKeyFromObject(obj))
		}
		return found
	})
}

// ownerSearch finds the owners of one kind.
type ownerSearch struct {
	kind           schema.GroupKind
	mapper         meta.RESTMapper
	controllerOnly bool
}

func (s *ownerSearch) controllersOnly() { s.controllerOnly = true }

func (s *ownerSearch) owners(obj metav1.Object) ([]reconcile.Request, error) {
	var found []reconcile.Request
	for _, ref := range obj.GetOwnerReferences() {
		if s.controllerOnly && (ref.Controller == nil || !*ref.Controller) {
			continue
		}
		gv, err := schema.ParseGroupVersion(ref.APIVersion)
		if err != nil {
			return found, fmt.Errorf("owner reference to %s %s: %w", ref.Kind, ref.Name, err)
		}
		if (schema.GroupKind{Group: gv.Group, Kind: ref.Kind}) != s.kind {
			continue
		}
		// An owner lives in the namespace of what it owns, or in none.
		mapping, err := s.mapper.RESTMapping(s.kind, gv.Version)
		if meta.IsNoMatchError(err) {
			mapping, err = s.mapper.RESTMapping(s.kind)
		}
		if err != nil {
			return found, fmt.Errorf("scope of the owner %s %s: %w", s.kind, ref.Name, err)
		}
		name := types.NamespacedName{Name: ref.Name}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
			name.Namespace = obj.GetNamespace()
		}
		found = append(found, reconcile.Request{NamespacedName: name})
	}
	return found, nil
}
