// Package predicate decides which events matter.
//
// A predicate sees each event of a watch before the handler does and drops it by
// returning false. [GenerationChangedPredicate] and its kin cover the usual
// needs; [And], [Or] and [Not] combine them.
package predicate

import (
	"reflect"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
)

// TypedPredicate says for each event whether it goes on to the handler.
type TypedPredicate[object any] interface {
	// Create is asked about objects that come into view.
	Create(event.TypedCreateEvent[object]) bool
	// Delete is asked about objects that are gone.
	Delete(event.TypedDeleteEvent[object]) bool
	// Update is asked about objects that changed or were resynced.
	Update(event.TypedUpdateEvent[object]) bool
	// Generic is asked about events from outside the watches.
	Generic(event.TypedGenericEvent[object]) bool
}

// Predicate is a TypedPredicate of any kind of object.
type Predicate = TypedPredicate[client.Object]

// TypedFuncs makes a predicate of functions. Events whose function is nil pass.
type TypedFuncs[object any] struct {
	// CreateFunc answers for Create.
	CreateFunc func(event.TypedCreateEvent[object]) bool
	// DeleteFunc answers for Delete.
	DeleteFunc func(event.TypedDeleteEvent[object]) bool
	// UpdateFunc answers for Update.
	UpdateFunc func(event.TypedUpdateEvent[object]) bool
	// GenericFunc answers for Generic.
	GenericFunc func(event.TypedGenericEvent[object]) bool
}

// Funcs is a TypedFuncs of any kind of object.
type Funcs = TypedFuncs[client.Object]

// passes asks the function, if there is one.
func passes[ev any](ask func(ev) bool, e ev) bool { return ask == nil || ask(e) }

// Create implements TypedPredicate.
func (f TypedFuncs[object]) Create(e event.TypedCreateEvent[object]) bool {
	return passes(f.CreateFunc, e)
}

// Delete implements TypedPredicate.
func (f TypedFuncs[object]) Delete(e event.TypedDeleteEvent[object]) bool {
	return passes(f.DeleteFunc, e)
}

// Update implements TypedPredicate.
func (f TypedFuncs[object]) Update(e event.TypedUpdateEvent[object]) bool {
	return passes(f.UpdateFunc, e)
}

// Generic implements TypedPredicate.
func (f TypedFuncs[object]) Generic(e event.TypedGenericEvent[object]) bool {
	return passes(f.GenericFunc, e)
}

// NewPredicateFuncs makes a predicate that asks the same about the object of
// each event; of an update, about the new one.
func NewPredicateFuncs(matches func(object client.Object) bool) Funcs {
	return NewTypedPredicateFuncs(matches)
}

// NewTypedPredicateFuncs is NewPredicateFuncs for one type of object.
func NewTypedPredicateFuncs[object any](matches func(object object) bool) TypedFuncs[object] {
	return TypedFuncs[object]{
		CreateFunc:  func(e event.TypedCreateEvent[object]) bool { return matches(e.Object) },
		DeleteFunc:  func(e event.TypedDeleteEvent[object]) bool { return matches(e.Object) },
		UpdateFunc:  func(e event.TypedUpdateEvent[object]) bool { return matches(e.ObjectNew) },
		GenericFunc: func(e event.TypedGenericEvent[object]) bool { return matches(e.Object) },
	}
}

// missing tells a nil object, also one inside a non-nil interface.
func missing(obj any) bool {
	if obj == nil {
		return true
	}
	v := reflect.ValueOf(obj)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
