package predicate

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
)

// changed says whether what look returns of the two objects differs. An update
// that lacks one of its objects does not pass.
func changed[object metav1.Object](e event.TypedUpdateEvent[object], differ func(before, after object) bool) bool {
	if missing(e.ObjectOld) || missing(e.ObjectNew) {
		return false
	}
	return differ(e.ObjectOld, e.ObjectNew)
}

// TypedResourceVersionChangedPredicate drops the updates of resyncs, where
// nothing changed at all.
type TypedResourceVersionChangedPredicate[object metav1.Object] struct {
	TypedFuncs[object]
}

// ResourceVersionChangedPredicate is the one for any kind of object.
type ResourceVersionChangedPredicate = TypedResourceVersionChangedPredicate[client.Object]

// Update implements TypedPredicate.
func (TypedResourceVersionChangedPredicate[object]) Update(e event.TypedUpdateEvent[object]) bool {
	return changed(e, func(before, after object) bool {
		return before.GetResourceVersion() != after.GetResourceVersion()
	})
}

// TypedGenerationChangedPredicate drops updates that leave metadata.generation
// as it was. The API server raises the generation when the spec changes, so the
// updates of status, labels and annotations are dropped. Kinds without a
// generation never change it: their updates are all dropped.
type TypedGenerationChangedPredicate[object metav1.Object] struct {
	TypedFuncs[object]
}

// GenerationChangedPredicate is the one for any kind of object.
type GenerationChangedPredicate = TypedGenerationChangedPredicate[client.Object]

// Update implements TypedPredicate.
func (TypedGenerationChangedPredicate[object]) Update(e event.TypedUpdateEvent[object]) bool {
	return changed(e, func(before, after object) bool {
		return before.GetGeneration() != after.GetGeneration()
	})
}

// TypedAnnotationChangedPredicate drops updates that leave the annotations as
// they were.
type TypedAnnotationChangedPredicate[object metav1.Object] struct {
	TypedFuncs[object]
}

// AnnotationChangedPredicate is the one for any kind of object.
type AnnotationChangedPredicate = TypedAnnotationChangedPredicate[client.Object]

// Update implements TypedPredicate.
func (TypedAnnotationChangedPredicate[object]) Update(e event.TypedUpdateEvent[object]) bool {
	return changed(e, func(before, after object) bool {
		return !maps.Equal(before.GetAnnotations(), after.GetAnnotations())
	})
}

// TypedLabelChangedPredicate drops updates that leave the labels as they were.
type TypedLabelChangedPredicate[object metav1.Object] struct {
	TypedFuncs[object]
}

// LabelChangedPredicate is the one for any kind of object.
type LabelChangedPredicate = TypedLabelChangedPredicate[client.Object]

// Update implements TypedPredicate.
func (TypedLabelChangedPredicate[object]) Update(e event.TypedUpdateEvent[object]) bool {
	return changed(e, func(before, after object) bool {
		return !maps.Equal(before.GetLabels(), after.GetLabels())
	})
}
