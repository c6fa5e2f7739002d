package cache_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/envtest"
)

var cfg *rest.Config

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	env := &envtest.Environment{}
	var err error
	if cfg, err = env.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := env.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// started returns a running cache that stops with the test.
func started(t *testing.T, o cache.Options) (context.Context, cache.Cache) {
	t.Helper()
	c, err := cache.New(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- c.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	if !c.WaitForCacheSync(ctx) {
		t.Fatal("the cache did not sync")
	}
	return ctx, c
}

// namespaceWith makes a namespace with config maps of these names.
func namespaceWith(t *testing.T, names ...string) string {
	t.Helper()
	k := kubernetes.NewForConfigOrDie(cfg)
	ctx := context.Background()
	ns, err := k.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "cache-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"name": name}}, Data: map[string]string{"key": "of-" + name}}
		if _, err := k.CoreV1().ConfigMaps(ns.Name).Create(ctx, cm, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return ns.Name
}

func TestReadsBeforeStartFail(t *testing.T) {
	c, err := cache.New(cfg, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want *cache.ErrCacheNotStarted
	if err := c.Get(t.Context(), client.ObjectKey{Name: "x"}, &corev1.Namespace{}); !errors.As(err, &want) {
		t.Fatalf("got %v", err)
	}
}

func TestAKindIsReadInEveryForm(t *testing.T) {
	ns := namespaceWith(t, "a")
	ctx, c := started(t, cache.Options{})
	key := client.ObjectKey{Namespace: ns, Name: "a"}
	partial := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
	typed := &corev1.ConfigMap{}
	loose := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	for range 2 { // The second time all forms come from the richest.
		for _, out := range []client.Object{partial, typed, loose} {
			if err := c.Get(ctx, key, out); err != nil {
				t.Fatalf("%T: %v", out, err)
			}
			if out.GetLabels()["name"] != "a" || out.GetManagedFields() != nil {
				t.Errorf("%T: %v", out, out)
			}
		}
	}
	if v, _, _ := unstructured.NestedString(loose.Object, "data", "key"); typed.Data["key"] != "of-a" || v != "of-a" {
		t.Errorf("data: typed %v, unstructured %v", typed.Data, loose.Object)
	}
}

func TestListsSelectByIndexLabelAndNamespace(t *testing.T) {
	ns := namespaceWith(t, "c", "d")
	namespaceWith(t, "c")
	ctx, c := started(t, cache.Options{})
	err := c.IndexField(ctx, &corev1.ConfigMap{}, "data.key", func(o client.Object) []string {
		return []string{o.(*corev1.ConfigMap).Data["key"]}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		opts []client.ListOption
		want int
	}{
		"namespace":                {[]client.ListOption{client.MatchingLabels{"name": "d"}, client.InNamespace(ns)}, 1},
		"field over namespaces":    {[]client.ListOption{client.MatchingFields{"data.key": "of-c"}}, 2},
		"field and namespace":      {[]client.ListOption{client.MatchingFields{"data.key": "of-c"}, client.InNamespace(ns)}, 1},
		"field and label disagree": {[]client.ListOption{client.MatchingFields{"data.key": "of-c"}, client.MatchingLabels{"name": "d"}}, 0},
		"limit":                    {[]client.ListOption{client.MatchingFields{"data.key": "of-c"}, client.Limit(1)}, 1},
	} {
		var list corev1.ConfigMapList
		if err := c.List(ctx, &list, tc.opts...); err != nil || len(list.Items) != tc.want {
			t.Errorf("%s: %d items, want %d, error %v", name, len(list.Items), tc.want, err)
		}
	}
	err = c.List(ctx, &corev1.ConfigMapList{}, client.MatchingFields{"data.other": "x"})
	if err == nil || !strings.Contains(err.Error(), "IndexField") {
		t.Errorf("missing index: %v", err)
	}
}

func TestHandlersHearOfWhatExistsThenOfChanges(t *testing.T) {
	ns := namespaceWith(t, "a")
	ctx, c := started(t, cache.Options{DefaultNamespaces: map[string]cache.Config{ns: {}}})
	inf, err := c.GetInformer(ctx, &corev1.ConfigMap{})
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 100)
	reg, err := inf.AddEventHandler(toolscache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(o any, initial bool) { heard <- fmt.Sprint("add ", o.(client.Object).GetName(), " ", initial) },
		DeleteFunc: func(o any) { heard <- "delete " + o.(client.Object).GetName() },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-reg.HasSyncedChecker().Done()
	k := kubernetes.NewForConfigOrDie(cfg).CoreV1().ConfigMaps(ns)
	if _, err := k.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "z"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := k.Delete(ctx, "z", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"add a true", "add z false", "delete z"} {
		select {
		case got := <-heard:
			if got != want {
				t.Fatalf("heard %q, want %q", got, want)
			}
		case <-ctx.Done():
			t.Fatalf("did not hear %q", want)
		}
	}
	if err := c.Get(ctx, client.ObjectKey{Name: ns}, &corev1.Namespace{}); err != nil {
		t.Errorf("a cluster-scoped object beside cached namespaces: %v", err)
	}
	if err := c.List(ctx, &corev1.ConfigMapList{}, client.InNamespace("elsewhere")); err == nil {
		t.Error("a namespace that is not cached gave no error")
	}
}

func TestAKindThatIsNotInstalledIsNamed(t *testing.T) {
	ctx, c := started(t, cache.Options{})
	_, err := c.GetInformer(ctx, &unstructured.Unstructured{Object: map[string]any{"apiVersion": "no.example.com/v1", "kind": "Nothing"}})
	if err == nil || !strings.Contains(err.Error(), "Nothing") || !strings.Contains(err.Error(), "CRD") {
		t.Fatalf("got %v", err)
	}
}
