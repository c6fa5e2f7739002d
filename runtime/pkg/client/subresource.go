package client

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
)

// subResource is the client for one subresource of any kind. Subresources are never cached.
type subResource struct {
	client *client
	name   string
}

func (s subResource) Get(ctx context.Context, obj Object, into Object, opts ...SubResourceGetOption) error {
	return s.client.backend(obj).get(ctx, ObjectKeyFromObject(obj), obj, s.name, into,
		(&SubResourceGetOptions{}).ApplyOptions(opts).AsGetOptions())
}

func (s subResource) Create(ctx context.Context, obj Object, body Object, opts ...SubResourceCreateOption) error {
	if body.GetName() == "" {
		// The server compares the names of an eviction and of its pod.
		body.SetName(obj.GetName())
	}
	return s.client.backend(obj).create(ctx, obj, s.name, body,
		(&SubResourceCreateOptions{}).ApplyOptions(opts).AsCreateOptions())
}

func (s subResource) Update(ctx context.Context, obj Object, opts ...SubResourceUpdateOption) error {
	o := (&SubResourceUpdateOptions{}).ApplyOptions(opts)
	return s.client.backend(obj).update(ctx, obj, s.name, bodyOr(o.SubResourceBody, obj), o.AsUpdateOptions())
}

func (s subResource) Patch(ctx context.Context, obj Object, patch Patch, opts ...SubResourcePatchOption) error {
	o := (&SubResourcePatchOptions{}).ApplyOptions(opts)
	return s.client.backend(obj).patch(ctx, obj, s.name, bodyOr(o.SubResourceBody, obj), patch, o.AsPatchOptions())
}

func (s subResource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...SubResourceApplyOption) error {
	o := (&SubResourceApplyOptions{}).ApplyOpts(opts)
	return s.client.whole.applyConfig(ctx, obj, s.name, o.SubResourceBody, o.AsPatchOptions())
}

// bodyOr is the body that the caller gave, else the object.
func bodyOr(body, obj Object) Object {
	if body != nil {
		return body
	}
	return obj
}
