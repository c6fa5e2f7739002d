// Package apiutil answers questions about kinds: which one a Go value is, where the API server serves it, whether its
// objects live in namespaces, and how to talk to the server about it.
package apiutil

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GVKForObject returns the group, version and kind of obj. Metadata-only and unstructured values say it themselves; for
// others the scheme knows it by the Go type. A Go type that is registered for more than one kind gives an error, as
// nothing tells which of them is meant.
func GVKForObject(obj runtime.Object, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	switch obj.(type) {
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		// The scheme knows these Go types by the kinds of their own; what is meant is the kind they are metadata of.
		return ownGVK(obj)
	}
	gvks, unversioned, err := scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	switch {
	case unversioned:
		return schema.GroupVersionKind{}, fmt.Errorf("%T has no version: it is not a kind that the API server stores", obj)
	case len(gvks) == 0:
		return schema.GroupVersionKind{}, fmt.Errorf("%T is not registered in the scheme; add its package's AddToScheme", obj)
	case len(gvks) > 1:
		return schema.GroupVersionKind{}, fmt.Errorf("%T is registered for several kinds, %v: nothing tells which one is meant", obj, gvks)
	}
	return gvks[0], nil
}

// ownGVK is the kind that a metadata-only value says it is.
func ownGVK(obj runtime.Object) (schema.GroupVersionKind, error) {
	gvk := obj.GetObjectKind().GroupVersionKind()
	if gvk.Kind == "" {
		return schema.GroupVersionKind{}, runtime.NewMissingKindErr(fmt.Sprintf("%T without a kind: set it with SetGroupVersionKind", obj))
	}
	if gvk.Version == "" {
		return schema.GroupVersionKind{}, runtime.NewMissingVersionErr(fmt.Sprintf("%T of kind %s without a version: set it with SetGroupVersionKind", obj, gvk.Kind))
	}
	return gvk, nil
}

// IsObjectNamespaced reports whether objects of obj's kind live in namespaces.
func IsObjectNamespaced(obj runtime.Object, scheme *runtime.Scheme, mapper meta.RESTMapper) (bool, error) {
	gvk, err := GVKForObject(obj, scheme)
	if err != nil {
		return false, err
	}
	return IsGVKNamespaced(gvk, mapper)
}

// IsGVKNamespaced reports whether objects of the kind live in namespaces.
func IsGVKNamespaced(gvk schema.GroupVersionKind, mapper meta.RESTMapper) (bool, error) {
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return false, fmt.Errorf("scope of %s: %w", gvk, err)
	}
	if mapping.Scope == nil || mapping.Scope.Name() == "" {
		return false, errors.New("scope of " + gvk.String() + ": the REST mapping does not say it")
	}
	return mapping.Scope.Name() != meta.RESTScopeNameRoot, nil
}

// protobufMarshaler is what generated protobuf code gives a type.
type protobufMarshaler interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// speaksProtobuf reports whether values of t can be sent and read as protobuf.
func speaksProtobuf(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[protobufMarshaler]())
}
