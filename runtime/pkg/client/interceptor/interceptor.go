// Package interceptor puts functions of a test's own in the place of a client's verbs: to make one fail, to count calls, or
// to do something between a read and a write.
package interceptor

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kubewright.dev/runtime/pkg/client"
)

// Funcs are called in the place of a client's verbs. Each gets the client as it was, to go on with; verbs without a
// function are that client's.
type Funcs struct {
	// Get is called for a get.
	Get func(ctx context.Context, client client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error
	// List is called for a list.
	List func(ctx context.Context, client client.WithWatch, list client.ObjectList, opts ...client.ListOption) error
	// Create is called for a create.
	Create func(ctx context.Context, client client.WithWatch, obj client.Object, opts ...client.CreateOption) error
	// Delete is called for a delete.
	Delete func(ctx context.Context, client client.WithWatch, obj client.Object, opts ...client.DeleteOption) error
	// DeleteAllOf is called for a delete of many objects.
	DeleteAllOf func(ctx context.Context, client client.WithWatch, obj client.Object, opts ...client.DeleteAllOfOption) error
	// Update is called for an update.
	Update func(ctx context.Context, client client.WithWatch, obj client.Object, opts ...client.UpdateOption) error
	// Patch is called for a patch.
	Patch func(ctx context.Context, client client.WithWatch, obj client.Object, patch client.Patch, opts ...client.PatchOption) error
	// Apply is called for an apply.
	Apply func(ctx context.Context, client client.WithWatch, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error
	// Watch is called for a watch.
	Watch func(ctx context.Context, client client.WithWatch, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error)
	// SubResource makes the clients of subresources, status included. The functions below are then not called.
	SubResource func(client client.WithWatch, subResource string) client.SubResourceClient
	// SubResourceGet is called for a get of a subresource.
	SubResourceGet func(ctx context.Context, client client.Client, subResourceName string, obj client.Object, subResource client.Object, opts ...client.SubResourceGetOption) error
	// SubResourceCreate is called for a create of a subresource.
	SubResourceCreate func(ctx context.Context, client client.Client, subResourceName string, obj client.Object, subResource client.Object, opts ...client.SubResourceCreateOption) error
	// SubResourceUpdate is called for an update of a subresource, status included.
	SubResourceUpdate func(ctx context.Context, client client.Client, subResourceName string, obj client.Object, opts ...client.SubResourceUpdateOption) error
	// SubResourcePatch is called for a patch of a subresource, status included.
	SubResourcePatch func(ctx context.Context, client client.Client, subResourceName string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error
	// SubResourceApply is called for an apply to a subresource, status included.
	SubResourceApply func(ctx context.Context, client client.Client, subResourceName string, obj runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error
}

// NewClient returns a client that calls funcs, and otherwise is like interceptedClient.
func NewClient(interceptedClient client.WithWatch, funcs Funcs) client.WithWatch {
	return intercepted{interceptedClient, funcs}
}

// intercepted names the client within, rather than embed it, so that a verb added to clients cannot slip by unnoticed.
type intercepted struct {
	within client.WithWatch
	funcs  Funcs
}

func (i intercepted) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if f := i.funcs.Get; f != nil {
		return f(ctx, i.within, key, obj, opts...)
	}
	return i.within.Get(ctx, key, obj, opts...)
}

func (i intercepted) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if f := i.funcs.List; f != nil {
		return f(ctx, i.within, list, opts...)
	}
	return i.within.List(ctx, list, opts...)
}

func (i intercepted) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	if f := i.funcs.Create; f != nil {
		return f(ctx, i.within, obj, opts...)
	}
	return i.within.Create(ctx, obj, opts...)
}

func (i intercepted) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	if f := i.funcs.Delete; f != nil {
		return f(ctx, i.within, obj, opts...)
	}
	return i.within.Delete(ctx, obj, opts...)
}

func (i intercepted) DeleteAllOf(ctx context.Context, obj client.Object, opts ...client.DeleteAllOfOption) error {
	if f := i.funcs.DeleteAllOf; f != nil {
		return f(ctx, i.within, obj, opts...)
	}
	return i.within.DeleteAllOf(ctx, obj, opts...)
}

func (i intercepted) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	if f := i.funcs.Update; f != nil {
		return f(ctx, i.within, obj, opts...)
	}
	return i.within.Update(ctx, obj, opts...)
}

func (i intercepted) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	if f := i.funcs.Patch; f != nil {
		return f(ctx, i.within, obj, patch, opts...)
	}
	return i.within.Patch(ctx, obj, patch, opts...)
}

func (i intercepted) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	if f := i.funcs.Apply; f != nil {
		return f(ctx, i.within, obj, opts...)
	}
	return i.within.Apply(ctx, obj, opts...)
}

func (i intercepted) Watch(ctx context.Context, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error) {
	if f := i.funcs.Watch; f != nil {
		return f(ctx, i.within, list, opts...)
	}
	return i.within.Watch(ctx, list, opts...)
}

func (i intercepted) Status() client.SubResourceWriter { return i.SubResource("status") }

func (i intercepted) SubResource(name string) client.SubResourceClient {
	if f := i.funcs.SubResource; f != nil {
		return f(i.within, name)
	}
	return interceptedSubResource{i.within, i.funcs, name}
}

func (i intercepted) Scheme() *runtime.Scheme { return i.within.Scheme() }

func (i intercepted) RESTMapper() meta.RESTMapper { return i.within.RESTMapper() }

func (i intercepted) GroupVersionKindFor(obj runtime.Object) (schema.GroupVersionKind, error) {
	return i.within.GroupVersionKindFor(obj)
}

func (i intercepted) IsObjectNamespaced(obj runtime.Object) (bool, error) {
	return i.within.IsObjectNamespaced(obj)
}
