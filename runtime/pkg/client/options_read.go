package client

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// GetOptions are the options of a get.
type GetOptions struct {
	// Raw is what a request to the API server starts from. Caches do not look at it.
	Raw *metav1.GetOptions
	// UnsafeDisableDeepCopy makes a cache hand out the object it holds instead of a copy, which must then not be changed
	// in any way. Nil leaves it to the cache's own setting.
	UnsafeDisableDeepCopy *bool
	// DisableReadYourWritesConsistency answers from the cache at once, without waiting for earlier writes to arrive.
	DisableReadYourWritesConsistency bool
}

var _ GetOption = &GetOptions{}

// AsGetOptions returns the options as the API knows them.
func (o *GetOptions) AsGetOptions() *metav1.GetOptions {
	if o == nil {
		return &metav1.GetOptions{}
	}
	return copyOf(o.Raw)
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *GetOptions) ApplyOptions(opts []GetOption) *GetOptions {
	for _, opt := range opts {
		opt.ApplyToGet(o)
	}
	return o
}

// ApplyToGet sets what o says in the given options.
func (o *GetOptions) ApplyToGet(to *GetOptions) {
	override(&to.Raw, o.Raw)
	override(&to.UnsafeDisableDeepCopy, o.UnsafeDisableDeepCopy)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// ListOptions are the options of a list or watch.
type ListOptions struct {
	// LabelSelector selects by labels.
	LabelSelector labels.Selector
	// FieldSelector selects by fields. The API server knows a few fields a kind; a cache knows those that it was told to
	// index.
	FieldSelector fields.Selector
	// Namespace selects the objects of one namespace. Empty means all of them, and all objects of cluster-scoped kinds.
	Namespace string
	// Limit is the number of objects at most in an answer. The API server then gives a token for the rest in the list's
	// metadata. 0 means no limit.
	Limit int64
	// Continue is the token of a previous answer, to go on from where that ended. Caches do not know it.
	Continue string
	// UnsafeDisableDeepCopy makes a cache hand out the objects it holds instead of copies, which must then not be
	// changed in any way. Nil leaves it to the cache's own setting.
	UnsafeDisableDeepCopy *bool
	// Raw is what a request to the API server starts from; the fields above win over it. Caches do not look at it.
	Raw *metav1.ListOptions
	// DisableReadYourWritesConsistency answers from the cache at once, without waiting for earlier writes to arrive.
	DisableReadYourWritesConsistency bool
}

var _ ListOption = &ListOptions{}

// AsListOptions returns the options as the API knows them.
func (o *ListOptions) AsListOptions() *metav1.ListOptions {
	if o == nil {
		return &metav1.ListOptions{}
	}
	out := copyOf(o.Raw)
	if o.LabelSelector != nil {
		out.LabelSelector = o.LabelSelector.String()
	}
	if o.FieldSelector != nil {
		out.FieldSelector = o.FieldSelector.String()
	}
	// A watch has no pages.
	if !out.Watch {
		override(&out.Limit, o.Limit)
		override(&out.Continue, o.Continue)
	}
	return out
}

// ApplyOptions sets opts in o, one after the other, and returns o.
func (o *ListOptions) ApplyOptions(opts []ListOption) *ListOptions {
	for _, opt := range opts {
		opt.ApplyToList(o)
	}
	return o
}

// ApplyToList sets what o says in the given options.
func (o *ListOptions) ApplyToList(to *ListOptions) {
	if o.LabelSelector != nil {
		to.LabelSelector = o.LabelSelector
	}
	if o.FieldSelector != nil {
		to.FieldSelector = o.FieldSelector
	}
	override(&to.Namespace, o.Namespace)
	override(&to.Limit, o.Limit)
	override(&to.Continue, o.Continue)
	override(&to.UnsafeDisableDeepCopy, o.UnsafeDisableDeepCopy)
	override(&to.Raw, o.Raw)
	override(&to.DisableReadYourWritesConsistency, o.DisableReadYourWritesConsistency)
}

// Limit is the number of objects at most in an answer of the API server, which then gives a token for the rest in the
// list's metadata.
type Limit int64

var _ ListOption = Limit(0)

// ApplyToList sets the limit of the list.
func (l Limit) ApplyToList(o *ListOptions) { o.Limit = int64(l) }

// Continue is the token that came with a limited list; given to the next one, that goes on where the first ended.
type Continue string

var _ ListOption = Continue("")

// ApplyToList sets the token of the list.
func (c Continue) ApplyToList(o *ListOptions) { o.Continue = string(c) }

// UnsafeDisableDeepCopyOption says whether a cache hands out the objects it holds instead of copies.
type UnsafeDisableDeepCopyOption bool

// UnsafeDisableDeepCopy makes a cache hand out the objects it holds. They must not be changed in any way, not even for a
// moment: other readers see the same values. It has no effect on reads from the API server.
const UnsafeDisableDeepCopy = UnsafeDisableDeepCopyOption(true)

var (
	_ GetOption  = UnsafeDisableDeepCopy
	_ ListOption = UnsafeDisableDeepCopy
)

// ApplyToGet sets whether the get copies.
func (d UnsafeDisableDeepCopyOption) ApplyToGet(o *GetOptions) {
	o.UnsafeDisableDeepCopy = new(bool(d))
}

// ApplyToList sets whether the list copies.
func (d UnsafeDisableDeepCopyOption) ApplyToList(o *ListOptions) {
	o.UnsafeDisableDeepCopy = new(bool(d))
}
