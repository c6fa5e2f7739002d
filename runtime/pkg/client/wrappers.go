package client

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// NewDryRunClient returns a client whose writes are all dry runs: the server goes through them and stores nothing. Reads
// are as c's.
func NewDryRunClient(c Client) Client { return &optioned{Client: c, last: DryRunAll} }

// WithFieldOwner returns a client whose writes have that field owner, unless they name one of their own.
func WithFieldOwner(c Client, owner string) Client {
	return &optioned{Client: c, first: FieldOwner(owner)}
}

// WithFieldValidation returns a client whose writes have that field validation, unless they ask for another.
func WithFieldValidation(c Client, validation FieldValidation) Client {
	return &optioned{Client: c, first: validation}
}

// optioned gives each write of a client an option that the write's own options can override, and one that they cannot.
// The options count for the verbs that they are options of.
type optioned struct {
	Client
	first, last any
}

// around returns opts with the wrapper's options around them, as far as these are good for the verb.
func around[O any](w *optioned, opts []O) []O {
	all := make([]O, 0, len(opts)+2)
	if first, ok := w.first.(O); ok {
		all = append(all, first)
	}
	all = append(all, opts...)
	if last, ok := w.last.(O); ok {
		all = append(all, last)
	}
	return all
}

func (w *optioned) Create(ctx context.Context, obj Object, opts ...CreateOption) error {
	return w.Client.Create(ctx, obj, around(w, opts)...)
}

func (w *optioned) Update(ctx context.Context, obj Object, opts ...UpdateOption) error {
	return w.Client.Update(ctx, obj, around(w, opts)...)
}

func (w *optioned) Patch(ctx context.Context, obj Object, patch Patch, opts ...PatchOption) error {
	return w.Client.Patch(ctx, obj, patch, around(w, opts)...)
}

func (w *optioned) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...ApplyOption) error {
	return w.Client.Apply(ctx, obj, around(w, opts)...)
}

func (w *optioned) Delete(ctx context.Context, obj Object, opts ...DeleteOption) error {
	return w.Client.Delete(ctx, obj, around(w, opts)...)
}

func (w *optioned) DeleteAllOf(ctx context.Context, obj Object, opts ...DeleteAllOfOption) error {
	return w.Client.DeleteAllOf(ctx, obj, around(w, opts)...)
}

func (w *optioned) Status() SubResourceWriter { return w.SubResource("status") }

func (w *optioned) SubResource(name string) SubResourceClient {
	return optionedSubResource{w.Client.SubResource(name), w}
}

// optionedSubResource does for a subresource what optioned does for the object.
type optionedSubResource struct {
	SubResourceClient
	wrapper *optioned
}

func (s optionedSubResource) Create(ctx context.Context, obj Object, body Object, opts ...SubResourceCreateOption) error {
	return s.SubResourceClient.Create(ctx, obj, body, around(s.wrapper, opts)...)
}

func (s optionedSubResource) Update(ctx context.Context, obj Object, opts ...SubResourceUpdateOption) error {
	return s.SubResourceClient.Update(ctx, obj, around(s.wrapper, opts)...)
}

func (s optionedSubResource) Patch(ctx context.Context, obj Object, patch Patch, opts ...SubResourcePatchOption) error {
	return s.SubResourceClient.Patch(ctx, obj, patch, around(s.wrapper, opts)...)
}

func (s optionedSubResource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...SubResourceApplyOption) error {
	return s.SubResourceClient.Apply(ctx, obj, around(s.wrapper, opts)...)
}

// watching gives a wrapped client the watch of the client within; options of writes do not touch it.
type watching struct {
	Client
	within WithWatch
}

func (w watching) Watch(ctx context.Context, list ObjectList, opts ...ListOption) (watch.Interface, error) {
	return w.within.Watch(ctx, list, opts...)
}
