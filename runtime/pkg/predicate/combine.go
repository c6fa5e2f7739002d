package predicate

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/event"
)

// And passes what all of the predicates pass; with none, everything.
func And[object any](predicates ...TypedPredicate[object]) TypedPredicate[object] {
	return judged(func(ask func(TypedPredicate[object]) bool) bool {
		return !slices.ContainsFunc(predicates, func(p TypedPredicate[object]) bool { return !ask(p) })
	})
}

// Or passes what at least one of the predicates passes; with none, nothing.
func Or[object any](predicates ...TypedPredicate[object]) TypedPredicate[object] {
	return judged(func(ask func(TypedPredicate[object]) bool) bool {
		return slices.ContainsFunc(predicates, ask)
	})
}

// Not passes what the predicate drops.
func Not[object any](predicate TypedPredicate[object]) TypedPredicate[object] {
	return judged(func(ask func(TypedPredicate[object]) bool) bool { return !ask(predicate) })
}

// judged makes a predicate of a rule that combines the answers of others. The
// rule gets a question and puts it to whom it likes.
func judged[object any](rule func(ask func(TypedPredicate[object]) bool) bool) TypedPredicate[object] {

	return TypedFuncs[object]{
		CreateFunc: func(e event.TypedCreateEvent[object]) bool {
			return rule(func(p TypedPredicate[object]) bool { return p.Create(e) })
		},
		DeleteFunc: func(e event.TypedDeleteEvent[object]) bool {
			return rule(func(p TypedPredicate[object]) bool { return p.Delete(e) })
		},
		UpdateFunc: func(e event.TypedUpdateEvent[object]) bool {
			return rule(func(p TypedPredicate[object]) bool { return p.Update(e) })
		},
		GenericFunc: func(e event.TypedGenericEvent[object]) bool {
			return rule(func(p TypedPredicate[object]) bool { return p.Generic(e) })
		},
	}
}

// LabelSelectorPredicate passes events of objects that the selector matches.
func LabelSelectorPredicate(s metav1.LabelSelector) (Predicate, error) {
	selector, err := metav1.LabelSelectorAsSelector(&s)
	if err != nil {
		return Funcs{}, fmt.Errorf("predicate of a label selector: %w", err)
	}
	return NewPredicateFuncs(func(o client.Object) bool {
		return selector.Matches(labels.Set(o.GetLabels()))
	}), nil
}
