package client

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CreateOptions are the options of a create.
type CreateOptions struct {
	// DryRun makes the create a dry run when it is [metav1.DryRunAll].
	DryRun []string
	// FieldManager owns the created fields. The server derives it from the user agent when it is empty.
	FieldManager string
	// FieldValidation says what happens to unknown and repeated fields: Ignore, Warn or Strict. Empty means Warn.
	FieldValidation string
	// Raw is what the request starts from; the fields above win over it.
	Raw *metav1.CreateOptions
	// DisableReadYourWritesConsistency keeps later reads from the cache from waiting for this write.
	DisableReadYourWritesConsistency bool
}

var _ CreateOption = &CreateOptions{}

// AsCreateOptions returns the options as the API knows them.
func (o *CreateOptions) AsCreateOptions() *metav1.CreateOptions {
	if o == nil {
		return &metav1.CreateOptions{}
	}
	out := copyOf(o.Raw)
	overrideSlice(&out.DryRun, o.DryRun)
	override(&out.FieldManager, o.FieldManager)
	override(&out.FieldValidation, o.FieldValidation)
	return out
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *CreateOptions) ApplyOptions(opts []CreateOption) *CreateOptions {
	for _, opt := range opts {
		opt.ApplyToCreate(o)
	}
	return o
}

// ApplyToCreate sets what o says in the given options.
func (o *CreateOptions) ApplyToCreate(to *CreateOptions) {
	overrideSlice(&to.DryRun, o.DryRun)
	override(&to.FieldManager, o.FieldManager)
	override(&to.FieldValidation, o.FieldValidation)
	override(&to.Raw, o.Raw)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// UpdateOptions are the options of an update.
type UpdateOptions struct {
	// DryRun makes the update a dry run when it is [metav1.DryRunAll].
	DryRun []string
	// FieldManager owns the changed fields. The server derives it from the user agent when it is empty.
	FieldManager string
	// FieldValidation says what happens to unknown and repeated fields: Ignore, Warn or Strict. Empty means Warn.
	FieldValidation string
	// Raw is what the request starts from; the fields above win over it.
	Raw *metav1.UpdateOptions
	// DisableReadYourWritesConsistency keeps later reads from the cache from waiting for this write.
	DisableReadYourWritesConsistency bool
}

var _ UpdateOption = &UpdateOptions{}

// AsUpdateOptions returns the options as the API knows them.
func (o *UpdateOptions) AsUpdateOptions() *metav1.UpdateOptions {
	if o == nil {
		return &metav1.UpdateOptions{}
	}
	out := copyOf(o.Raw)
	overrideSlice(&out.DryRun, o.DryRun)
	override(&out.FieldManager, o.FieldManager)
	override(&out.FieldValidation, o.FieldValidation)
	return out
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *UpdateOptions) ApplyOptions(opts []UpdateOption) *UpdateOptions {
	for _, opt := range opts {
		opt.ApplyToUpdate(o)
	}
	return o
}

// ApplyToUpdate sets what o says in the given options.
func (o *UpdateOptions) ApplyToUpdate(to *UpdateOptions) {
	overrideSlice(&to.DryRun, o.DryRun)
	override(&to.FieldManager, o.FieldManager)
	override(&to.FieldValidation, o.FieldValidation)
	override(&to.Raw, o.Raw)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// PatchOptions are the options of a patch.
type PatchOptions struct {
	// DryRun makes the patch a dry run when it is [metav1.DryRunAll].
	DryRun []string
	// Force takes over fields of other owners. It is for apply patches only.
	Force *bool
	// FieldManager owns the changed fields. Apply patches need one.
	FieldManager string
	// FieldValidation says what happens to unknown and repeated fields: Ignore, Warn or Strict. Empty means Warn.
	FieldValidation string
	// Raw is what the request starts from; the fields above win over it.
	Raw *metav1.PatchOptions
	// DisableReadYourWritesConsistency keeps later reads from the cache from waiting for this write.
	DisableReadYourWritesConsistency bool
}

var _ PatchOption = &PatchOptions{}

// AsPatchOptions returns the options as the API knows them.
func (o *PatchOptions) AsPatchOptions() *metav1.PatchOptions {
	if o == nil {
		return &metav1.PatchOptions{}
	}
	out := copyOf(o.Raw)
	overrideSlice(&out.DryRun, o.DryRun)
	override(&out.FieldManager, o.FieldManager)
	override(&out.FieldValidation, o.FieldValidation)
	override(&out.Force, o.Force)
	return out
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *PatchOptions) ApplyOptions(opts []PatchOption) *PatchOptions {
	for _, opt := range opts {
		opt.ApplyToPatch(o)
	}
	return o
}

// ApplyToPatch sets what o says in the given options.
func (o *PatchOptions) ApplyToPatch(to *PatchOptions) {
	overrideSlice(&to.DryRun, o.DryRun)
	override(&to.Force, o.Force)
	override(&to.FieldManager, o.FieldManager)
	override(&to.FieldValidation, o.FieldValidation)
	override(&to.Raw, o.Raw)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// ApplyOptions are the options of a server-side apply.
type ApplyOptions struct {
	// DryRun makes the apply a dry run when it is [metav1.DryRunAll].
	DryRun []string
	// Force takes over fields of other owners.
	Force *bool
	// FieldManager owns the applied fields. An apply needs one.
	FieldManager string
	// DisableReadYourWritesConsistency keeps later reads from the cache from waiting for this write.
	DisableReadYourWritesConsistency bool
}

var _ ApplyOption = &ApplyOptions{}

// AsPatchOptions returns the options as the API knows them: an apply is a kind of patch there.
func (o *ApplyOptions) AsPatchOptions() *metav1.PatchOptions {
	if o == nil {
		return &metav1.PatchOptions{}
	}
	return &metav1.PatchOptions{DryRun: o.DryRun, Force: o.Force, FieldManager: o.FieldManager}
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *ApplyOptions) ApplyOptions(opts []ApplyOption) *ApplyOptions {
	for _, opt := range opts {
		opt.ApplyToApply(o)
	}
	return o
}

// ApplyToApply sets what o says in the given options.
func (o *ApplyOptions) ApplyToApply(to *ApplyOptions) {
	overrideSlice(&to.DryRun, o.DryRun)
	override(&to.Force, o.Force)
	override(&to.FieldManager, o.FieldManager)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}
