package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Object is a Kubernetes object: a value with a kind that can be encoded and copied, and with metadata of its own. Every
// kind that the API server stores is one; lists and options are not.
type Object interface {
	metav1.Object
	runtime.Object
}

// ObjectList is a list of Kubernetes objects as the API server answers it: items together with list metadata, which
// holds the resource version of the collection and the token of the next page.
type ObjectList interface {
	metav1.ListInterface
	runtime.Object
}

// ObjectKey identifies an object within its kind. Namespace is empty for cluster-scoped kinds.
type ObjectKey = types.NamespacedName

// ObjectKeyFromObject returns the key of obj.
func ObjectKeyFromObject(obj Object) ObjectKey {
	return ObjectKey{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// IndexerFunc extracts the values under which an object is found in an index. The values need no namespace: whoever
// keeps the index adds it.
type IndexerFunc func(Object) []string

// FieldIndexer adds indexes to a cache, which then answers lists with a field selector on that field.
type FieldIndexer interface {
	// IndexField indexes the objects of obj's kind by what extractValue returns for them, under the name field. A field
	// selector of that name then selects on the index, by exact match only. Names look like JSON paths by custom, but
	// any string does. It is to be called before the cache has started to read the kind.
	IndexField(ctx context.Context, obj Object, field string, extractValue IndexerFunc) error
}
