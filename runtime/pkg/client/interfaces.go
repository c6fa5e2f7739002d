package client

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// Reader reads objects, from the API server or from a cache.
type Reader interface {
	// Get reads the object with the given key into obj. When there is none, the error satisfies
	// [apierrors.IsNotFound].
	Get(ctx context.Context, key ObjectKey, obj Object, opts ...GetOption) error

	// List reads the objects that opts select into list.
	List(ctx context.Context, list ObjectList, opts ...ListOption) error
}

// Writer changes objects on the API server.
type Writer interface {
	// Create stores obj, which must not exist yet, and fills it with what the server stored.
	Create(ctx context.Context, obj Object, opts ...CreateOption) error

	// Delete deletes obj, which is found by its name and namespace. An object with finalizers is only marked as deleted
	// and goes when the last of them is removed.
	Delete(ctx context.Context, obj Object, opts ...DeleteOption) error

	// Update replaces the stored object by obj and fills obj with what the server stored. It is refused as a conflict
	// when obj carries a resource version that is not the current one.
	Update(ctx context.Context, obj Object, opts ...UpdateOption) error

	// Patch changes the stored object by what patch says and fills obj with the result. The patch may be computed from
	// obj's content.
	Patch(ctx context.Context, obj Object, patch Patch, opts ...PatchOption) error

	// Apply applies a configuration on the server: the caller, named by [FieldOwner], states the fields it has an
	// opinion on and owns those from then on. Fields owned before and not stated any more are removed. Another owner's
	// fields give a conflict unless [ForceOwnership] is given.
	Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...ApplyOption) error

	// DeleteAllOf deletes all objects of obj's kind that opts select. Without [InNamespace] a namespaced kind cannot be
	// deleted this way.
	DeleteAllOf(ctx context.Context, obj Object, opts ...DeleteAllOfOption) error
}

// StatusClient gives access to the status subresource.
type StatusClient interface {
	// Status returns the writer of the status subresource.
	Status() SubResourceWriter
}

// SubResourceClientConstructor gives access to subresources by name.
type SubResourceClientConstructor interface {
	// SubResource returns a client for the subresource of that name, such as status, scale, eviction or token. Which of
	// its verbs work depends on the subresource: eviction and token are created, scale is read, updated and patched.
	SubResource(subResource string) SubResourceClient
}

// SubResourceReader reads a subresource.
type SubResourceReader interface {
	// Get reads obj's subresource into subResource, which may be of another kind than obj.
	Get(ctx context.Context, obj Object, subResource Object, opts ...SubResourceGetOption) error
}

// SubResourceWriter changes a subresource.
type SubResourceWriter interface {
	// Create sends subResource to obj's subresource and fills it with the answer.
	Create(ctx context.Context, obj Object, subResource Object, opts ...SubResourceCreateOption) error

	// Update replaces the part of the stored object that the subresource stands for, by obj, or by the body that
	// [WithSubResourceBody] gives. What was sent is filled with the answer.
	Update(ctx context.Context, obj Object, opts ...SubResourceUpdateOption) error

	// Patch changes the subresource by what patch says. The patch is computed from obj and the answer read into it,
	// unless [WithSubResourceBody] gives another value for both.
	Patch(ctx context.Context, obj Object, patch Patch, opts ...SubResourcePatchOption) error

	// Apply applies a configuration to the subresource on the server.
	Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...SubResourceApplyOption) error
}

// StatusWriter changes the status subresource.
//
// Deprecated: say [SubResourceWriter], which is the same type.
type StatusWriter = SubResourceWriter

// SubResourceClient reads and changes a subresource.
type SubResourceClient interface {
	SubResourceReader
	SubResourceWriter
}

// Client reads and changes objects and their subresources.
type Client interface {
	Reader
	Writer
	StatusClient
	SubResourceClientConstructor

	// Scheme returns the scheme in which the client finds kinds.
	Scheme() *runtime.Scheme
	// RESTMapper returns the mapper from kinds to resources.
	RESTMapper() meta.RESTMapper
	// GroupVersionKindFor returns the kind of obj.
	GroupVersionKindFor(obj runtime.Object) (schema.GroupVersionKind, error)
	// IsObjectNamespaced reports whether objects of obj's kind live in namespaces.
	IsObjectNamespaced(obj runtime.Object) (bool, error)
}

// WithWatch is a [Client] that can also watch. It is for commands and tests that wait for something; controllers watch
// through the cache.
type WithWatch interface {
	Client

	// Watch reports changes of the objects that opts select, as list would list them, until ctx ends or the returned
	// watch is stopped. The API server ends watches after a while: the result channel is then closed.
	Watch(ctx context.Context, list ObjectList, opts ...ListOption) (watch.Interface, error)
}

// IgnoreNotFound returns nil when err says that an object was not found, and err otherwise. Reconcilers use it for the
// object they were called for, which may be gone by then.
func IgnoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// IgnoreAlreadyExists returns nil when err says that an object exists already, and err otherwise.
func IgnoreAlreadyExists(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
