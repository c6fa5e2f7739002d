package client

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// SubResourceGetOptions are the options of a get of a subresource.
type SubResourceGetOptions struct {
	// Raw is what the request starts from.
	Raw *metav1.GetOptions
}

var _ SubResourceGetOption = &SubResourceGetOptions{}

// AsGetOptions returns the options as the API knows them.
func (o *SubResourceGetOptions) AsGetOptions() *metav1.GetOptions {
	if o == nil {
		return &metav1.GetOptions{}
	}
	return copyOf(o.Raw)
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *SubResourceGetOptions) ApplyOptions(opts []SubResourceGetOption) *SubResourceGetOptions {
	for _, opt := range opts {
		opt.ApplyToSubResourceGet(o)
	}
	return o
}

// ApplyToSubResourceGet sets what o says in the given options.
func (o *SubResourceGetOptions) ApplyToSubResourceGet(to *SubResourceGetOptions) {
	override(&to.Raw, o.Raw)
}

// SubResourceCreateOptions are the options of a create of a subresource.
type SubResourceCreateOptions struct {
	CreateOptions
}

var _ SubResourceCreateOption = &SubResourceCreateOptions{}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *SubResourceCreateOptions) ApplyOptions(opts []SubResourceCreateOption) *SubResourceCreateOptions {
	for _, opt := range opts {
		opt.ApplyToSubResourceCreate(o)
	}
	return o
}

// ApplyToSubResourceCreate sets what o says in the given options.
func (o *SubResourceCreateOptions) ApplyToSubResourceCreate(to *SubResourceCreateOptions) {
	o.ApplyToCreate(&to.CreateOptions)
}

// SubResourceUpdateOptions are the options of an update of a subresource.
type SubResourceUpdateOptions struct {
	UpdateOptions
	// SubResourceBody is sent in the place of the object, and filled with the answer. Scale and similar subresources,
	// whose kind is not the object's, need one.
	SubResourceBody Object
}

var _ SubResourceUpdateOption = &SubResourceUpdateOptions{}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *SubResourceUpdateOptions) ApplyOptions(opts []SubResourceUpdateOption) *SubResourceUpdateOptions {
	for _, opt := range opts {
		opt.ApplyToSubResourceUpdate(o)
	}
	return o
}

// ApplyToSubResourceUpdate sets what o says in the given options.
func (o *SubResourceUpdateOptions) ApplyToSubResourceUpdate(to *SubResourceUpdateOptions) {
	o.ApplyToUpdate(&to.UpdateOptions)
	if o.SubResourceBody != nil {
		to.SubResourceBody = o.SubResourceBody
	}
}

// SubResourcePatchOptions are the options of a patch of a subresource.
type SubResourcePatchOptions struct {
	PatchOptions
	// SubResourceBody is what the patch is computed from and what the answer is read into, in the place of the object.
	SubResourceBody Object
}

var _ SubResourcePatchOption = &SubResourcePatchOptions{}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *SubResourcePatchOptions) ApplyOptions(opts []SubResourcePatchOption) *SubResourcePatchOptions {
	for _, opt := range opts {
		opt.ApplyToSubResourcePatch(o)
	}
	return o
}

// ApplyToSubResourcePatch sets what o says in the given options.
func (o *SubResourcePatchOptions) ApplyToSubResourcePatch(to *SubResourcePatchOptions) {
	o.ApplyToPatch(&to.PatchOptions)
	if o.SubResourceBody != nil {
		to.SubResourceBody = o.SubResourceBody
	}
}

// SubResourceApplyOptions are the options of an apply to a subresource.
type SubResourceApplyOptions struct {
	ApplyOptions
	// SubResourceBody is applied in the place of the object's configuration.
	SubResourceBody runtime.ApplyConfiguration
}

var _ SubResourceApplyOption = &SubResourceApplyOptions{}

// ApplyOpts sets opts in o, one after the other, and returns o.
func (o *SubResourceApplyOptions) ApplyOpts(opts []SubResourceApplyOption) *SubResourceApplyOptions {
	for _, opt := range opts {
		opt.ApplyToSubResourceApply(o)
	}
	return o
}

// ApplyToSubResourceApply sets what o says in the given options.
func (o *SubResourceApplyOptions) ApplyToSubResourceApply(to *SubResourceApplyOptions) {
	o.ApplyToApply(&to.ApplyOptions)
	if o.SubResourceBody != nil {
		to.SubResourceBody = o.SubResourceBody
	}
}

// WithSubResourceBody gives the value to send in an update of a subresource, or to compute the patch from, in the place
// of the object. The answer is read into it.
func WithSubResourceBody(body Object) SubResourceUpdateAndPatchOption {
	return subResourceBody{body}
}

type subResourceBody struct{ Object }

// ApplyToSubResourceUpdate sets the body of the update.
func (b subResourceBody) ApplyToSubResourceUpdate(o *SubResourceUpdateOptions) {
	o.SubResourceBody = b.Object
}

// ApplyToSubResourcePatch sets the body of the patch.
func (b subResourceBody) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	o.SubResourceBody = b.Object
}
