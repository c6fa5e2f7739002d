package source

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/handler"
	"kubewright.dev/runtime/pkg/predicate"
	"kubewright.dev/runtime/pkg/reconcile"
)

// TypedInformer delivers the events of an informer that its user made and starts.
type TypedInformer[object client.Object, request comparable] struct {
	// Informer is where the events come from.
	Informer cache.Informer
	// Handler gets the events.
	Handler handler.TypedEventHandler[object, request]
	// Predicates decide which events the handler gets: those that all pass.
	Predicates []predicate.TypedPredicate[object]
}

// Informer is a TypedInformer of any kind of object, for reconciles by name.
type Informer = TypedInformer[client.Object, reconcile.Request]

var _ Source = &Informer{}

// Start implements TypedSource.
func (i *TypedInformer[object, request]) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[request]) error {
	if i.Informer == nil || i.Handler == nil {
		return errors.New("informer source: set both Informer and Handler")
	}
	_, err := i.Informer.AddEventHandler(delivery[object, request]{
		ctx: ctx, source: i.String(), queue: queue, handler: i.Handler, predicates: i.Predicates,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", i, err)
	}
	return nil
}

// String names the source in logs.
func (i *TypedInformer[object, request]) String() string {
	return fmt.Sprintf("informer source: %p", i.Informer)
}
