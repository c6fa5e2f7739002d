package client_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	"kubewright.dev/runtime/pkg/client"
)

var (
	configMaps = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	cronTabs   = schema.GroupVersionKind{Group: "stable.example.com", Version: "v1", Kind: "CronTab"}
)

// blanks are empty values of each sort for a ConfigMap.
func blanks() map[string]client.Object {
	u, m := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	u.SetGroupVersionKind(configMaps)
	m.SetGroupVersionKind(configMaps)
	return map[string]client.Object{"typed": &corev1.ConfigMap{}, "unstructured": u, "metadata only": m}
}

func configMap(namespace, name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Data:       map[string]string{"key": "value"},
	}
}

func deployment(namespace, name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
			},
		},
	}
}

func cronTab(namespace, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"spec":   map[string]any{"schedule": "* * * * *"},
		"status": map[string]any{"lastRun": "never"},
	}}
	u.SetGroupVersionKind(cronTabs)
	u.SetNamespace(namespace)
	u.SetName(name)
	return u
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEachSortOfValueIsReadAndKeepsItsKind(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	ns := newNamespace(t, c)
	must(t, c.Create(ctx, configMap(ns, "a", map[string]string{"l": "x"})))
	for sort, obj := range blanks() {
		t.Run(sort, func(t *testing.T) {
			must(t, c.Get(ctx, client.ObjectKey{Namespace: ns, Name: "a"}, obj))
			if got := obj.GetObjectKind().GroupVersionKind(); got != configMaps {
				t.Errorf("kind: got %v", got)
			}
			if obj.GetLabels()["l"] != "x" || obj.GetUID() == "" {
				t.Errorf("metadata: got labels %v, uid %q", obj.GetLabels(), obj.GetUID())
			}
			err := c.Get(ctx, client.ObjectKey{Namespace: ns, Name: "none"}, obj)
			if !apierrors.IsNotFound(err) || client.IgnoreNotFound(err) != nil {
				t.Errorf("an object that is not there: %v", err)
			}
		})
	}
}

func TestAReadReplacesAllThatTheValueHad(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	ns := newNamespace(t, c)
	must(t, c.Create(ctx, configMap(ns, "a", nil)))
	got := configMap("", "", map[string]string{"stale": "label"})
	got.Data = map[string]string{"stale": "data"}
	must(t, c.Get(ctx, client.ObjectKey{Namespace: ns, Name: "a"}, got))
	if diff := cmp.Diff(map[string]string{"key": "value"}, got.Data); diff != "" || got.Labels != nil {
		t.Errorf("stale content shows through: labels %v, data %s", got.Labels, diff)
	}
}

func TestAListIsReadPageByPageWithoutRepetition(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	ns := newNamespace(t, c)
	for _, name := range []string{"a", "b", "c"} {
		must(t, c.Create(ctx, configMap(ns, name, map[string]string{"paged": "yes"})))
	}
	var names []string
	for token := ""; ; {
		var page corev1.ConfigMapList
		must(t, c.List(ctx, &page, client.InNamespace(ns), client.MatchingLabels{"paged": "yes"}, client.Limit(1), client.Continue(token)))
		if len(page.Items) != 1 {
			t.Fatalf("a page of %d items", len(page.Items))
		}
		names = append(names, page.Items[0].Name)
		if token = page.Continue; token == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" {
		t.Error(diff)
	}
	metadata := &metav1.PartialObjectMetadataList{}
	metadata.SetGroupVersionKind(configMaps.GroupVersion().WithKind("ConfigMapList"))
	must(t, c.List(ctx, metadata, client.InNamespace(ns), client.HasLabels{"paged"}))
	if len(metadata.Items) != 3 || metadata.Items[0].GroupVersionKind() != configMaps {
		t.Errorf("metadata only: %d items, the first of kind %v", len(metadata.Items), metadata.Items[0].GroupVersionKind())
	}
}

func TestSpecAndStatusAreWrittenApart(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	obj := cronTab(newNamespace(t, c), "a")
	must(t, c.Create(ctx, obj))
	if _, has, _ := unstructured.NestedString(obj.Object, "status", "lastRun"); has {
		t.Error("create stored a status")
	}
	must(t, unstructured.SetNestedField(obj.Object, "today", "status", "lastRun"))
	obj.SetAnnotations(map[string]string{"by": "status"})
	must(t, c.Status().Update(ctx, obj))
	if run, _, _ := unstructured.NestedString(obj.Object, "status", "lastRun"); run != "today" || obj.GetAnnotations()["by"] != "" {
		t.Errorf("status update: lastRun %q, annotations %v", run, obj.GetAnnotations())
	}
	before := obj.DeepCopy()
	must(t, unstructured.SetNestedField(obj.Object, "tomorrow", "status", "lastRun"))
	must(t, unstructured.SetNestedField(obj.Object, int64(2), "spec", "replicas"))
	must(t, c.Patch(ctx, obj, client.MergeFrom(before)))
	run, _, _ := unstructured.NestedString(obj.Object, "status", "lastRun")
	if n, _, _ := unstructured.NestedInt64(obj.Object, "spec", "replicas"); run != "today" || n != 2 {
		t.Errorf("patch: lastRun %q, replicas %d", run, n)
	}
}

func TestAnOptimisticLockMakesAPatchOfAStaleObjectConflict(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	stale := configMap(newNamespace(t, c), "a", nil)
	must(t, c.Create(ctx, stale))
	fresh := stale.DeepCopy()
	fresh.Data["key"] = "new"
	must(t, c.Update(ctx, fresh))

	changed := stale.DeepCopy()
	changed.Data["other"] = "x"
	err := c.Patch(ctx, changed.DeepCopy(), client.MergeFromWithOptions(stale, client.MergeFromWithOptimisticLock{}))
	if !apierrors.IsConflict(err) {
		t.Errorf("with the lock: %v", err)
	}
	must(t, c.Patch(ctx, changed, client.MergeFrom(stale)))
	if diff := cmp.Diff(map[string]string{"key": "new", "other": "x"}, changed.Data); diff != "" {
		t.Errorf("without the lock: %s", diff)
	}
	if err := c.Update(ctx, stale); !apierrors.IsConflict(err) {
		t.Errorf("update of a stale object: %v", err)
	}
	raw := client.RawPatch(types.JSONPatchType, []byte(`[{"op":"remove","path":"/data/other"}]`))
	must(t, c.Patch(ctx, changed, raw))
	if diff := cmp.Diff(map[string]string{"key": "new"}, changed.Data); diff != "" {
		t.Errorf("raw patch: %s", diff)
	}
}

func TestAStrategicMergePatchMergesListsItemByItem(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	d := deployment(newNamespace(t, c), "web")
	must(t, c.Create(ctx, d))
	before := d.DeepCopy()
	d.Spec.Template.Spec.Containers = append(d.Spec.Template.Spec.Containers, corev1.Container{Name: "side", Image: "side"})
	must(t, c.Patch(ctx, d, client.StrategicMergeFrom(before)))
	if n := len(d.Spec.Template.Spec.Containers); n != 2 {
		t.Errorf("got %d containers", n)
	}
}

func TestScaleIsASubresourceOfAKindOfItsOwn(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	d := deployment(newNamespace(t, c), "web")
	must(t, c.Create(ctx, d))
	scale := &autoscalingv1.Scale{}
	must(t, c.SubResource("scale").Get(ctx, d, scale))
	scale.Spec.Replicas = 2
	must(t, c.SubResource("scale").Update(ctx, d, client.WithSubResourceBody(scale)))
	before := scale.DeepCopy()
	scale.Spec.Replicas = 3
	must(t, c.SubResource("scale").Patch(ctx, d, client.MergeFrom(before), client.WithSubResourceBody(scale)))
	must(t, c.Get(ctx, client.ObjectKeyFromObject(d), d))
	if *d.Spec.Replicas != 3 {
		t.Errorf("got %d replicas", *d.Spec.Replicas)
	}
}

func TestAnEvictionIsCreatedOnAPod(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: newNamespace(t, c), Name: "a"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}
	must(t, c.Create(ctx, pod))
	must(t, c.SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}}))
	if err := c.Get(ctx, client.ObjectKeyFromObject(pod), pod); !apierrors.IsNotFound(err) {
		t.Errorf("the pod is still there: %v", err)
	}
}

func TestApplyOwnsWhatItStatesAndFillsTheConfiguration(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{FieldOwner: "first"})
	ns := newNamespace(t, c)
	ac := corev1ac.ConfigMap("a", ns).WithData(map[string]string{"a": "1", "b": "1"})
	must(t, c.Apply(ctx, ac))
	if ac.UID == nil {
		t.Error("the configuration was not filled with the answer")
	}
	conflicting := corev1ac.ConfigMap("a", ns).WithData(map[string]string{"a": "2"})
	if err := c.Apply(ctx, conflicting, client.FieldOwner("second")); !apierrors.IsConflict(err) {
		t.Errorf("another owner's field: %v", err)
	}
	must(t, c.Apply(ctx, conflicting, client.FieldOwner("second"), client.ForceOwnership))

	u := &unstructured.Unstructured{Object: map[string]any{"data": map[string]any{"c": "3"}}}
	u.SetGroupVersionKind(configMaps)
	u.SetNamespace(ns)
	u.SetName("a")
	must(t, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u)))
	got, _, _ := unstructured.NestedStringMap(u.Object, "data")
	if diff := cmp.Diff(map[string]string{"a": "2", "c": "3"}, got); diff != "" {
		t.Errorf("fields no longer stated are removed, those of others stay: %s", diff)
	}
	cron := cronTab(ns, "cron")
	must(t, c.Create(ctx, cron.DeepCopy()))
	unstructured.RemoveNestedField(cron.Object, "spec")
	must(t, c.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(cron)))
	if run, _, _ := unstructured.NestedString(cron.Object, "status", "lastRun"); run != "never" {
		t.Errorf("apply of a status: lastRun %q", run)
	}
}

func TestDeletes(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	ns := newNamespace(t, c)
	for name, labels := range map[string]map[string]string{"a": {"go": "yes"}, "b": {"go": "yes"}, "c": nil, "d": nil} {
		must(t, c.Create(ctx, configMap(ns, name, labels)))
	}
	uid := types.UID("other")
	if err := c.Delete(ctx, configMap(ns, "c", nil), client.Preconditions{UID: &uid}); !apierrors.IsConflict(err) {
		t.Errorf("a precondition that does not hold: %v", err)
	}
	must(t, c.Delete(ctx, configMap(ns, "c", nil), client.DryRunAll))
	must(t, c.DeleteAllOf(ctx, &corev1.ConfigMap{}, client.InNamespace(ns), client.MatchingLabels{"go": "yes"}))
	m := blanks()["metadata only"]
	m.SetNamespace(ns)
	m.SetName("d")
	must(t, c.Delete(ctx, m))
	var left corev1.ConfigMapList
	must(t, c.List(ctx, &left, client.InNamespace(ns)))
	var names []string
	for _, item := range left.Items {
		names = append(names, item.Name)
	}
	// kube-root-ca.crt is made by the controller manager, where one runs.
	if diff := cmp.Diff([]string{"c"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestMetadataIsPatchedButNotWrittenWhole(t *testing.T) {
	ctx, c := context.Background(), newClient(t, client.Options{})
	stored := configMap(newNamespace(t, c), "a", nil)
	must(t, c.Create(ctx, stored))
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(configMaps)
	must(t, c.Get(ctx, client.ObjectKeyFromObject(stored), m))
	before := m.DeepCopy()
	m.SetLabels(map[string]string{"l": "x"})
	must(t, c.Patch(ctx, m, client.MergeFrom(before)))
	if m.GetLabels()["l"] != "x" || m.GroupVersionKind() != configMaps {
		t.Errorf("got labels %v of kind %v", m.GetLabels(), m.GroupVersionKind())
	}
	if err := c.Update(ctx, m); err == nil {
		t.Error("an update with metadata only would lose the data")
	}
}

func TestAWatchReportsEachSortOfValue(t *testing.T) {
	c := newClient(t, client.Options{})
	ns := newNamespace(t, c)
	u, m := &unstructured.UnstructuredList{}, &metav1.PartialObjectMetadataList{}
	u.SetGroupVersionKind(configMaps.GroupVersion().WithKind("ConfigMapList"))
	m.SetGroupVersionKind(configMaps.GroupVersion().WithKind("ConfigMapList"))
	must(t, c.Create(context.Background(), configMap(ns, "a", nil)))
	for sort, list := range map[string]client.ObjectList{"typed": &corev1.ConfigMapList{}, "unstructured": u, "metadata only": m} {
		t.Run(sort, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			w, err := c.Watch(ctx, list, client.InNamespace(ns), client.MatchingFields{"metadata.name": "a"})
			must(t, err)
			defer w.Stop()
			event := <-w.ResultChan()
			obj, ok := event.Object.(client.Object)
			if !ok || event.Type != watch.Added || obj.GetName() != "a" || obj.GetObjectKind().GroupVersionKind() != configMaps {
				t.Errorf("got %s %T %v", event.Type, event.Object, event.Object.GetObjectKind().GroupVersionKind())
			}
		})
	}
}
