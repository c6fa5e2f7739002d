package client

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CreateOption changes how an object is created.
type CreateOption interface {
	// ApplyToCreate sets the option in the given options.
	ApplyToCreate(*CreateOptions)
}

// DeleteOption changes how an object is deleted.
type DeleteOption interface {
	// ApplyToDelete sets the option in the given options.
	ApplyToDelete(*DeleteOptions)
}

// GetOption changes how an object is read.
type GetOption interface {
	// ApplyToGet sets the option in the given options.
	ApplyToGet(*GetOptions)
}

// ListOption selects the objects of a list, or changes how it is read.
type ListOption interface {
	// ApplyToList sets the option in the given options.
	ApplyToList(*ListOptions)
}

// UpdateOption changes how an object is updated.
type UpdateOption interface {
	// ApplyToUpdate sets the option in the given options.
	ApplyToUpdate(*UpdateOptions)
}

// PatchOption changes how an object is patched.
type PatchOption interface {
	// ApplyToPatch sets the option in the given options.
	ApplyToPatch(*PatchOptions)
}

// ApplyOption changes how a configuration is applied.
type ApplyOption interface {
	// ApplyToApply sets the option in the given options.
	ApplyToApply(*ApplyOptions)
}

// DeleteAllOfOption selects the objects to delete, or changes how they are deleted.
type DeleteAllOfOption interface {
	// ApplyToDeleteAllOf sets the option in the given options.
	ApplyToDeleteAllOf(*DeleteAllOfOptions)
}

// SubResourceGetOption changes how a subresource is read.
type SubResourceGetOption interface {
	// ApplyToSubResourceGet sets the option in the given options.
	ApplyToSubResourceGet(*SubResourceGetOptions)
}

// SubResourceCreateOption changes how a subresource is created.
type SubResourceCreateOption interface {
	// ApplyToSubResourceCreate sets the option in the given options.
	ApplyToSubResourceCreate(*SubResourceCreateOptions)
}

// SubResourceUpdateOption changes how a subresource is updated.
type SubResourceUpdateOption interface {
	// ApplyToSubResourceUpdate sets the option in the given options.
	ApplyToSubResourceUpdate(*SubResourceUpdateOptions)
}

// SubResourcePatchOption changes how a subresource is patched.
type SubResourcePatchOption interface {
	// ApplyToSubResourcePatch sets the option in the given options.
	ApplyToSubResourcePatch(*SubResourcePatchOptions)
}

// SubResourceApplyOption changes how a configuration is applied to a subresource.
type SubResourceApplyOption interface {
	// ApplyToSubResourceApply sets the option in the given options.
	ApplyToSubResourceApply(*SubResourceApplyOptions)
}

// SubResourceUpdateAndPatchOption is good for updates and patches of a subresource.
type SubResourceUpdateAndPatchOption interface {
	SubResourceUpdateOption
	SubResourcePatchOption
}

// override sets *to when value is not its type's zero value: an options struct given as an option changes what it says
// something about and leaves the rest.
func override[T comparable](to *T, value T) {
	var zero T
	if value != zero {
		*to = value
	}
}

// overrideSlice is override for slices; an empty slice is said, a nil one is not.
func overrideSlice[T any](to *[]T, value []T) {
	if value != nil {
		*to = value
	}
}

// copyOf returns a new value that starts as *raw, or as zero when raw is nil, so that a caller's raw options are never
// written to.
func copyOf[T any](raw *T) *T {
	out := new(T)
	if raw != nil {
		*out = *raw
	}
	return out
}

// DryRunAll lets the server go through all of a write except storing it. What it answers is what would be stored.
var DryRunAll = dryRunAll{}

type dryRunAll struct{}

var (
	_ CreateOption            = DryRunAll
	_ UpdateOption            = DryRunAll
	_ PatchOption             = DryRunAll
	_ ApplyOption             = DryRunAll
	_ DeleteOption            = DryRunAll
	_ DeleteAllOfOption       = DryRunAll
	_ SubResourceCreateOption = DryRunAll
	_ SubResourceUpdateOption = DryRunAll
	_ SubResourcePatchOption  = DryRunAll
	_ SubResourceApplyOption  = DryRunAll
)

// stages are the stages of a request that a dry run covers; the API knows one word, for all of them.
func (dryRunAll) stages() []string { return []string{metav1.DryRunAll} }

// ApplyToCreate makes the create a dry run.
func (d dryRunAll) ApplyToCreate(o *CreateOptions) { o.DryRun = d.stages() }

// ApplyToUpdate makes the update a dry run.
func (d dryRunAll) ApplyToUpdate(o *UpdateOptions) { o.DryRun = d.stages() }

// ApplyToPatch makes the patch a dry run.
func (d dryRunAll) ApplyToPatch(o *PatchOptions) { o.DryRun = d.stages() }

// ApplyToApply makes the apply a dry run.
func (d dryRunAll) ApplyToApply(o *ApplyOptions) { o.DryRun = d.stages() }

// ApplyToDelete makes the delete a dry run.
func (d dryRunAll) ApplyToDelete(o *DeleteOptions) { o.DryRun = d.stages() }

// ApplyToDeleteAllOf makes the delete a dry run.
func (d dryRunAll) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { d.ApplyToDelete(&o.DeleteOptions) }

// ApplyToSubResourceCreate makes the create a dry run.
func (d dryRunAll) ApplyToSubResourceCreate(o *SubResourceCreateOptions) {
	d.ApplyToCreate(&o.CreateOptions)
}

// ApplyToSubResourceUpdate makes the update a dry run.
func (d dryRunAll) ApplyToSubResourceUpdate(o *SubResourceUpdateOptions) {
	d.ApplyToUpdate(&o.UpdateOptions)
}

// ApplyToSubResourcePatch makes the patch a dry run.
func (d dryRunAll) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	d.ApplyToPatch(&o.PatchOptions)
}

// ApplyToSubResourceApply makes the apply a dry run.
func (d dryRunAll) ApplyToSubResourceApply(o *SubResourceApplyOptions) {
	d.ApplyToApply(&o.ApplyOptions)
}

// FieldOwner is the name under which the server records who set a field of an object, in metadata.managedFields.
// Server-side apply needs one.
type FieldOwner string

var (
	_ CreateOption            = FieldOwner("")
	_ UpdateOption            = FieldOwner("")
	_ PatchOption             = FieldOwner("")
	_ ApplyOption             = FieldOwner("")
	_ SubResourceCreateOption = FieldOwner("")
	_ SubResourceUpdateOption = FieldOwner("")
	_ SubResourcePatchOption  = FieldOwner("")
	_ SubResourceApplyOption  = FieldOwner("")
)

// ApplyToCreate sets the owner of the created fields.
func (f FieldOwner) ApplyToCreate(o *CreateOptions) { o.FieldManager = string(f) }

// ApplyToUpdate sets the owner of the changed fields.
func (f FieldOwner) ApplyToUpdate(o *UpdateOptions) { o.FieldManager = string(f) }

// ApplyToPatch sets the owner of the changed fields.
func (f FieldOwner) ApplyToPatch(o *PatchOptions) { o.FieldManager = string(f) }

// ApplyToApply sets the owner of the applied fields.
func (f FieldOwner) ApplyToApply(o *ApplyOptions) { o.FieldManager = string(f) }

// ApplyToSubResourceCreate sets the owner of the created fields.
func (f FieldOwner) ApplyToSubResourceCreate(o *SubResourceCreateOptions) {
	f.ApplyToCreate(&o.CreateOptions)
}

// ApplyToSubResourceUpdate sets the owner of the changed fields.
func (f FieldOwner) ApplyToSubResourceUpdate(o *SubResourceUpdateOptions) {
	f.ApplyToUpdate(&o.UpdateOptions)
}

// ApplyToSubResourcePatch sets the owner of the changed fields.
func (f FieldOwner) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	f.ApplyToPatch(&o.PatchOptions)
}

// ApplyToSubResourceApply sets the owner of the applied fields.
func (f FieldOwner) ApplyToSubResourceApply(o *SubResourceApplyOptions) {
	f.ApplyToApply(&o.ApplyOptions)
}

// FieldValidation says what the server does about fields that it does not know and fields given twice:
// [metav1.FieldValidationIgnore], [metav1.FieldValidationWarn] (the server's default) or [metav1.FieldValidationStrict].
type FieldValidation string

var (
	_ CreateOption            = FieldValidation("")
	_ UpdateOption            = FieldValidation("")
	_ PatchOption             = FieldValidation("")
	_ SubResourceCreateOption = FieldValidation("")
	_ SubResourceUpdateOption = FieldValidation("")
	_ SubResourcePatchOption  = FieldValidation("")
)

// ApplyToCreate sets the validation of the create.
func (f FieldValidation) ApplyToCreate(o *CreateOptions) { o.FieldValidation = string(f) }

// ApplyToUpdate sets the validation of the update.
func (f FieldValidation) ApplyToUpdate(o *UpdateOptions) { o.FieldValidation = string(f) }

// ApplyToPatch sets the validation of the patch.
func (f FieldValidation) ApplyToPatch(o *PatchOptions) { o.FieldValidation = string(f) }

// ApplyToSubResourceCreate sets the validation of the create.
func (f FieldValidation) ApplyToSubResourceCreate(o *SubResourceCreateOptions) {
	f.ApplyToCreate(&o.CreateOptions)
}

// ApplyToSubResourceUpdate sets the validation of the update.
func (f FieldValidation) ApplyToSubResourceUpdate(o *SubResourceUpdateOptions) {
	f.ApplyToUpdate(&o.UpdateOptions)
}

// ApplyToSubResourcePatch sets the validation of the patch.
func (f FieldValidation) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	f.ApplyToPatch(&o.PatchOptions)
}

// ForceOwnership makes an apply take fields over from other owners where it would be refused as a conflict.
var ForceOwnership = forceOwnership{}

type forceOwnership struct{}

var (
	_ PatchOption            = ForceOwnership
	_ ApplyOption            = ForceOwnership
	_ SubResourcePatchOption = ForceOwnership
	_ SubResourceApplyOption = ForceOwnership
)

// ApplyToPatch forces the patch.
func (forceOwnership) ApplyToPatch(o *PatchOptions) { o.Force = new(true) }

// ApplyToApply forces the apply.
func (forceOwnership) ApplyToApply(o *ApplyOptions) { o.Force = new(true) }

// ApplyToSubResourcePatch forces the patch.
func (f forceOwnership) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	f.ApplyToPatch(&o.PatchOptions)
}

// ApplyToSubResourceApply forces the apply.
func (f forceOwnership) ApplyToSubResourceApply(o *SubResourceApplyOptions) {
	f.ApplyToApply(&o.ApplyOptions)
}
