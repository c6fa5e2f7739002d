package client

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// DeleteOptions are the options of a delete.
type DeleteOptions struct {
	// GracePeriodSeconds is how long the object may take to end, 0 for at once. Nil means the kind's own default.
	GracePeriodSeconds *int64
	// Preconditions must hold, or the delete is refused as a conflict.
	Preconditions *metav1.Preconditions
	// PropagationPolicy says what happens to the objects that this one owns: Orphan, Background or Foreground. Nil means
	// the kind's own default.
	PropagationPolicy *metav1.DeletionPropagation
	// Raw is what the request starts from; the other fields win over it.
	Raw *metav1.DeleteOptions
	// DryRun makes the delete a dry run when it is [metav1.DryRunAll].
	DryRun []string
	// DisableReadYourWritesConsistency keeps later reads from the cache from waiting for this write.
	DisableReadYourWritesConsistency bool
}

var _ DeleteOption = &DeleteOptions{}

// AsDeleteOptions returns the options as the API knows them.
func (o *DeleteOptions) AsDeleteOptions() *metav1.DeleteOptions {
	if o == nil {
		return &metav1.DeleteOptions{}
	}
	out := copyOf(o.Raw)
	override(&out.GracePeriodSeconds, o.GracePeriodSeconds)
	override(&out.Preconditions, o.Preconditions)
	override(&out.PropagationPolicy, o.PropagationPolicy)
	overrideSlice(&out.DryRun, o.DryRun)
	return out
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *DeleteOptions) ApplyOptions(opts []DeleteOption) *DeleteOptions {
	for _, opt := range opts {
		opt.ApplyToDelete(o)
	}
	return o
}

// ApplyToDelete sets what o says in the given options.
func (o *DeleteOptions) ApplyToDelete(to *DeleteOptions) {
	override(&to.GracePeriodSeconds, o.GracePeriodSeconds)
	override(&to.Preconditions, o.Preconditions)
	override(&to.PropagationPolicy, o.PropagationPolicy)
	override(&to.Raw, o.Raw)
	overrideSlice(&to.DryRun, o.DryRun)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// DeleteAllOfOptions are the options of a delete of many objects: which ones, and how.
type DeleteAllOfOptions struct {
	ListOptions
	DeleteOptions
}

var _ DeleteAllOfOption = &DeleteAllOfOptions{}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *DeleteAllOfOptions) ApplyOptions(opts []DeleteAllOfOption) *DeleteAllOfOptions {
	for _, opt := range opts {
		opt.ApplyToDeleteAllOf(o)
	}
	return o
}

// ApplyToDeleteAllOf sets what o says in the given options.
func (o *DeleteAllOfOptions) ApplyToDeleteAllOf(to *DeleteAllOfOptions) {
	o.ApplyToList(&to.ListOptions)
	o.ApplyToDelete(&to.DeleteOptions)
}

// GracePeriodSeconds is how long an object may take to end, in seconds; 0 ends it at once.
type GracePeriodSeconds int64

var (
	_ DeleteOption      = GracePeriodSeconds(0)
	_ DeleteAllOfOption = GracePeriodSeconds(0)
)

// ApplyToDelete sets the grace period of the delete.
func (s GracePeriodSeconds) ApplyToDelete(o *DeleteOptions) { o.GracePeriodSeconds = new(int64(s)) }

// ApplyToDeleteAllOf sets the grace period of the delete.
func (s GracePeriodSeconds) ApplyToDeleteAllOf(o *DeleteAllOfOptions) {
	s.ApplyToDelete(&o.DeleteOptions)
}

// Preconditions are what must hold of the stored object for it to be deleted. Otherwise the delete is refused as a
// conflict.
type Preconditions metav1.Preconditions

var (
	_ DeleteOption      = Preconditions{UID: (*types.UID)(nil)}
	_ DeleteAllOfOption = Preconditions{}
)

// ApplyToDelete sets the preconditions of the delete.
func (p Preconditions) ApplyToDelete(o *DeleteOptions) {
	o.Preconditions = new(metav1.Preconditions(p))
}

// ApplyToDeleteAllOf sets the preconditions of the delete.
func (p Preconditions) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { p.ApplyToDelete(&o.DeleteOptions) }

// PropagationPolicy says what a delete does to the objects that the deleted one owns: [metav1.DeletePropagationOrphan]
// leaves them, [metav1.DeletePropagationBackground] deletes them after it, [metav1.DeletePropagationForeground] before.
type PropagationPolicy metav1.DeletionPropagation

var (
	_ DeleteOption      = PropagationPolicy("")
	_ DeleteAllOfOption = PropagationPolicy("")
)

// ApplyToDelete sets the policy of the delete.
func (p PropagationPolicy) ApplyToDelete(o *DeleteOptions) {
	o.PropagationPolicy = new(metav1.DeletionPropagation(p))
}

// ApplyToDeleteAllOf sets the policy of the delete.
func (p PropagationPolicy) ApplyToDeleteAllOf(o *DeleteAllOfOptions) {
	p.ApplyToDelete(&o.DeleteOptions)
}
