package komega

import (
	"context"

	"kubewright.dev/runtime/pkg/client"
)

// shared is what the package's own functions use.
var shared = komega{ctx: context.Background()}

// SetClient sets the client of the package's functions. Call it before them, once.
func SetClient(c client.Client) { shared.client = c }

// SetContext sets the context of the package's functions.
func SetContext(c context.Context) { shared.ctx = c }

func current() *komega {
	if shared.client == nil {
		panic("komega has no client: call SetClient first")
	}
	k := shared
	return &k
}

// Get is Komega.Get with the client of SetClient.
func Get(obj client.Object) func() error { return current().Get(obj) }

// List is Komega.List with the client of SetClient.
func List(list client.ObjectList, opts ...client.ListOption) func() error {
	return current().List(list, opts...)
}

// Update is Komega.Update with the client of SetClient.
func Update(obj client.Object, f func(), opts ...client.UpdateOption) func() error {
	return current().Update(obj, f, opts...)
}

// UpdateStatus is Komega.UpdateStatus with the client of SetClient.
func UpdateStatus(obj client.Object, f func(), opts ...client.SubResourceUpdateOption) func() error {
	return current().UpdateStatus(obj, f, opts...)
}

// Object is Komega.Object with the client of SetClient.
func Object(obj client.Object) func() (client.Object, error) { return current().Object(obj) }

// ObjectList is Komega.ObjectList with the client of SetClient.
func ObjectList(list client.ObjectList, opts ...client.ListOption) func() (client.ObjectList, error) {
	return current().ObjectList(list, opts...)
}
