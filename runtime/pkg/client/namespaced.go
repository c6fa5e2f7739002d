package client

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"kubewright.dev/runtime/pkg/client/apiutil"
)

// NewNamespacedClient returns a client for the objects of one namespace. Objects and keys without a namespace are taken
// to be in it, those of another are refused, and lists are of that namespace. Cluster-scoped kinds are not affected.
func NewNamespacedClient(c Client, namespace string) Client { return &inNamespace{c, namespace} }

type inNamespace struct {
	Client
	namespace string
}

// place returns the namespace for an object of obj's kind that has the given namespace.
func (n *inNamespace) place(obj runtime.Object, given ObjectKey) (string, error) {
	namespaced, err := n.IsObjectNamespaced(obj)
	if err != nil {
		return "", fmt.Errorf("client of namespace %s: %w", n.namespace, err)
	}
	return n.check(namespaced, given)
}

func (n *inNamespace) check(namespaced bool, given ObjectKey) (string, error) {
	if !namespaced || given.Namespace == n.namespace {
		return given.Namespace, nil
	}
	if given.Namespace != "" {
		return "", fmt.Errorf("client of namespace %s: %s is in another one", n.namespace, given)
	}
	return n.namespace, nil
}

// move puts obj into the namespace.
func (n *inNamespace) move(obj Object) error {
	namespace, err := n.place(obj, ObjectKeyFromObject(obj))
	if err != nil {
		return err
	}
	if namespace != obj.GetNamespace() {
		obj.SetNamespace(namespace)
	}
	return nil
}

// moveConfiguration puts an apply configuration into the namespace.
func (n *inNamespace) moveConfiguration(obj runtime.ApplyConfiguration) error {
	gvk, key, _, err := describe(obj)
	if err != nil {
		return err
	}
	namespaced, err := apiutil.IsGVKNamespaced(gvk, n.RESTMapper())
	if err != nil {
		return fmt.Errorf("client of namespace %s: %w", n.namespace, err)
	}
	namespace, err := n.check(namespaced, key)
	if err != nil || namespace == key.Namespace {
		return err
	}
	if u, ok := obj.(*unstructuredConfiguration); ok {
		u.SetNamespace(namespace)
		return nil
	}
	// Each generated configuration has this method, with a result type of its own, so no interface has it.
	set := reflect.ValueOf(obj).MethodByName("WithNamespace")
	if !set.IsValid() || set.Type().NumIn() != 1 || set.Type().In(0).Kind() != reflect.String {
		return fmt.Errorf("client of namespace %s: a %T has no method WithNamespace(string); set its namespace", n.namespace, obj)
	}
	set.Call([]reflect.Value{reflect.ValueOf(namespace).Convert(set.Type().In(0))})
	return nil
}

func (n *inNamespace) Get(ctx context.Context, key ObjectKey, obj Object, opts ...GetOption) error {
	namespace, err := n.place(obj, key)
	if err != nil {
		return err
	}
	key.Namespace = namespace
	return n.Client.Get(ctx, key, obj, opts...)
}

func (n *inNamespace) List(ctx context.Context, list ObjectList, opts ...ListOption) error {
	return n.Client.List(ctx, list, append(opts[:len(opts):len(opts)], InNamespace(n.namespace))...)
}

func (n *inNamespace) Create(ctx context.Context, obj Object, opts ...CreateOption) error {
	if err := n.move(obj); err != nil {
		return err
	}
	return n.Client.Create(ctx, obj, opts...)
}

func (n *inNamespace) Update(ctx context.Context, obj Object, opts ...UpdateOption) error {
	if err := n.move(obj); err != nil {
		return err
	}
	return n.Client.Update(ctx, obj, opts...)
}

func (n *inNamespace) Patch(ctx context.Context, obj Object, patch Patch, opts ...PatchOption) error {
	if err := n.move(obj); err != nil {
		return err
	}
	return n.Client.Patch(ctx, obj, patch, opts...)
}

func (n *inNamespace) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...ApplyOption) error {
	if err := n.moveConfiguration(obj); err != nil {
		return err
	}
	return n.Client.Apply(ctx, obj, opts...)
}

func (n *inNamespace) Delete(ctx context.Context, obj Object, opts ...DeleteOption) error {
	if err := n.move(obj); err != nil {
		return err
	}
	return n.Client.Delete(ctx, obj, opts...)
}

func (n *inNamespace) DeleteAllOf(ctx context.Context, obj Object, opts ...DeleteAllOfOption) error {
	namespaced, err := n.IsObjectNamespaced(obj)
	if err != nil {
		return fmt.Errorf("client of namespace %s: %w", n.namespace, err)
	}
	if namespaced {
		opts = append(opts[:len(opts):len(opts)], InNamespace(n.namespace))
	}
	return n.Client.DeleteAllOf(ctx, obj, opts...)
}

func (n *inNamespace) Status() SubResourceWriter { return n.SubResource("status") }

func (n *inNamespace) SubResource(name string) SubResourceClient {
	return inNamespaceSubResource{n.Client.SubResource(name), n}
}

// inNamespaceSubResource does for a subresource what inNamespace does for the object.
type inNamespaceSubResource struct {
	SubResourceClient
	in *inNamespace
}

func (s inNamespaceSubResource) Get(ctx context.Context, obj, into Object, opts ...SubResourceGetOption) error {
	if err := s.in.move(obj); err != nil {
		return err
	}
	return s.SubResourceClient.Get(ctx, obj, into, opts...)
}

func (s inNamespaceSubResource) Create(ctx context.Context, obj, body Object, opts ...SubResourceCreateOption) error {
	if err := s.in.move(obj); err != nil {
		return err
	}
	return s.SubResourceClient.Create(ctx, obj, body, opts...)
}

func (s inNamespaceSubResource) Update(ctx context.Context, obj Object, opts ...SubResourceUpdateOption) error {
	if err := s.in.move(obj); err != nil {
		return err
	}
	return s.SubResourceClient.Update(ctx, obj, opts...)
}

func (s inNamespaceSubResource) Patch(ctx context.Context, obj Object, patch Patch, opts ...SubResourcePatchOption) error {
	if err := s.in.move(obj); err != nil {
		return err
	}
	return s.SubResourceClient.Patch(ctx, obj, patch, opts...)
}

func (s inNamespaceSubResource) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...SubResourceApplyOption) error {
	if err := s.in.moveConfiguration(obj); err != nil {
		return err
	}
	return s.SubResourceClient.Apply(ctx, obj, opts...)
}
