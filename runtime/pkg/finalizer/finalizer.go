// Package finalizer runs what has to be done before an object may go, and keeps
// the object's list of finalizers in step with it.
package finalizer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/controller/controllerutil"
)

// Result says what of the object has to be written.
type Result struct {
	// Updated is true if metadata or spec changed.
	Updated bool
	// StatusUpdated is true if the status changed.
	StatusUpdated bool
}

// Finalizer cleans up for an object that is being deleted.
type Finalizer interface {
	// Finalize does so. On an error it is called again at the next reconcile.
	Finalize(context.Context, client.Object) (Result, error)
}

// Registerer takes finalizers in.
type Registerer interface {
	// Register adds a finalizer under the key that objects have in
	// metadata.finalizers, as example.com/cleanup. A key can be used once.
	Register(key string, f Finalizer) error
}

// Finalizers is a set of finalizers that acts as one.
type Finalizers interface {
	Registerer
	// Finalize adds the keys of all finalizers to an object that lives. For one
	// that is being deleted it calls those whose keys the object still has, and
	// removes the keys of those that succeed. It does not write the object.
	Finalizer
}

// NewFinalizers returns an empty set.
func NewFinalizers() Finalizers { return &set{byKey: map[string]Finalizer{}} }

type set struct {
	mu    sync.RWMutex
	byKey map[string]Finalizer
}

// Register implements Registerer.
func (s *set) Register(key string, f Finalizer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.byKey[key]; taken {
		return fmt.Errorf("finalizer for key %q already registered", key)
	}
	s.byKey[key] = f
	return nil
}

// Finalize implements Finalizer.
func (s *set) Finalize(ctx context.Context, obj client.Object) (Result, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var (
		all    Result
		failed []error
	)
	deleting := !obj.GetDeletionTimestamp().IsZero()
	for _, key := range slices.Sorted(maps.Keys(s.byKey)) {
		if !deleting {
			all.Updated = controllerutil.AddFinalizer(obj, key) || all.Updated
			continue
		}
		if !controllerutil.ContainsFinalizer(obj, key) {
			continue
		}
		one, err := s.byKey[key].Finalize(ctx, obj)
		all.Updated = all.Updated || one.Updated
		all.StatusUpdated = all.StatusUpdated || one.StatusUpdated
		if err != nil {
			failed = append(failed, fmt.Errorf("finalizer %q failed: %w", key, err))
			continue
		}
		all.Updated = controllerutil.RemoveFinalizer(obj, key) || all.Updated
	}
	return all, errors.Join(failed...)
}
