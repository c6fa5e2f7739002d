package source

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/event"
	"kubewright.dev/runtime/pkg/handler"
	"kubewright.dev/runtime/pkg/predicate"
	"kubewright.dev/runtime/pkg/reconcile"
)

// defaultBufferSize is the number of events that a channel source holds for each
// controller that is slow to take them.
const defaultBufferSize = 1024

// ChannelOpt changes a channel source.
type ChannelOpt[object any, request comparable] func(*channel[object, request])

// WithPredicates makes only events that all of the predicates pass go on.
func WithPredicates[object any, request comparable](p ...predicate.TypedPredicate[object]) ChannelOpt[object, request] {
	return func(c *channel[object, request]) { c.predicates = append(c.predicates, p...) }
}

// WithBufferSize sets how many events are held for a controller that is slow to
// take them. When they are full, sending to the channel blocks. Default: 1024.
func WithBufferSize[object any, request comparable](bufferSize int) ChannelOpt[object, request] {
	return func(c *channel[object, request]) { c.bufferSize = bufferSize }
}

// Channel delivers the events that come through a channel. Events that were sent
// before the controller starts are delivered when it does. Closing the channel
// ends the source.
func Channel[object any](source <-chan event.TypedGenericEvent[object], handler handler.TypedEventHandler[object, reconcile.Request], opts ...ChannelOpt[object, reconcile.Request]) Source {
	return TypedChannel(source, handler, opts...)
}

// TypedChannel is Channel for any type of request.
func TypedChannel[object any, request comparable](source <-chan event.TypedGenericEvent[object], handler handler.TypedEventHandler[object, request], opts ...ChannelOpt[object, request]) TypedSource[request] {
	c := &channel[object, request]{source: source, handler: handler, bufferSize: defaultBufferSize}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

type channel[object any, request comparable] struct {
	source     <-chan event.TypedGenericEvent[object]
	handler    handler.TypedEventHandler[object, request]
	predicates []predicate.TypedPredicate[object]
	bufferSize int

	mu      sync.Mutex
	outlets []outlet[object]
	reading bool
}

// outlet is where the events for one controller go.
type outlet[object any] struct {
	events chan event.TypedGenericEvent[object]
	done   <-chan struct{}
}

// String names the source in logs.
func (c *channel[object, request]) String() string {
	return fmt.Sprintf("channel source: %p", c.source)
}

// Start implements TypedSource. A channel source can serve several controllers:
// each gets all events from its start on.
func (c *channel[object, request]) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[request]) error {
	if c.source == nil || c.handler == nil {
		return errors.New("channel source: both the channel and the handler must be given")
	}
	to := delivery[object, request]{ctx: ctx, source: c.String(), queue: queue, handler: c.handler, predicates: c.predicates}
	out := outlet[object]{events: make(chan event.TypedGenericEvent[object], max(c.bufferSize, 0)), done: ctx.Done()}

	c.mu.Lock()
	defer c.mu.Unlock()
	c.outlets = append(c.outlets, out)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case e, open := <-out.events:
				if !open {
					return
				}
				to.generic(e)
			}
		}
	}()
	if !c.reading {
		c.reading = true
		go c.read(ctx)
	}
	return nil
}

// read hands each event to all outlets until the channel is closed or the first
// controller's context ends.
func (c *channel[object, request]) read(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			c.mu.Lock()
			c.reading = false
			c.mu.Unlock()
			return
		case e, open := <-c.source:
			c.mu.Lock()
			outlets := c.outlets
			c.mu.Unlock()
			for _, out := range outlets {
				if !open {
					close(out.events)
					continue
				}
				select {
				case out.events <- e:
				case <-out.done:
				}
			}
			if !open {
				return
			}
		}
	}
}
