package envtest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kubewright.dev/runtime/pkg/envtest"
)

var env envtest.Environment

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if _, err := env.Start(); err != nil {
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

const widgetCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[1]s.test.keon.io
spec:
  group: test.keon.io
  scope: Namespaced
  names: {kind: %[2]s, listKind: %[2]sList, plural: %[1]s, singular: %[3]s}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

func crdFile(t *testing.T, plural, kind string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crd.yaml")
	text := "# a comment first\n---\n" + fmt.Sprintf(widgetCRD, plural, kind, strings.ToLower(kind)) + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func dynamicClient(t *testing.T, cfg *rest.Config) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestAnInstalledCRDCanBeUsedAtOnceAndIsGoneAfterUninstall(t *testing.T) {
	options := envtest.CRDInstallOptions{Paths: []string{filepath.Dir(crdFile(t, "widgets", "Widget"))}}
	options.Paths[0] = filepath.Join(options.Paths[0])
	crds, err := envtest.InstallCRDs(env.Config, options)
	if err != nil {
		t.Fatal(err)
	}
	if len(crds) != 1 || crds[0].Name != "widgets.test.keon.io" {
		t.Fatalf("InstallCRDs returned %v, want the one CRD of the file", crds)
	}
	widgets := dynamicClient(t, env.Config).Resource(schema.GroupVersionResource{Group: "test.keon.io", Version: "v1", Resource: "widgets"})
	widget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "test.keon.io/v1", "kind": "Widget", "metadata": map[string]any{"name": "a"},
	}}
	if _, err := widgets.Namespace("default").Create(t.Context(), widget, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := envtest.InstallCRDs(env.Config, options); err != nil {
		t.Fatalf("installing once more: %v", err)
	}
	if err := envtest.UninstallCRDs(env.Config, options); err != nil {
		t.Fatal(err)
	}
	crdResource := apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
	_, err = dynamicClient(t, env.Config).Resource(crdResource).Get(t.Context(), "widgets.test.keon.io", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Fatalf("after uninstall the CRD reads %v, want not found", err)
	}
	if err := envtest.UninstallCRDs(env.Config, options); err != nil {
		t.Fatalf("uninstalling what is not there: %v", err)
	}
}

func TestAMissingPathIsAnErrorOnlyWhereAsked(t *testing.T) {
	options := envtest.CRDInstallOptions{Paths: []string{filepath.Join(t.TempDir(), "none")}}
	if err := envtest.ReadCRDFiles(&options); err != nil {
		t.Errorf("without ErrorIfPathMissing: %v", err)
	}
	options.ErrorIfPathMissing = true
	if err := envtest.ReadCRDFiles(&options); err == nil {
		t.Error("with ErrorIfPathMissing: no error")
	}
}

func TestUsersHaveTheRightsThatRBACGrants(t *testing.T) {
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	for name, test := range map[string]struct {
		groups  []string
		allowed bool
	}{
		"nobody": {nil, false},
		"root":   {[]string{"system:masters"}, true},
	} {
		user, err := env.AddUser(envtest.User{Name: name, Groups: test.groups}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dynamicClient(t, user.Config()).Resource(namespaces).List(t.Context(), metav1.ListOptions{})
		if test.allowed && err != nil || !test.allowed && !apierrors.IsForbidden(err) {
			t.Errorf("%s lists namespaces: %v", name, err)
		}
	}
}

func TestKubeConfigReachesTheServer(t *testing.T) {
	cfg, err := clientcmd.RESTConfigFromKubeConfig(env.KubeConfig)
	if err != nil {
		t.Fatal(err)
	}
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	if _, err := dynamicClient(t, cfg).Resource(namespaces).Get(context.Background(), "default", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestKubectlActsAsTheUser(t *testing.T) {
	user, err := env.AddUser(envtest.User{Name: "typist", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kubectl, err := user.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	out, errOut, err := kubectl.Run("get", "namespace", "default", "-o", "name")
	if err != nil {
		t.Fatalf("%v: %v", err, errOut)
	}
	if got := fmt.Sprint(out); got != "namespace/default\n" {
		t.Errorf("kubectl printed %q", got)
	}
}

func TestStartSaysWhatAServerPrintedWhenItFails(t *testing.T) {
	broken := envtest.Environment{}
	broken.ControlPlane.GetAPIServer().Configure().Set("authorization-mode", "NoSuchMode")
	_, err := broken.Start()
	if err == nil {
		_ = broken.Stop()
		t.Fatal("a kube-apiserver with a wrong flag started")
	}
	if !strings.Contains(err.Error(), "NoSuchMode") {
		t.Errorf("the error does not have the server's own words: %v", err)
	}
}

func TestStopKillsAServerThatDoesNotEnd(t *testing.T) {
	script := filepath.Join(t.TempDir(), "etcd")
	text := "#!/bin/sh\ntrap '' TERM\necho deaf\nwhile :; do sleep 0.1; done\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	etcd := envtest.Etcd{Path: script, StartTimeout: 500 * time.Millisecond, StopTimeout: 200 * time.Millisecond}
	err := etcd.Start()
	if err == nil {
		t.Fatal("a script that serves nothing was taken for an etcd")
	}
	for _, want := range []string{"was not ready after 500ms", "deaf", "was killed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

func TestStartNamesTheFoldersWhereABinaryIsMissing(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "/does/not/exist")
	_, err := (&envtest.Environment{}).Start()
	if err == nil || !strings.Contains(err.Error(), "/does/not/exist") || !strings.Contains(err.Error(), "kubebuilder cluster build") {
		t.Errorf("got %v, want the folder and the remedy", err)
	}
}
