package client

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ApplyConfigurationFromUnstructured makes an unstructured value an apply configuration. All fields that it has are
// applied, and it is filled with the answer.
func ApplyConfigurationFromUnstructured(u *unstructured.Unstructured) runtime.ApplyConfiguration {
	return &unstructuredConfiguration{u}
}

type unstructuredConfiguration struct{ *unstructured.Unstructured }

// IsApplyConfiguration marks the type.
func (*unstructuredConfiguration) IsApplyConfiguration() {}

// configuration is what the address of an apply is made of. Every configuration says it in its JSON, whatever its Go type.
type configuration struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

// describe returns a configuration's kind and key, and its JSON.
func describe(obj runtime.ApplyConfiguration) (schema.GroupVersionKind, ObjectKey, []byte, error) {
	var gvk schema.GroupVersionKind
	data, err := json.Marshal(obj)
	if err != nil {
		return gvk, ObjectKey{}, nil, fmt.Errorf("apply of a %T: %w", obj, err)
	}
	var c configuration
	if err := json.Unmarshal(data, &c); err != nil {
		return gvk, ObjectKey{}, nil, fmt.Errorf("apply of a %T: %w", obj, err)
	}
	gvk = c.GroupVersionKind()
	key := ObjectKey{Namespace: c.Metadata.Namespace, Name: c.Metadata.Name}
	if gvk.Kind == "" || gvk.Version == "" {
		return gvk, key, nil, fmt.Errorf("apply of a %T named %q: it has no kind or apiVersion; make it with its constructor, or set them", obj, key)
	}
	if key.Name == "" {
		return gvk, key, nil, fmt.Errorf("apply of a %s: it has no name", gvk.Kind)
	}
	return gvk, key, data, nil
}

// applyConfig sends a configuration to an object or one of its subresources. A body is sent in its place.
func (o objects) applyConfig(ctx context.Context, obj runtime.ApplyConfiguration, subResource string, body runtime.ApplyConfiguration, opts *metav1.PatchOptions) error {
	gvk, key, data, err := describe(obj)
	if err != nil {
		return err
	}
	answered := obj
	if body != nil {
		answered = body
		if data, err = json.Marshal(body); err != nil {
			return fmt.Errorf("apply to %s of %s %s: %w", subResource, gvk.Kind, key, err)
		}
	}
	e, err := o.endpoints.forKind(gvk, schemalessEncoding)
	if err != nil {
		return err
	}
	answer := e.at(e.Patch(types.ApplyPatchType), key).SubResource(segments(subResource)...).
		VersionedParams(opts, queryParameters{}).Body(data).Do(ctx)
	if err := answer.Error(); err != nil {
		return err
	}
	stored, err := answer.Raw()
	if err != nil {
		return err
	}
	return readConfiguration(stored, answered)
}

// readConfiguration decodes the server's answer into the configuration that was applied, by way of a fresh value, so that
// what it had before does not show through.
func readConfiguration(answer []byte, obj runtime.ApplyConfiguration) error {
	if u, ok := obj.(*unstructuredConfiguration); ok {
		return u.UnmarshalJSON(answer)
	}
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	fresh := reflect.New(v.Type().Elem())
	if err := json.Unmarshal(answer, fresh.Interface()); err != nil {
		return fmt.Errorf("answer to the apply of a %T: %w", obj, err)
	}
	v.Elem().Set(fresh.Elem())
	return nil
}
