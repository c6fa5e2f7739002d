package cache

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"kubewright.dev/runtime/pkg/client"
)

// AllNamespaces is the key of Options.DefaultNamespaces and ByObject.Namespaces that stands for all namespaces which
// have no entry of their own.
const AllNamespaces = ""

// NewCacheFunc makes a cache; New is one.
type NewCacheFunc func(config *rest.Config, opts Options) (Cache, error)

// Options say what a cache keeps and how. The zero value keeps all objects of the kinds that are asked for, in all
// namespaces, without their managed fields.
type Options struct {
	// HTTPClient sends the requests. Default: one made from the REST config.
	HTTPClient *http.Client

	// Scheme maps Go types to kinds. Default: the scheme of client-go, which has the built-in kinds.
	Scheme *runtime.Scheme

	// Mapper finds the resource of a kind and whether it has namespaces. Default: a mapper that asks the API server.
	Mapper meta.RESTMapper

	// SyncPeriod is the time after which handlers get an update event for every object although nothing changed, with
	// up to a tenth more so that caches do not act together. Default: ten hours. It does not read from the server again.
	SyncPeriod *time.Duration

	// ReaderFailOnMissingInformer makes Get and List fail with ErrResourceNotCached for a kind that no informer was asked
	// for, instead of starting one.
	ReaderFailOnMissingInformer bool

	// DefaultNamespaces limits namespaced kinds to these namespaces, each with its own settings. Cluster-scoped kinds are
	// not limited. Nil means all namespaces.
	DefaultNamespaces map[string]Config

	// DefaultLabelSelector limits kinds that have no selector of their own to the objects with such labels.
	DefaultLabelSelector labels.Selector

	// DefaultFieldSelector limits kinds that have no selector of their own to the objects with such fields.
	DefaultFieldSelector fields.Selector

	// DefaultTransform changes objects before they are kept, usually to drop what nobody reads. Where a transform is
	// given, managed fields are kept unless that drops them; see TransformStripManagedFields.
	DefaultTransform toolscache.TransformFunc

	// DefaultWatchErrorHandler is called with each error of a list or watch. Default: the error is logged, with the
	// remedy where there is one.
	DefaultWatchErrorHandler toolscache.WatchErrorHandlerWithContext

	// DefaultUnsafeDisableDeepCopy makes reads hand out the objects that the cache holds, which must then not be changed.
	DefaultUnsafeDisableDeepCopy *bool

	// DefaultEnableWatchBookmarks asks the server for bookmarks, which make watches cheaper to resume. Default: true.
	DefaultEnableWatchBookmarks *bool

	// ByObject has settings for single kinds. Its keys are empty objects of the kind; typed, unstructured and
	// metadata-only ones mean the same.
	ByObject map[client.Object]ByObject

	// NewInformer makes the informers instead of the cache's own one, for tests and special stores.
	NewInformer func(toolscache.ListerWatcher, runtime.Object, time.Duration, toolscache.Indexers) toolscache.SharedIndexInformer
}

// ByObject are the settings of one kind. What is not set comes from the defaults of Options.
type ByObject struct {
	// Namespaces limits the kind to these namespaces, each with its own settings. An empty map that is not nil means
	// all namespaces, whatever DefaultNamespaces says. It must not be set for a cluster-scoped kind.
	Namespaces map[string]Config

	// Label limits the kind to objects with such labels. labels.Everything() lifts a default selector.
	Label labels.Selector

	// Field limits the kind to objects with such fields. fields.Everything() lifts a default selector.
	Field fields.Selector

	// Transform changes objects before they are kept.
	Transform toolscache.TransformFunc

	// UnsafeDisableDeepCopy makes reads hand out the objects that the cache holds.
	UnsafeDisableDeepCopy *bool

	// EnableWatchBookmarks asks the server for bookmarks.
	EnableWatchBookmarks *bool

	// SyncPeriod is the time between update events for unchanged objects.
	SyncPeriod *time.Duration
}

// Config are the settings of one namespace. What is not set comes from the kind's settings, then from the defaults.
type Config struct {
	// LabelSelector limits the namespace to objects with such labels.
	LabelSelector labels.Selector

	// FieldSelector limits the namespace to objects with such fields.
	FieldSelector fields.Selector

	// Transform changes objects before they are kept.
	Transform toolscache.TransformFunc

	// UnsafeDisableDeepCopy makes reads hand out the objects that the cache holds.
	UnsafeDisableDeepCopy *bool

	// EnableWatchBookmarks asks the server for bookmarks.
	EnableWatchBookmarks *bool

	// SyncPeriod is the time between update events for unchanged objects.
	SyncPeriod *time.Duration
}
