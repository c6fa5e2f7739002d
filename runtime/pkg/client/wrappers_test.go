package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/interceptor"
)

func TestADryRunClientStoresNothing(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	ns := newNamespace(t, c)
	dry := newClient(t, client.Options{DryRun: new(true)})
	obj := configMap(ns, "a", nil)
	must(t, dry.Create(ctx, obj))
	if obj.UID == "" {
		t.Error("the answer of a dry run is what would be stored")
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); !apierrors.IsNotFound(err) {
		t.Errorf("stored all the same: %v", err)
	}
}

func TestAFieldOwnerIsOverriddenByTheRequests(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	owned := client.WithFieldOwner(c, "house")
	ns := newNamespace(t, c)
	for want, opts := range map[string][]client.CreateOption{"house": nil, "mine": {client.FieldOwner("mine")}} {
		obj := configMap(ns, want, nil)
		must(t, owned.Create(ctx, obj, opts...))
		if got := obj.ManagedFields[0].Manager; got != want {
			t.Errorf("owner: got %s, want %s", got, want)
		}
	}
}

func TestStrictFieldValidationRefusesUnknownFields(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	strict := client.WithFieldValidation(c, metav1.FieldValidationStrict)
	obj := cronTab(newNamespace(t, c), "a")
	must(t, unstructured.SetNestedField(obj.Object, "x", "spec", "unknown"))
	if err := strict.Create(ctx, obj.DeepCopy()); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("got %v", err)
	}
	must(t, strict.Create(ctx, obj, client.FieldValidation(metav1.FieldValidationIgnore)))
}

func TestANamespacedClientStaysInItsNamespace(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{FieldOwner: "test"})
	ns, other := newNamespace(t, c), newNamespace(t, c)
	in := client.NewNamespacedClient(c, ns)
	obj := configMap("", "a", nil)
	must(t, in.Create(ctx, obj))
	must(t, c.Create(ctx, configMap(other, "b", nil)))
	must(t, in.Get(ctx, client.ObjectKey{Name: "a"}, obj))
	if obj.Namespace != ns {
		t.Errorf("created in %q", obj.Namespace)
	}
	if err := in.Get(ctx, client.ObjectKey{Namespace: other, Name: "b"}, obj); err == nil {
		t.Error("read from another namespace")
	}
	var list corev1.ConfigMapList
	must(t, in.List(ctx, &list))
	if len(list.Items) != 1 {
		t.Errorf("listed %d", len(list.Items))
	}
	must(t, in.Get(ctx, client.ObjectKey{Name: other}, &corev1.Namespace{}))
	ac := corev1ac.ConfigMap("c", "")
	ac.Namespace = nil
	must(t, in.Apply(ctx, ac))
	must(t, c.Get(ctx, client.ObjectKey{Namespace: ns, Name: "c"}, obj))
}

// fixedReader is a cache that holds one error, so that its answers are told from the server's.
type fixedReader struct{ err error }

func (r fixedReader) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return r.err
}
func (r fixedReader) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return r.err
}

func TestReadsComeFromTheCacheUnlessTheKindIsExcluded(t *testing.T) {
	ctx, cached := context.Background(), errors.New("from the cache")
	options := client.CacheOptions{Reader: fixedReader{cached}, DisableFor: []client.Object{&corev1.Secret{}}}
	c := newClient(t, client.Options{Cache: &options})
	key := client.ObjectKey{Namespace: "default", Name: "none"}
	for sort, obj := range blanks() {
		if fromCache := errors.Is(c.Get(ctx, key, obj), cached); fromCache != (sort != "unstructured") {
			t.Errorf("%s: from the cache: %t", sort, fromCache)
		}
	}
	if err := c.List(ctx, &corev1.ConfigMapList{}); !errors.Is(err, cached) {
		t.Errorf("list: %v", err)
	}
	if err := c.Get(ctx, key, &corev1.Secret{}); !apierrors.IsNotFound(err) {
		t.Errorf("excluded kind: %v", err)
	}
	if err := c.List(ctx, &corev1.SecretList{}); err != nil {
		t.Errorf("list of the excluded kind: %v", err)
	}
	options.Unstructured = true
	if err := newClient(t, client.Options{Cache: &options}).Get(ctx, key, blanks()["unstructured"]); !errors.Is(err, cached) {
		t.Errorf("unstructured where asked for: %v", err)
	}
}

func TestAnInterceptorStandsInForTheVerbsItNames(t *testing.T) {
	ctx, refused := context.Background(), errors.New("refused")
	c := interceptor.NewClient(newClient(t, client.Options{}), interceptor.Funcs{
		Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
			return refused
		},
		SubResourceUpdate: func(_ context.Context, _ client.Client, name string, _ client.Object, _ ...client.SubResourceUpdateOption) error {
			return errors.New(name)
		},
	})
	if err := c.Get(ctx, client.ObjectKey{Name: "a"}, &corev1.Node{}); !errors.Is(err, refused) {
		t.Errorf("get: %v", err)
	}
	if err := c.Status().Update(ctx, &corev1.Node{}); err == nil || err.Error() != "status" {
		t.Errorf("status: %v", err)
	}
	must(t, c.List(ctx, &corev1.NodeList{}))
}
