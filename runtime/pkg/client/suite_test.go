package client_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/envtest"
)

// server is the API server that the tests of this package share.
var server *rest.Config

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	env := &envtest.Environment{CRDDirectoryPaths: []string{"testdata"}, ErrorIfCRDPathMissing: true}
	cfg, err := env.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "start of the control plane:", err)
		return 1
	}
	server = cfg
	code := m.Run()
	if err := env.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "end of the control plane:", err)
		return 1
	}
	return code
}

// newClient returns a client for the server.
func newClient(t *testing.T, options client.Options) client.WithWatch {
	t.Helper()
	c, err := client.NewWithWatch(server, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newNamespace makes a namespace for one test.
func newNamespace(t *testing.T, c client.Client) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "client-"}}
	if err := c.Create(context.Background(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}
