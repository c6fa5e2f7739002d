package client

type disableReadYourWritesConsistency bool

// DisableReadYourWritesConsistency takes one request out of what [CacheOptions.EnableReadYourWritesConsistency] gives: a
// read is answered from the cache at once, a write is not waited for by later reads.
const DisableReadYourWritesConsistency = disableReadYourWritesConsistency(true)

var (
	_ GetOption               = DisableReadYourWritesConsistency
	_ ListOption              = DisableReadYourWritesConsistency
	_ CreateOption            = DisableReadYourWritesConsistency
	_ UpdateOption            = DisableReadYourWritesConsistency
	_ PatchOption             = DisableReadYourWritesConsistency
	_ ApplyOption             = DisableReadYourWritesConsistency
	_ DeleteOption            = DisableReadYourWritesConsistency
	_ SubResourceCreateOption = DisableReadYourWritesConsistency
	_ SubResourceUpdateOption = DisableReadYourWritesConsistency
	_ SubResourcePatchOption  = DisableReadYourWritesConsistency
	_ SubResourceApplyOption  = DisableReadYourWritesConsistency
)

// ApplyToGet takes the get out.
func (d disableReadYourWritesConsistency) ApplyToGet(o *GetOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToList takes the list out.
func (d disableReadYourWritesConsistency) ApplyToList(o *ListOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToCreate takes the create out.
func (d disableReadYourWritesConsistency) ApplyToCreate(o *CreateOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToUpdate takes the update out.
func (d disableReadYourWritesConsistency) ApplyToUpdate(o *UpdateOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToPatch takes the patch out.
func (d disableReadYourWritesConsistency) ApplyToPatch(o *PatchOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToApply takes the apply out.
func (d disableReadYourWritesConsistency) ApplyToApply(o *ApplyOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToDelete takes the delete out.
func (d disableReadYourWritesConsistency) ApplyToDelete(o *DeleteOptions) {
	o.DisableReadYourWritesConsistency = bool(d)
}

// ApplyToSubResourceCreate takes the create out.
func (d disableReadYourWritesConsistency) ApplyToSubResourceCreate(o *SubResourceCreateOptions) {
	d.ApplyToCreate(&o.CreateOptions)
}

// ApplyToSubResourceUpdate takes the update out.
func (d disableReadYourWritesConsistency) ApplyToSubResourceUpdate(o *SubResourceUpdateOptions) {
	d.ApplyToUpdate(&o.UpdateOptions)
}

// ApplyToSubResourcePatch takes the patch out.
func (d disableReadYourWritesConsistency) ApplyToSubResourcePatch(o *SubResourcePatchOptions) {
	d.ApplyToPatch(&o.PatchOptions)
}

// ApplyToSubResourceApply takes the apply out.
func (d disableReadYourWritesConsistency) ApplyToSubResourceApply(o *SubResourceApplyOptions) {
	d.ApplyToApply(&o.ApplyOptions)
}
