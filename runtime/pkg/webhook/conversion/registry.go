package conversion

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Converter converts objects of one kind between its versions.
type Converter interface {
	// ConvertObject writes src into dst, which is empty and of another version.
	ConvertObject(ctx context.Context, src, dst runtime.Object) error
}

// Registry holds the converters of a process. Kinds without one are converted by their own methods, see package
// conversion of the runtime.
type Registry interface {
	// RegisterConverter sets the converter of the kind. A second one is an error.
	RegisterConverter(gk schema.GroupKind, converter Converter) error
	// GetConverter returns the converter of the kind, if there is one.
	GetConverter(gk schema.GroupKind) (Converter, bool)
}

// NewRegistry returns an empty Registry, safe for concurrent use.
func NewRegistry() Registry {
	return &registry{converters: map[schema.GroupKind]Converter{}}
}

type registry struct {
	mu         sync.RWMutex
	converters map[schema.GroupKind]Converter
}

func (r *registry) RegisterConverter(gk schema.GroupKind, converter Converter) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.converters[gk]; taken {
		return fmt.Errorf("%s has a converter already", gk)
	}
	r.converters[gk] = converter
	return nil
}

func (r *registry) GetConverter(gk schema.GroupKind) (Converter, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	converter, ok := r.converters[gk]
	return converter, ok
}
