package cache

import (
	"math/rand/v2"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resyncOf returns the time between update events for unchanged objects of a kind.
func (c *informerCache) resyncOf(gvk schema.GroupVersionKind) time.Duration {
	period := defaultSyncPeriod
	if p := first(c.byKind[gvk].SyncPeriod, c.opts.SyncPeriod); p != nil {
		period = *p
	}
	// Processes that started together should not load their handlers together.
	return period + time.Duration(rand.Float64()*0.1*float64(period))
}

// scopesOf returns what the watches of a kind cover, each object once.
func (c *informerCache) scopesOf(k kind) []scope {
	own := c.byKind[k.gvk]
	namespaces := own.Namespaces
	if namespaces == nil {
		namespaces = c.opts.DefaultNamespaces
	}
	if !k.namespaced || len(namespaces) == 0 {
		return []scope{c.scopeOf(own, Config{}, AllNamespaces, nil)}
	}
	var named []string
	for ns := range namespaces {
		if ns != AllNamespaces {
			named = append(named, ns)
		}
	}
	slices.Sort(named)
	var out []scope
	for _, ns := range named {
		out = append(out, c.scopeOf(own, namespaces[ns], ns, nil))
	}
	if rest, ok := namespaces[AllNamespaces]; ok {
		out = append(out, c.scopeOf(own, rest, AllNamespaces, named))
	}
	return out
}

// scopeOf fills a scope from the settings of the namespace, then of the kind, then of the cache.
func (c *informerCache) scopeOf(own ByObject, at Config, namespace string, without []string) scope {
	s := scope{namespace: namespace, without: without, bookmarks: true, transform: TransformStripManagedFields()}
	if s.label = at.LabelSelector; s.label == nil {
		if s.label = own.Label; s.label == nil {
			s.label = c.opts.DefaultLabelSelector
		}
	}
	if s.field = at.FieldSelector; s.field == nil {
		if s.field = own.Field; s.field == nil {
			s.field = c.opts.DefaultFieldSelector
		}
	}
	switch {
	case at.Transform != nil:
		s.transform = at.Transform
	case own.Transform != nil:
		s.transform = own.Transform
	case c.opts.DefaultTransform != nil:
		s.transform = c.opts.DefaultTransform
	}
	if b := first(at.EnableWatchBookmarks, own.EnableWatchBookmarks, c.opts.DefaultEnableWatchBookmarks); b != nil {
		s.bookmarks = *b
	}
	if b := first(at.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy, c.opts.DefaultUnsafeDisableDeepCopy); b != nil {
		s.shared = *b
	}
	return s
}

// first returns the first of the settings that is set, nil if none is.
func first[T any](settings ...*T) *T {
	for _, s := range settings {
		if s != nil {
			return s
		}
	}
	return nil
}
