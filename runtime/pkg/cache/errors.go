package cache

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrCacheNotStarted is the error of reads before Start: nothing would ever fill the cache. Read with the manager's
// API reader where objects are needed before the manager starts.
type ErrCacheNotStarted struct{}

// Error says what to do.
func (*ErrCacheNotStarted) Error() string {
	return "the cache has not been started: start it (or the manager that owns it) before reading, or read with the API reader"
}

// ErrResourceNotCached is the error of reads of a kind without informer, on a cache with ReaderFailOnMissingInformer.
type ErrResourceNotCached struct {
	// GVK is the kind.
	GVK schema.GroupVersionKind
}

// Error names the kind.
func (e ErrResourceNotCached) Error() string {
	return fmt.Sprintf("%s is not cached: call GetInformer for it first, or unset ReaderFailOnMissingInformer", e.GVK)
}
