package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// backend sends requests about one sort of values to the API server.
type backend interface {
	get(ctx context.Context, key ObjectKey, obj Object, subResource string, into Object, opts *metav1.GetOptions) error
	list(ctx context.Context, list ObjectList, opts *ListOptions) error
	watch(ctx context.Context, list ObjectList, opts *ListOptions) (watch.Interface, error)
	create(ctx context.Context, obj Object, subResource string, body Object, opts *metav1.CreateOptions) error
	update(ctx context.Context, obj Object, subResource string, body Object, opts *metav1.UpdateOptions) error
	patch(ctx context.Context, obj Object, subResource string, body Object, patch Patch, opts *metav1.PatchOptions) error
	delete(ctx context.Context, obj Object, opts *metav1.DeleteOptions) error
	deleteAllOf(ctx context.Context, obj Object, opts *DeleteAllOfOptions) error
}

// objects is the backend for values that hold whole objects, typed or unstructured.
type objects struct{ endpoints *endpoints }

var _ backend = objects{}

func (o objects) get(ctx context.Context, key ObjectKey, obj Object, subResource string, into Object, opts *metav1.GetOptions) error {
	e, err := o.endpoints.of(obj, into)
	if err != nil {
		return err
	}
	return read(e.at(e.Get(), key).SubResource(segments(subResource)...).VersionedParams(opts, queryParameters{}).Do(ctx), into)
}

func (o objects) list(ctx context.Context, list ObjectList, opts *ListOptions) error {
	e, err := o.endpoints.of(list)
	if err != nil {
		return err
	}
	return read(e.in(e.Get(), opts.Namespace).VersionedParams(opts.AsListOptions(), queryParameters{}).Do(ctx), list)
}

func (o objects) watch(ctx context.Context, list ObjectList, opts *ListOptions) (watch.Interface, error) {
	e, err := o.endpoints.of(list)
	if err != nil {
		return nil, err
	}
	return e.in(e.Get(), opts.Namespace).VersionedParams(opts.AsListOptions(), queryParameters{}).Watch(ctx)
}

func (o objects) create(ctx context.Context, obj Object, subResource string, body Object, opts *metav1.CreateOptions) error {
	e, err := o.endpoints.of(obj, body)
	if err != nil {
		return err
	}
	// The name is in the address only where the object exists already.
	request := e.in(e.Post(), obj.GetNamespace())
	if subResource != "" {
		request = request.Name(obj.GetName()).SubResource(subResource)
	}
	return read(request.VersionedParams(opts, queryParameters{}).Body(body).Do(ctx), body)
}

func (o objects) update(ctx context.Context, obj Object, subResource string, body Object, opts *metav1.UpdateOptions) error {
	e, err := o.endpoints.of(obj, body)
	if err != nil {
		return err
	}
	return read(e.at(e.Put(), ObjectKeyFromObject(obj)).SubResource(segments(subResource)...).
		VersionedParams(opts, queryParameters{}).Body(body).Do(ctx), body)
}

func (o objects) patch(ctx context.Context, obj Object, subResource string, body Object, patch Patch, opts *metav1.PatchOptions) error {
	e, err := o.endpoints.of(obj, body)
	if err != nil {
		return err
	}
	data, err := patch.Data(body)
	if err != nil {
		return err
	}
	return read(e.at(e.Patch(patch.Type()), ObjectKeyFromObject(obj)).SubResource(segments(subResource)...).
		VersionedParams(opts, queryParameters{}).Body(data).Do(ctx), body)
}

func (o objects) delete(ctx context.Context, obj Object, opts *metav1.DeleteOptions) error {
	e, err := o.endpoints.of(obj)
	if err != nil {
		return err
	}
	return e.at(e.Delete(), ObjectKeyFromObject(obj)).Body(opts).Do(ctx).Error()
}

func (o objects) deleteAllOf(ctx context.Context, obj Object, opts *DeleteAllOfOptions) error {
	e, err := o.endpoints.of(obj)
	if err != nil {
		return err
	}
	return e.in(e.Delete(), opts.ListOptions.Namespace).VersionedParams(opts.AsListOptions(), queryParameters{}).
		Body(opts.AsDeleteOptions()).Do(ctx).Error()
}

// segments are the parts of an address below the object: none for the object itself.
func segments(subResource string) []string {
	if subResource == "" {
		return nil
	}
	return []string{subResource}
}
