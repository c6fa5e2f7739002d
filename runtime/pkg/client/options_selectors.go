package client

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// InNamespace selects the objects of one namespace; the empty string selects all namespaces.
type InNamespace string

var (
	_ ListOption        = InNamespace("")
	_ DeleteAllOfOption = InNamespace("")
)

// ApplyToList sets the namespace of the list.
func (n InNamespace) ApplyToList(o *ListOptions) { o.Namespace = string(n) }

// ApplyToDeleteAllOf sets the namespace to delete in.
func (n InNamespace) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { n.ApplyToList(&o.ListOptions) }

// AsSelector returns a field selector for the namespace. It selects everything when n is empty.
func (n InNamespace) AsSelector() fields.Selector {
	if n == "" {
		return fields.Everything()
	}
	return fields.OneTermEqualSelector("metadata.namespace", string(n))
}

// MatchingLabels selects objects that have all of these labels with these values. It adds to what earlier options
// select.
type MatchingLabels map[string]string

var (
	_ ListOption        = MatchingLabels{}
	_ DeleteAllOfOption = MatchingLabels{}
)

// ApplyToList adds the labels to the list's selector. Values are not checked here: the API server refuses bad ones with
// a message, which is better than to select something else.
func (m MatchingLabels) ApplyToList(o *ListOptions) {
	requirements, _ := labels.SelectorFromValidatedSet(labels.Set(m)).Requirements()
	o.requireLabels(requirements)
}

// ApplyToDeleteAllOf adds the labels to the selector of what is deleted.
func (m MatchingLabels) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { m.ApplyToList(&o.ListOptions) }

// HasLabels selects objects that have all of these labels, whatever their values. It adds to what earlier options
// select.
type HasLabels []string

var (
	_ ListOption        = HasLabels{}
	_ DeleteAllOfOption = HasLabels{}
)

// ApplyToList adds the labels to the list's selector. A name that no label can have is left out.
func (m HasLabels) ApplyToList(o *ListOptions) {
	var requirements labels.Requirements
	for _, name := range m {
		if r, err := labels.NewRequirement(name, selection.Exists, nil); err == nil {
			requirements = append(requirements, *r)
		}
	}
	o.requireLabels(requirements)
}

// ApplyToDeleteAllOf adds the labels to the selector of what is deleted.
func (m HasLabels) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { m.ApplyToList(&o.ListOptions) }

// requireLabels narrows the label selector.
func (o *ListOptions) requireLabels(requirements labels.Requirements) {
	if o.LabelSelector == nil {
		o.LabelSelector = labels.NewSelector()
	}
	o.LabelSelector = o.LabelSelector.Add(requirements...)
}

// MatchingLabelsSelector selects objects by a label selector, in the place of what earlier options select by labels.
// Without a selector it selects nothing.
type MatchingLabelsSelector struct {
	labels.Selector
}

var (
	_ ListOption        = MatchingLabelsSelector{}
	_ DeleteAllOfOption = MatchingLabelsSelector{}
)

// ApplyToList sets the list's label selector.
func (m MatchingLabelsSelector) ApplyToList(o *ListOptions) {
	if m.Selector == nil {
		m.Selector = labels.Nothing()
	}
	o.LabelSelector = m
}

// ApplyToDeleteAllOf sets the label selector of what is deleted.
func (m MatchingLabelsSelector) ApplyToDeleteAllOf(o *DeleteAllOfOptions) {
	m.ApplyToList(&o.ListOptions)
}

// MatchingFields selects objects whose fields have these values, in the place of what earlier options select by fields.
// A cache needs an index of each field.
type MatchingFields fields.Set

var (
	_ ListOption        = MatchingFields{}
	_ DeleteAllOfOption = MatchingFields{}
)

// ApplyToList sets the list's field selector.
func (m MatchingFields) ApplyToList(o *ListOptions) {
	o.FieldSelector = fields.Set(m).AsSelector()
}

// ApplyToDeleteAllOf sets the field selector of what is deleted.
func (m MatchingFields) ApplyToDeleteAllOf(o *DeleteAllOfOptions) { m.ApplyToList(&o.ListOptions) }

// MatchingFieldsSelector selects objects by a field selector, in the place of what earlier options select by fields.
// Without a selector it selects nothing.
type MatchingFieldsSelector struct {
	fields.Selector
}

var (
	_ ListOption        = MatchingFieldsSelector{}
	_ DeleteAllOfOption = MatchingFieldsSelector{}
)

// ApplyToList sets the list's field selector.
func (m MatchingFieldsSelector) ApplyToList(o *ListOptions) {
	if m.Selector == nil {
		m.Selector = fields.Nothing()
	}
	o.FieldSelector = m
}

// ApplyToDeleteAllOf sets the field selector of what is deleted.
func (m MatchingFieldsSelector) ApplyToDeleteAllOf(o *DeleteAllOfOptions) {
	m.ApplyToList(&o.ListOptions)
}
