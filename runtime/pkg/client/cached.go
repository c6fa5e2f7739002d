package client

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// cachedReads decides which reads come from a cache.
type cachedReads struct {
	reader       Reader
	endpoints    *endpoints
	live         map[schema.GroupVersionKind]bool
	unstructured bool
}

func newCachedReads(o *CacheOptions, e *endpoints) (*cachedReads, error) {
	if o.EnableReadYourWritesConsistency != nil && *o.EnableReadYourWritesConsistency {
		return nil, errors.New("cache: EnableReadYourWritesConsistency is not supported by this client; read with the manager's API reader where a read must see the write before it")
	}
	c := &cachedReads{reader: o.Reader, endpoints: e, live: map[schema.GroupVersionKind]bool{}, unstructured: o.Unstructured}
	for _, obj := range o.DisableFor {
		gvk, err := e.kindOf(obj)
		if err != nil {
			return nil, fmt.Errorf("cache disabled for a %T: %w", obj, err)
		}
		c.live[gvk] = true
	}
	return c, nil
}

// serves reports whether obj, or the items of obj when it is a list, are read from the cache.
func (c *cachedReads) serves(obj runtime.Object) (bool, error) {
	if c == nil {
		return false, nil
	}
	if _, schemaless := obj.(runtime.Unstructured); schemaless && !c.unstructured {
		return false, nil
	}
	gvk, err := c.endpoints.kindOf(obj)
	if err != nil {
		return false, err
	}
	return !c.live[gvk], nil
}
