package interceptor

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"kubewright.dev/runtime/pkg/client"
)

// interceptedSubResource does for a subresource what intercepted does for the object.
type interceptedSubResource struct {
	within client.Client
	funcs  Funcs
	name   string
}

func (s interceptedSubResource) Get(ctx context.Context, obj, into client.Object, opts ...client.SubResourceGetOption) error {
	if f := s.funcs.SubResourceGet; f != nil {
		return f(ctx, s.within, s.name, obj, into, opts...)
	}
	return s.within.SubResource(s.name).Get(ctx, obj, into, opts...)
}

func (s interceptedSubResource) Create(ctx context.Context, obj, body client.Object, opts ...client.SubResourceCreateOption) error {
	if f := s.funcs.SubResourceCreate; f != nil {
		return f(ctx, s.within, s.name, obj, body, opts...)
	}
	return s.within.SubResource(s.name).Create(ctx, obj, body, opts...)
}

func (s interceptedSubResource) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	if f := s.funcs.SubResourceUpdate; f != nil {
		return f(ctx, s.within, s.name, obj, opts...)
	}
	return s.within.SubResource(s.name).Update(ctx, obj, opts...)
}

func (s interceptedSubResource) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	if f := s.funcs.SubResourcePatch; f != nil {
		return f(ctx, s.within, s.name, obj, patch, opts...)
	}
	return s.within.SubResource(s.name).Patch(ctx, obj, patch, opts...)
}

func (s interceptedSubResource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error {
	if f := s.funcs.SubResourceApply; f != nil {
		return f(ctx, s.within, s.name, obj, opts...)
	}
	return s.within.SubResource(s.name).Apply(ctx, obj, opts...)
}
