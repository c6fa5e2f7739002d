package apply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// DeleteOptions are what users can choose of Delete.
type DeleteOptions struct {
	IgnoreNotFound bool // an object, or a kind, that is not there is no error
	// Timeout is how long to wait for objects to be gone. Zero means a minute.
	Timeout time.Duration
}

// deletion is an object whose deletion was asked for.
type deletion struct {
	Object
	client dynamic.ResourceInterface
	live   *unstructured.Unstructured
}

// Delete deletes the objects, writes a line for each to out and returns when all are gone. Definitions go first, and with
// them their objects, while the manager that removes those objects' finalizers is still there; then the others in the
// reverse of the order in which Apply brings them in. Each object that fails is in the error, with its file, kind and name.
func (s *Server) Delete(ctx context.Context, objects []Object, options DeleteOptions, out io.Writer) error {
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	ordered := inOrder(objects)
	slices.Reverse(ordered)
	var definitions, others []Object
	for _, object := range ordered {
		if isDefinition(object) {
			definitions = append(definitions, object)
		} else {
			others = append(others, object)
		}
	}
	// Objects of the definitions that are to be deleted themselves are looked up before their kind is gone.
	var errs []error
	for _, group := range [][]Object{instances(others, definitions), definitions, withoutInstances(others, definitions)} {
		if err := s.deleteAll(ctx, group, options, out); err != nil {
			if s.unreachable(err) != nil {
				return s.unreachable(err)
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// deleteAll asks for the deletion of all objects and then waits for all.
func (s *Server) deleteAll(ctx context.Context, objects []Object, options DeleteOptions, out io.Writer) error {
	var errs []error
	var pending []deletion
	for _, object := range objects {
		client, live, err := s.deleteOne(ctx, object)
		switch {
		case options.IgnoreNotFound && (apierrors.IsNotFound(err) || errors.Is(err, &meta.NoKindMatchError{})):
		case err != nil:
			errs = append(errs, object.wrap(err))
		default:
			fmt.Fprintf(out, "%s %q deleted\n", object.typeName(), object.GetName())
			pending = append(pending, deletion{object, client, live})
		}
	}
	deadline := time.Now().Add(options.Timeout)
	for _, object := range pending {
		if err := awaitGone(ctx, object.client, object.live, max(time.Until(deadline), time.Second)); err != nil {
			errs = append(errs, object.wrap(err))
		}
	}
	return errors.Join(errs...)
}

// deleteOne asks for the deletion of an object and returns it as it was.
func (s *Server) deleteOne(ctx context.Context, object Object) (dynamic.ResourceInterface, *unstructured.Unstructured, error) {
	client, err := s.resource(ctx, object, false)
	if err != nil {
		return nil, nil, err
	}
	live, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	background := metav1.DeletePropagationBackground
	return client, live, client.Delete(ctx, object.GetName(), metav1.DeleteOptions{PropagationPolicy: &background})
}

// instances returns the objects whose kind one of the definitions defines.
func instances(objects, definitions []Object) []Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool { return !definedBy(o, definitions) })
}

func withoutInstances(objects, definitions []Object) []Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool { return definedBy(o, definitions) })
}

func definedBy(object Object, definitions []Object) bool {
	gvk := object.GroupVersionKind()
	return slices.ContainsFunc(definitions, func(definition Object) bool {
		group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
		kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
		return group == gvk.Group && kind == gvk.Kind
	})
}
