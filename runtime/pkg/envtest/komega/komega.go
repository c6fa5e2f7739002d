// Package komega shortens what tests ask of an API server with gomega: its functions return functions, which
// Eventually calls until they succeed.
//
//	k := komega.New(client)
//	Eventually(k.Get(person)).Should(Succeed())
//	Eventually(k.Update(person, func() { person.Spec.FirstName = "Keon" })).Should(Succeed())
//	Eventually(k.Object(person)).Should(HaveField("Status.Greeted", BeTrue()))
package komega

import (
	"context"
	"fmt"

	"kubewright.dev/runtime/pkg/client"
)

// Komega makes functions that ask an API server.
type Komega interface {
	// Get returns a function that reads the object anew, by its name and namespace.
	Get(client.Object) func() error
	// List returns a function that reads the list anew.
	List(client.ObjectList, ...client.ListOption) func() error
	// Update returns a function that reads the object anew, calls the given function to change it, and writes it.
	// After a conflict call it again.
	Update(client.Object, func(), ...client.UpdateOption) func() error
	// UpdateStatus is Update for the object's status.
	UpdateStatus(client.Object, func(), ...client.SubResourceUpdateOption) func() error
	// Object returns a function that reads the object anew and returns it.
	Object(client.Object) func() (client.Object, error)
	// ObjectList returns a function that reads the list anew and returns it.
	ObjectList(client.ObjectList, ...client.ListOption) func() (client.ObjectList, error)
	// WithContext returns a Komega whose functions use the context.
	WithContext(context.Context) Komega
}

// New returns a Komega that asks by the client.
func New(c client.Client) Komega {
	return &komega{client: c, ctx: context.Background()}
}

type komega struct {
	client client.Client
	ctx    context.Context
}

func (k komega) WithContext(ctx context.Context) Komega {
	k.ctx = ctx
	return &k
}

func (k *komega) read(obj client.Object) error {
	return k.client.Get(k.ctx, client.ObjectKeyFromObject(obj), obj)
}

func (k *komega) Get(obj client.Object) func() error {
	return func() error { return k.read(obj) }
}

func (k *komega) List(list client.ObjectList, opts ...client.ListOption) func() error {
	return func() error { return k.client.List(k.ctx, list, opts...) }
}

func (k *komega) Update(obj client.Object, change func(), opts ...client.UpdateOption) func() error {
	return func() error {
		if err := k.read(obj); err != nil {
			return err
		}
		change()
		return k.client.Update(k.ctx, obj, opts...)
	}
}

func (k *komega) UpdateStatus(obj client.Object, change func(), opts ...client.SubResourceUpdateOption) func() error {
	return func() error {
		if err := k.read(obj); err != nil {
			return err
		}
		change()
		return k.client.Status().Update(k.ctx, obj, opts...)
	}
}

func (k *komega) Object(obj client.Object) func() (client.Object, error) {
	return func() (client.Object, error) { return obj, k.read(obj) }
}

func (k *komega) ObjectList(list client.ObjectList, opts ...client.ListOption) func() (client.ObjectList, error) {
	return func() (client.ObjectList, error) {
		if err := k.client.List(k.ctx, list, opts...); err != nil {
			return list, fmt.Errorf("list %T: %w", list, err)
		}
		return list, nil
	}
}
