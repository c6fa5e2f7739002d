package cache

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"

	"kubewright.dev/runtime/internal/store"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
)

// Get implements client.Reader.
func (c *informerCache) Get(ctx context.Context, key client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	var o client.GetOptions
	o.ApplyOptions(opts)
	gvk, err := apiutil.GVKForObject(out, c.opts.Scheme)
	if err != nil {
		return err
	}
	v, err := c.readable(ctx, gvk, formOf(out))
	if err != nil {
		return err
	}
	if !v.kind.namespaced {
		key.Namespace = ""
	}
	s, err := v.scopeOf(key.Namespace)
	if err != nil {
		return fmt.Errorf("get %s %s: %w", gvk.Kind, key, err)
	}
	obj := v.store.Get(key)
	if obj == nil {
		return apierrors.NewNotFound(v.kind.resource.GroupResource(), key.Name)
	}
	obj, err = given(obj, v.form, shared(o.UnsafeDisableDeepCopy, s), gvk, c.opts.Scheme)
	if err != nil {
		return err
	}
	return assign(out, obj)
}

// List implements client.Reader.
func (c *informerCache) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(opts)
	gvk, err := apiutil.GVKForObject(out, c.opts.Scheme)
	if err != nil {
		return err
	}
	gvk.Kind = strings.TrimSuffix(gvk.Kind, "List")
	if o.Continue != "" {
		return fmt.Errorf("list %s: a cache does not give its answers in pages: leave the continue token out", gvk.Kind)
	}
	v, err := c.readable(ctx, gvk, formOf(out))
	if err != nil {
		return err
	}
	if !v.kind.namespaced {
		o.Namespace = ""
	}
	if o.Namespace != "" {
		if _, err := v.scopeOf(o.Namespace); err != nil {
			return fmt.Errorf("list %s: %w", gvk.Kind, err)
		}
	}
	found, err := v.find(o)
	if err != nil {
		return fmt.Errorf("list %s: %w", gvk.Kind, err)
	}
	items := make([]runtime.Object, 0, len(found))
	for _, obj := range found {
		s, err := v.scopeOf(obj.GetNamespace())
		if err != nil {
			return err
		}
		item, err := given(obj, v.form, shared(o.UnsafeDisableDeepCopy, s), gvk, c.opts.Scheme)
		if err != nil {
			return err
		}
		items = append(items, item)
	}
	return meta.SetList(out, items)
}

// readable returns the kind's informer when its objects are there.
func (c *informerCache) readable(ctx context.Context, gvk schema.GroupVersionKind, f form) (view, error) {
	if !closed(c.started) {
		return view{}, &ErrCacheNotStarted{}
	}
	if c.opts.ReaderFailOnMissingInformer {
		c.mu.Lock()
		_, ok := c.informers[gvk]
		c.mu.Unlock()
		if !ok {
			return view{}, &ErrResourceNotCached{GVK: gvk}
		}
	}
	v, err := c.ensure(gvk, f)
	if err != nil {
		return view{}, err
	}
	return v, v.wait(ctx, f)
}

// scopeOf returns the scope that a namespace is in.
func (v view) scopeOf(namespace string) (scope, error) {
	for _, s := range v.scopes {
		if s.has(namespace) {
			return s, nil
		}
	}
	return scope{}, fmt.Errorf("namespace %q is not cached: add it to the cache's DefaultNamespaces or to ByObject of the kind", namespace)
}

func shared(asked *bool, s scope) bool {
	if asked != nil {
		return *asked
	}
	return s.shared
}

// find returns the objects that the options select, up to the limit.
func (v view) find(o client.ListOptions) ([]store.Object, error) {
	q := store.Query{Namespace: o.Namespace}
	if o.FieldSelector != nil {
		for _, r := range o.FieldSelector.Requirements() {
			if r.Operator != selection.Equals && r.Operator != selection.DoubleEquals {
				return nil, fmt.Errorf("field selector %q: a cache selects fields by exact match only, not by %q", o.FieldSelector.String(), r.Operator)
			}
			q.Terms = append(q.Terms, store.Term{Index: fieldIndex(r.Field), Value: r.Value})
		}
	}
	var out []store.Object
	err := v.store.Select(q, func(obj store.Object) bool {
		if o.LabelSelector == nil || o.LabelSelector.Matches(labels.Set(obj.GetLabels())) {
			out = append(out, obj)
		}
		return o.Limit <= 0 || int64(len(out)) < o.Limit
	})
	if err != nil {
		return nil, missingIndex(o.FieldSelector, err)
	}
	return out, nil
}

func missingIndex(selector fields.Selector, err error) error {
	if selector == nil {
		return err
	}
	return fmt.Errorf("field selector %q: %w: add it with IndexField before the manager starts", selector.String(), err)
}
