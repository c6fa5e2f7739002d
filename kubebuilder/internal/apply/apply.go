// Package apply brings objects into an API server, by server-side apply, and takes them out again. It puts them into an
// order in which each finds what it needs, waits for custom resource definitions to serve before it applies their
// objects, and says of each object what became of it, in the words of kubectl.
package apply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// FieldManager is the name under which the API server records the fields that Apply sets.
const FieldManager = "kubewright"

// ApplyOptions are what users can choose of Apply.
type ApplyOptions struct {
	// FailOnConflict lets an object fail of which another manager has set fields to other values. Otherwise Apply
	// takes them over.
	FailOnConflict bool
	// Timeout is how long to wait for a definition to serve or a namespace to be gone that was being deleted. Zero
	// means a minute.
	Timeout time.Duration
}

// Apply creates the objects or brings them to what they are to be, and writes a line for each to out. It goes on after
// an object that fails; the error joins what went wrong, each with the object's file, kind and name.
func (s *Server) Apply(ctx context.Context, objects []Object, options ApplyOptions, out io.Writer) error {
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	var errs []error
	var definitions []Object
	for _, object := range inOrder(objects) {
		if len(definitions) > 0 && !isDefinition(object) {
			if err := s.awaitEstablished(ctx, definitions, options.Timeout); err != nil {
				errs = append(errs, err)
			}
			definitions = nil
		}
		done, err := s.applyOne(ctx, object, options)
		if err != nil {
			if s.unreachable(err) != nil {
				return s.unreachable(err)
			}
			errs = append(errs, object.wrap(err))
			continue
		}
		if isDefinition(object) {
			definitions = append(definitions, object)
		}
		fmt.Fprintf(out, "%s %s\n", object.resourceName(), done)
	}
	if err := s.awaitEstablished(ctx, definitions, options.Timeout); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// applyOne applies an object and says what that did.
func (s *Server) applyOne(ctx context.Context, object Object, options ApplyOptions) (string, error) {
	client, err := s.resource(ctx, object, true)
	if err != nil {
		return "", err
	}
	before, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		before = nil
	case err != nil:
		return "", err
	case before.GetDeletionTimestamp() != nil && (isDefinition(object) || isNamespace(object)):
		// Applying to it would seem to work, and then it would vanish.
		if err := awaitGone(ctx, client, before, options.Timeout); err != nil {
			return "", err
		}
		before = nil
	}
	patched, err := client.Apply(ctx, object.GetName(), object.forApply(), metav1.ApplyOptions{
		FieldManager: FieldManager,
		Force:        !options.FailOnConflict,
	})
	switch {
	case apierrors.IsConflict(err):
		return "", fmt.Errorf("%w; apply with --force-conflicts to take the fields over", err)
	case err != nil:
		return "", err
	case before == nil:
		return "created", nil
	case sameContent(before, patched):
		return "unchanged", nil
	}
	return "configured", nil
}

// sameContent compares two states of an object without the API server's records of who set what: these may change though
// the object has not.
func sameContent(a, b *unstructured.Unstructured) bool {
	if a.GetResourceVersion() == b.GetResourceVersion() {
		return true
	}
	a, b = a.DeepCopy(), b.DeepCopy()
	for _, object := range []*unstructured.Unstructured{a, b} {
		object.SetManagedFields(nil)
		object.SetResourceVersion("")
	}
	return equality.Semantic.DeepEqual(a.Object, b.Object)
}

// resource returns the client for an object's kind and namespace. While the kind may just have been installed, it asks the
// API server again before it gives up.
func (s *Server) resource(ctx context.Context, object Object, fresh bool) (dynamic.ResourceInterface, error) {
	gvk := object.GroupVersionKind()
	mapping, err := s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) && fresh && s.installed[gvk.GroupKind()] {
		mapping, err = s.awaitMapping(ctx, gvk)
	}
	if meta.IsNoMatchError(err) {
		return nil, &unknownKindError{gvk: gvk}
	}
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return s.dynamic.Resource(mapping.Resource), nil
	}
	if object.GetNamespace() == "" {
		object.SetNamespace(s.namespace)
	}
	return s.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace()), nil
}

// forApply returns the object without what only the API server may set, which manifests made from a live object hold.
func (o Object) forApply() *unstructured.Unstructured {
	object := o.DeepCopy()
	object.SetManagedFields(nil)
	object.SetResourceVersion("")
	object.SetUID("")
	unstructured.RemoveNestedField(object.Object, "metadata", "creationTimestamp")
	unstructured.RemoveNestedField(object.Object, "metadata", "generation")
	unstructured.RemoveNestedField(object.Object, "status")
	return object
}
