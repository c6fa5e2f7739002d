// Package store keeps the objects of one kind in memory and finds them by key, namespace and index.
//
// A Store is what an informer fills and readers ask. Memory is the one that holds objects as Go values; others may hold
// them encoded, as long as they answer with equal objects.
package store

import (
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Object is a Kubernetes object.
type Object interface {
	metav1.Object
	runtime.Object
}

// Key identifies an object within its kind.
type Key = types.NamespacedName

// IndexFunc returns the values under which an object is found in an index.
type IndexFunc func(Object) ([]string, error)

// Term is one condition of a query: the index must have the object under the value.
type Term struct{ Index, Value string }

// Query selects objects. The zero value selects all.
type Query struct {
	// Namespace, if not empty, is the namespace of the objects.
	Namespace string
	// Terms are conditions that all must hold.
	Terms []Term
}

// Store keeps the objects of one kind. It is safe for use by several goroutines. Objects that it hands out are shared:
// they must not be changed.
type Store interface {
	// Put keeps obj and returns the object that it replaces, nil if there was none.
	Put(obj Object) (old Object, err error)
	// Delete drops the object and returns it, nil if there was none.
	Delete(key Key) Object
	// Get returns the object, nil if there is none.
	Get(key Key) Object
	// Select calls yield for the objects of the query until it returns false, in no particular order. It must not be
	// called from yield again. An index that does not exist is an error.
	Select(q Query, yield func(Object) bool) error
	// AddIndex adds an index and fills it. A name that is in use is an error.
	AddIndex(name string, values IndexFunc) error
}

type keys = map[Key]struct{}

// Memory holds objects as the values that it was given.
type Memory struct {
	mu          sync.RWMutex
	objects     map[Key]Object
	byNamespace map[string]keys
	indexes     map[string]*index
}

type index struct {
	values IndexFunc
	// found is the way from a value to keys; a namespace is a condition of its own.
	found map[string]keys
	// of is the way back: what an object was put under, so that taking it out needs no second call of values, which may
	// answer otherwise by then.
	of map[Key][]string
}

var _ Store = &Memory{}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{objects: map[Key]Object{}, byNamespace: map[string]keys{}, indexes: map[string]*index{}}
}

// KeyOf returns the key of obj.
func KeyOf(obj metav1.Object) Key {
	return Key{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// Put implements Store. When an index function fails, nothing has changed.
func (m *Memory) Put(obj Object) (Object, error) {
	key := KeyOf(obj)
	m.mu.Lock()
	defer m.mu.Unlock()
	values := make(map[*index][]string, len(m.indexes))
	for name, ix := range m.indexes {
		vs, err := ix.values(obj)
		if err != nil {
			return nil, fmt.Errorf("index %q of %s: %w", name, key, err)
		}
		values[ix] = vs
	}
	old := m.objects[key]
	m.objects[key] = obj
	insert(m.byNamespace, key.Namespace, key)
	for ix, vs := range values {
		ix.remove(key)
		ix.add(key, vs)
	}
	return old, nil
}

// Delete implements Store.
func (m *Memory) Delete(key Key) Object {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok := m.objects[key]
	if !ok {
		return nil
	}
	delete(m.objects, key)
	remove(m.byNamespace, key.Namespace, key)
	for _, ix := range m.indexes {
		ix.remove(key)
	}
	return old
}

// Get implements Store.
func (m *Memory) Get(key Key) Object {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.objects[key]
}

// Select implements Store. It walks the smallest set that some condition leaves and checks the other conditions on it.
func (m *Memory) Select(q Query, yield func(Object) bool) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var sets []keys
	if q.Namespace != "" {
		sets = append(sets, m.byNamespace[q.Namespace])
	}
	for _, t := range q.Terms {
		ix, ok := m.indexes[t.Index]
		if !ok {
			return fmt.Errorf("no index %q", t.Index)
		}
		sets = append(sets, ix.found[t.Value])
	}
	if len(sets) == 0 {
		for _, obj := range m.objects {
			if !yield(obj) {
				break
			}
		}
		return nil
	}
	least := sets[0]
	for _, s := range sets[1:] {
		if len(s) < len(least) {
			least = s
		}
	}
	for key := range least {
		if inAll(sets, key) && !yield(m.objects[key]) {
			break
		}
	}
	return nil
}

// AddIndex implements Store. When the function fails for an object, the index is not added.
func (m *Memory) AddIndex(name string, values IndexFunc) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.indexes[name]; ok {
		return fmt.Errorf("index %q exists already", name)
	}
	ix := &index{values: values, found: map[string]keys{}, of: map[Key][]string{}}
	for key, obj := range m.objects {
		vs, err := values(obj)
		if err != nil {
			return fmt.Errorf("index %q of %s: %w", name, key, err)
		}
		ix.add(key, vs)
	}
	m.indexes[name] = ix
	return nil
}

func (ix *index) add(key Key, values []string) {
	if len(values) == 0 {
		return
	}
	for _, v := range values {
		insert(ix.found, v, key)
	}
	ix.of[key] = values
}

func (ix *index) remove(key Key) {
	for _, v := range ix.of[key] {
		remove(ix.found, v, key)
	}
	delete(ix.of, key)
}

func insert(m map[string]keys, at string, key Key) {
	set := m[at]
	if set == nil {
		set = keys{}
		m[at] = set
	}
	set[key] = struct{}{}
}

func remove(m map[string]keys, at string, key Key) {
	delete(m[at], key)
	if len(m[at]) == 0 {
		delete(m, at)
	}
}

func inAll(sets []keys, key Key) bool {
	for _, s := range sets {
		if _, ok := s[key]; !ok {
			return false
		}
	}
	return true
}
