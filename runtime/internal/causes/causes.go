// Package causes remembers, for each item of a queue, why it is there.
//
// A controller has a [Ledger] and hands it to its sources through the context.
// A source wraps the queue that it gives to handlers (see [Recording]), so that
// whatever a handler adds is noted with the event that made it. The worker that
// takes an item takes the item's causes with it.
package causes

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// The things that can bring an item into a queue.
const (
	Create  = "create"
	Update  = "update"
	Delete  = "delete"
	Generic = "generic"
	Requeue = "requeue"
	Retry   = "retry"
)

// maxPerItem bounds what is kept for an item that many events want.
const maxPerItem = 16

// Cause is one reason for a reconcile.
type Cause struct {
	// Source names the watch, as "kind source: *v1.Pod". It is empty for a
	// requeue or a retry.
	Source string
	// Event is what happened: create, update, delete, generic, requeue or retry.
	Event string
	// Object is the object that it happened to.
	Object types.NamespacedName
	// Count is how often it happened since the last reconcile, at least 1.
	Count int
}

func (c Cause) sameAs(other Cause) bool {
	return c.Source == other.Source && c.Event == other.Event && c.Object == other.Object
}

// Ledger holds the causes of the items of one queue. It is safe for concurrent
// use.
type Ledger[request comparable] struct {
	mu     sync.Mutex
	byItem map[request][]Cause
}

// Note adds a cause to an item. Equal causes merge; past the sixteenth, new ones
// are dropped.
func (l *Ledger[request]) Note(item request, cause Cause) {
	l.mu.Lock()
	defer l.mu.Unlock()
	cause.Count = 1
	known := l.byItem[item]
	for i := range known {
		if known[i].sameAs(cause) {
			known[i].Count++
			return
		}
	}
	if len(known) >= maxPerItem {
		return
	}
	if l.byItem == nil {
		l.byItem = map[request][]Cause{}
	}
	l.byItem[item] = append(known, cause)
}

// Take removes and returns the causes of an item. An event that comes in between
// a queue's Get and Take is told one reconcile too early; none is lost.
func (l *Ledger[request]) Take(item request) []Cause {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.byItem[item]
	delete(l.byItem, item)
	return taken
}

type ledgerKey[request comparable] struct{}

type causesKey struct{}

// WithLedger puts the ledger into the context that sources start with.
func WithLedger[request comparable](ctx context.Context, ledger *Ledger[request]) context.Context {
	return context.WithValue(ctx, ledgerKey[request]{}, ledger)
}

// LedgerFrom returns the ledger of a source's context, or nil.
func LedgerFrom[request comparable](ctx context.Context) *Ledger[request] {
	ledger, _ := ctx.Value(ledgerKey[request]{}).(*Ledger[request])
	return ledger
}

// Into puts the causes of a reconcile into its context.
func Into(ctx context.Context, list []Cause) context.Context {
	if len(list) == 0 {
		return ctx
	}
	return context.WithValue(ctx, causesKey{}, list)
}

// From returns the causes of the reconcile that the context is of.
func From(ctx context.Context) []Cause {
	list, _ := ctx.Value(causesKey{}).([]Cause)
	return list
}
