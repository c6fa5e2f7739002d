package client

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
)

// metadataOnly is the backend for values that hold an object's metadata. The server sends metadata alone, and as it would
// not know what else to store, it cannot be sent whole objects this way.
type metadataOnly struct {
	endpoints *endpoints
	client    metadata.Interface
}

var _ backend = metadataOnly{}

// resource returns the server's collection of obj's kind.
func (m metadataOnly) resource(gvk schema.GroupVersionKind, namespace string) (metadata.ResourceInterface, error) {
	mapping, err := m.endpoints.mapping(gvk)
	if err != nil {
		return nil, err
	}
	if isNamespaced(mapping) {
		return m.client.Resource(mapping.Resource).Namespace(namespace), nil
	}
	return m.client.Resource(mapping.Resource), nil
}

// whole refuses what needs the whole object.
func (metadataOnly) whole(verb string, obj Object) error {
	return fmt.Errorf("%s %s %s with metadata only: the rest of the object would be lost; patch it, or use a typed or unstructured value",
		verb, obj.GetObjectKind().GroupVersionKind().Kind, ObjectKeyFromObject(obj))
}

func (m metadataOnly) get(ctx context.Context, key ObjectKey, obj Object, subResource string, into Object, opts *metav1.GetOptions) error {
	gvk, err := m.endpoints.kindOf(obj)
	if err != nil {
		return err
	}
	resource, err := m.resource(gvk, key.Namespace)
	if err != nil {
		return err
	}
	answer, err := resource.Get(ctx, key.Name, *opts, segments(subResource)...)
	if err != nil {
		return err
	}
	return keep(into, answer, gvk)
}

// keep stores the server's answer in obj under the kind that the metadata is of; the answer's own kind is the one of
// metadata.
func keep(obj Object, answer *metav1.PartialObjectMetadata, gvk schema.GroupVersionKind) error {
	into, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok {
		return fmt.Errorf("metadata of a %s cannot be read into a %T", gvk.Kind, obj)
	}
	*into = *answer
	into.SetGroupVersionKind(gvk)
	return nil
}

func (m metadataOnly) list(ctx context.Context, list ObjectList, opts *ListOptions) error {
	into, ok := list.(*metav1.PartialObjectMetadataList)
	if !ok {
		return fmt.Errorf("metadata cannot be listed into a %T", list)
	}
	gvk, err := m.endpoints.kindOf(list)
	if err != nil {
		return err
	}
	resource, err := m.resource(gvk, opts.Namespace)
	if err != nil {
		return err
	}
	answer, err := resource.List(ctx, *opts.AsListOptions())
	if err != nil {
		return err
	}
	listKind := into.GroupVersionKind()
	*into = *answer
	into.SetGroupVersionKind(listKind)
	for i := range into.Items {
		into.Items[i].SetGroupVersionKind(gvk)
	}
	return nil
}

func (m metadataOnly) watch(ctx context.Context, list ObjectList, opts *ListOptions) (watch.Interface, error) {
	gvk, err := m.endpoints.kindOf(list)
	if err != nil {
		return nil, err
	}
	resource, err := m.resource(gvk, opts.Namespace)
	if err != nil {
		return nil, err
	}
	changes, err := resource.Watch(ctx, *opts.AsListOptions())
	if err != nil {
		return nil, err
	}
	return watch.Filter(changes, func(change watch.Event) (watch.Event, bool) {
		if obj, ok := change.Object.(*metav1.PartialObjectMetadata); ok {
			obj.SetGroupVersionKind(gvk)
		}
		return change, true
	}), nil
}

func (m metadataOnly) create(_ context.Context, obj Object, _ string, _ Object, _ *metav1.CreateOptions) error {
	return m.whole("create", obj)
}

func (m metadataOnly) update(_ context.Context, obj Object, _ string, _ Object, _ *metav1.UpdateOptions) error {
	return m.whole("update", obj)
}

func (m metadataOnly) patch(ctx context.Context, obj Object, subResource string, body Object, patch Patch, opts *metav1.PatchOptions) error {
	gvk, err := m.endpoints.kindOf(obj)
	if err != nil {
		return err
	}
	resource, err := m.resource(gvk, obj.GetNamespace())
	if err != nil {
		return err
	}
	data, err := patch.Data(body)
	if err != nil {
		return err
	}
	answer, err := resource.Patch(ctx, obj.GetName(), patch.Type(), data, *opts, segments(subResource)...)
	if err != nil {
		return err
	}
	return keep(body, answer, gvk)
}

func (m metadataOnly) delete(ctx context.Context, obj Object, opts *metav1.DeleteOptions) error {
	gvk, err := m.endpoints.kindOf(obj)
	if err != nil {
		return err
	}
	resource, err := m.resource(gvk, obj.GetNamespace())
	if err != nil {
		return err
	}
	return resource.Delete(ctx, obj.GetName(), *opts)
}

func (m metadataOnly) deleteAllOf(ctx context.Context, obj Object, opts *DeleteAllOfOptions) error {
	gvk, err := m.endpoints.kindOf(obj)
	if err != nil {
		return err
	}
	resource, err := m.resource(gvk, opts.Namespace)
	if err != nil {
		return err
	}
	return resource.DeleteCollection(ctx, *opts.AsDeleteOptions(), *opts.AsListOptions())
}
