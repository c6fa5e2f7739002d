package apply

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
)

const (
	defaultTimeout = time.Minute
	pollInterval   = 50 * time.Millisecond
	// discoveryTimeout bounds how long the API server may take from serving a definition to listing its kind.
	discoveryTimeout = 10 * time.Second
)

// awaitEstablished returns when the API server serves the definitions' kinds.
func (s *Server) awaitEstablished(ctx context.Context, definitions []Object, timeout time.Duration) error {
	if len(definitions) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var errs []error
	for _, definition := range definitions {
		client, err := s.resource(ctx, definition, false)
		if err != nil {
			errs = append(errs, definition.wrap(err))
			continue
		}
		state := "it does not say why"
		err = wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
			now, err := client.Get(ctx, definition.GetName(), metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			var established bool
			established, state = readConditions(now)
			return established, nil
		})
		if err != nil {
			errs = append(errs, definition.wrap(fmt.Errorf("the API server does not serve it (%s): %w", state, err)))
		}
		group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
		kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
		s.installed[schema.GroupKind{Group: group, Kind: kind}] = true
	}
	s.mapper.Reset()
	return errors.Join(errs...)
}

// readConditions says whether a definition is established, and else what its conditions say.
func readConditions(definition *unstructured.Unstructured) (established bool, state string) {
	conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
	var problems []string
	for _, entry := range conditions {
		condition, _ := entry.(map[string]any)
		switch {
		case condition["type"] == "Established" && condition["status"] == "True":
			established = true
		case condition["status"] == "False" || condition["type"] == "NonStructuralSchema":
			problems = append(problems, fmt.Sprintf("%v: %v", condition["reason"], condition["message"]))
		}
	}
	return established, strings.Join(problems, "; ")
}

// awaitMapping asks the API server for a kind until it lists it.
func (s *Server) awaitMapping(ctx context.Context, gvk schema.GroupVersionKind) (*meta.RESTMapping, error) {
	ctx, cancel := context.WithTimeout(ctx, discoveryTimeout)
	defer cancel()
	var mapping *meta.RESTMapping
	var last error
	err := wait.PollUntilContextCancel(ctx, pollInterval, true, func(context.Context) (bool, error) {
		s.mapper.Reset()
		mapping, last = s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if last != nil && !meta.IsNoMatchError(last) {
			return false, last
		}
		return last == nil, nil
	})
	if err != nil {
		return nil, errors.Join(last)
	}
	return mapping, nil
}

// awaitGone returns when the object, which is being deleted, is no more. An object that is made anew under the same name
// is another one.
func awaitGone(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	last := object
	err := wait.PollUntilContextCancel(ctx, pollInterval, true, func(ctx context.Context) (bool, error) {
		now, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		last = now
		return now.GetUID() != object.GetUID(), nil
	})
	if wait.Interrupted(err) {
		return fmt.Errorf("it is being deleted, but is not gone yet%s", holdup(last))
	}
	return err
}

// holdup says what keeps an object from going.
func holdup(object *unstructured.Unstructured) string {
	var reasons []string
	if finalizers := object.GetFinalizers(); len(finalizers) > 0 {
		reasons = append(reasons, "its finalizers are "+strings.Join(finalizers, ", "))
	}
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, entry := range conditions {
		condition, _ := entry.(map[string]any)
		kind, _ := condition["type"].(string)
		if kind == "Terminating" || condition["status"] == "True" && strings.HasPrefix(kind, "Namespace") {
			reasons = append(reasons, fmt.Sprint(condition["message"]))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ") + " (whoever removes the finalizers, the manager for its own kinds, must run)"
}
