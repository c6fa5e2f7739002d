package cache

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/internal/store"
	"kubewright.dev/runtime/pkg/client"
)

// form is how an object is written down in Go. Each form holds all that the forms before it hold, so that it can be
// turned into them: a Go type has the fields that it knows, an unstructured object has all.
type form int

const (
	metadataForm form = iota
	typedForm
	unstructuredForm
	forms
)

// formOf returns the form of an object or list.
func formOf(obj runtime.Object) form {
	switch obj.(type) {
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		return metadataForm
	case runtime.Unstructured:
		return unstructuredForm
	}
	return typedForm
}

// convert returns obj in the wanted form: obj itself if it has that form, so a copy is the caller's business.
func convert(obj store.Object, want form, gvk schema.GroupVersionKind, scheme *runtime.Scheme) (store.Object, error) {
	have := formOf(obj)
	switch {
	case have == want:
		return obj, nil
	case want == metadataForm:
		out := meta.AsPartialObjectMetadata(obj)
		out.SetGroupVersionKind(gvk)
		return out, nil
	case have == unstructuredForm && want == typedForm:
		empty, err := scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		content := obj.(runtime.Unstructured).UnstructuredContent()
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, empty); err != nil {
			return nil, fmt.Errorf("%s %s into %T: %w", gvk.Kind, store.KeyOf(obj), empty, err)
		}
		typed, ok := empty.(store.Object)
		if !ok {
			return nil, fmt.Errorf("%T is not an object: it has no metadata", empty)
		}
		typed.GetObjectKind().SetGroupVersionKind(gvk)
		return typed, nil
	case have == typedForm && want == unstructuredForm:
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
		if err != nil {
			return nil, err
		}
		return &unstructured.Unstructured{Object: content}, nil
	}
	return nil, fmt.Errorf("%s %s: only its metadata is kept", gvk.Kind, store.KeyOf(obj))
}

// given returns obj in the wanted form as the caller's own, or as a shared value if shared is set.
func given(obj store.Object, want form, shared bool, gvk schema.GroupVersionKind, scheme *runtime.Scheme) (store.Object, error) {
	out, err := convert(obj, want, gvk, scheme)
	if err != nil || shared {
		return out, err
	}
	return out.DeepCopyObject().(store.Object), nil
}

// assign sets what out points at to what obj points at.
func assign(out client.Object, obj store.Object) error {
	to, from := reflect.ValueOf(out), reflect.ValueOf(obj)
	if to.Type() != from.Type() {
		return fmt.Errorf("the cache has %T, asked for was %T", obj, out)
	}
	to.Elem().Set(from.Elem())
	return nil
}
