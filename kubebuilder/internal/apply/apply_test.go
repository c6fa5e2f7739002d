package apply_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"kubewright.dev/kubebuilder/internal/apply"
	"kubewright.dev/kubebuilder/internal/cluster"
	"kubewright.dev/kubebuilder/internal/controlplane"
)

// kubeconfig is that of the control plane that all tests of the package share.
var kubeconfig string

func TestMain(m *testing.M) {
	code, err := withCluster(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withCluster runs the tests while a cluster in a folder of its own is up.
func withCluster(run func() int) (code int, err error) {
	ctx := context.Background()
	assets, err := controlplane.FindOrBuild(ctx, os.Stderr)
	if err != nil {
		return 0, err
	}
	home, err := os.MkdirTemp("", "kubewright-apply-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home) //nolint:errcheck // a leftover in the temporary folder harms nobody
	for name, value := range map[string]string{controlplane.AssetsVariable: assets, "HOME": home, "XDG_CACHE_HOME": home} {
		if err := os.Setenv(name, value); err != nil {
			return 0, err
		}
	}
	c, err := cluster.New("apply")
	if err != nil {
		return 0, err
	}
	defer func() {
		if downErr := c.Down(ctx, false, io.Discard); err == nil {
			err = downErr
		}
	}()
	if err := c.Up(ctx, os.Stderr); err != nil {
		return 0, err
	}
	kubeconfig = c.Kubeconfig()
	return run(), nil
}

func connect(t *testing.T) *apply.Server {
	t.Helper()
	server, err := apply.Connect(apply.Connection{Kubeconfig: kubeconfig})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func clientset(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func parse(t *testing.T, text string) []apply.Object {
	t.Helper()
	objects, err := apply.Parse([]byte(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// definition is the custom resource definition of a kind in group example.org.
func definition(kind, plural string) string {
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]s.example.org}
spec:
  group: example.org
  names: {kind: %[1]s, plural: %[2]s}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {count: {type: integer}}}}}}
`, kind, plural)
}

func TestObjectsAreAppliedInAnOrderThatWorksAndDeletedWithoutLeftovers(t *testing.T) {
	objects := parse(t, `
apiVersion: example.org/v1
kind: Gadget
metadata: {name: one, namespace: order}
spec: {count: 3}
---
# nothing but a comment
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: order}
  data: {a: b}
---`+definition("Gadget", "gadgets")+`---
apiVersion: v1
kind: Namespace
metadata: {name: order}
`)
	server := connect(t)
	outcome := func(what string) string {
		return "namespace/order " + what + "\ncustomresourcedefinition.apiextensions.k8s.io/gadgets.example.org " + what +
			"\nconfigmap/settings " + what + "\ngadget.example.org/one " + what + "\n"
	}
	for _, what := range []string{"created", "unchanged"} {
		var out strings.Builder
		if err := server.Apply(t.Context(), objects, apply.ApplyOptions{}, &out); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(outcome(what), out.String()); diff != "" {
			t.Errorf("output (-want +got):\n%s", diff)
		}
	}

	changed := parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: order}\ndata: {a: c}\n")
	var out strings.Builder
	if err := server.Apply(t.Context(), changed, apply.ApplyOptions{}, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("configmap/settings configured\n", out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}

	out.Reset()
	if err := server.Delete(t.Context(), objects, apply.DeleteOptions{}, &out); err != nil {
		t.Fatal(err)
	}
	want := "gadget.example.org \"one\" deleted\ncustomresourcedefinition.apiextensions.k8s.io \"gadgets.example.org\" deleted\n" +
		"configmap \"settings\" deleted\nnamespace \"order\" deleted\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	if _, err := clientset(t).CoreV1().Namespaces().Get(t.Context(), "order", metav1.GetOptions{}); err == nil {
		t.Error("the namespace is still there")
	}
	fresh := connect(t)
	if err := fresh.Delete(t.Context(), objects, apply.DeleteOptions{IgnoreNotFound: true}, io.Discard); err != nil {
		t.Errorf("deleting again, ignoring what is not there: %v", err)
	}
	err := connect(t).Delete(t.Context(), objects, apply.DeleteOptions{}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "test.yaml: ConfigMap order/settings: ") {
		t.Errorf("deleting again: error %v, want one that names the file and the object", err)
	}
}

func TestAConflictIsTakenOverUnlessAskedNotTo(t *testing.T) {
	client := clientset(t).CoreV1().ConfigMaps("default")
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "contested"}, Data: map[string]string{"a": "theirs"}}
	if _, err := client.Create(t.Context(), object, metav1.CreateOptions{FieldManager: "other"}); err != nil {
		t.Fatal(err)
	}
	ours := parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: contested}\ndata: {a: ours}\n")
	err := connect(t).Apply(t.Context(), ours, apply.ApplyOptions{FailOnConflict: true}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "--force-conflicts") || !strings.Contains(err.Error(), "ConfigMap default/contested") {
		t.Errorf("error %v, want one that names the object and the option", err)
	}
	if err := connect(t).Apply(t.Context(), ours, apply.ApplyOptions{}, io.Discard); err != nil {
		t.Fatal(err)
	}
	now, err := client.Get(t.Context(), "contested", metav1.GetOptions{})
	if err != nil || now.Data["a"] != "ours" {
		t.Errorf("the object holds %v (%v)", now.Data, err)
	}
}

func TestWhatHoldsUpADeletionIsSaid(t *testing.T) {
	held := parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.org/hold]}\n")
	if err := connect(t).Apply(t.Context(), held, apply.ApplyOptions{}, io.Discard); err != nil {
		t.Fatal(err)
	}
	err := connect(t).Delete(t.Context(), held, apply.DeleteOptions{Timeout: 10 * time.Millisecond}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "example.org/hold") {
		t.Errorf("error %v, want one that names the finalizer", err)
	}
}

func TestErrorsOfAnApplyNameTheObjectAndTheRemedy(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a kind that is not installed": {
			"apiVersion: example.org/v1\nkind: Nothing\nmetadata: {name: x}\n",
			"test.yaml: Nothing x: the API server has no kind Nothing in example.org/v1; install its definition first",
		},
		"a definition that the server rejects": {
			strings.Replace(definition("Bad", "bads"), "type: integer", "type: no-type", 1),
			"test.yaml: CustomResourceDefinition bads.example.org: ",
		},
		"a namespace that is not there": {
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: nowhere}\n",
			"test.yaml: ConfigMap nowhere/x: namespaces \"nowhere\" not found",
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := connect(t).Apply(t.Context(), parse(t, c.text), apply.ApplyOptions{}, io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestAServerThatDoesNotAnswerIsAnErrorThatSaysHowToStartOne(t *testing.T) {
	data, err := os.ReadFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range config.Clusters {
		c.Server = "https://127.0.0.1:1"
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	server, err := apply.Connect(apply.Connection{Kubeconfig: path})
	if err != nil {
		t.Fatal(err)
	}
	objects := parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	err = server.Apply(t.Context(), objects, apply.ApplyOptions{}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "kubebuilder cluster up") || !strings.Contains(err.Error(), "https://127.0.0.1:1") {
		t.Errorf("apply: error %v", err)
	}
	err = server.Delete(t.Context(), objects, apply.DeleteOptions{IgnoreNotFound: true}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "kubebuilder cluster up") {
		t.Errorf("delete: error %v", err)
	}
}

func TestWhatIsNoObjectIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"just text":                 "file.yaml: document 1: this is no Kubernetes object",
		"kind: A\n":                 "document 1: the object has no apiVersion",
		"a: b\na: c\n":              "document 1: ",
		"kind: A\napiVersion: v1\n": "document 1: the A has no metadata.name",
		"apiVersion: v1\nkind: A\nmetadata: {name: x}\n---\n- a\n": "document 2: this is no Kubernetes object",
	} {
		_, err := apply.Parse([]byte(text), "file.yaml")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}
