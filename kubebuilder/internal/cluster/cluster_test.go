package cluster_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"kubewright.dev/kubebuilder/internal/cluster"
	"kubewright.dev/kubebuilder/internal/controlplane"
)

// newCluster returns a cluster in a cache folder of the test's own, which is down when the test ends.
func newCluster(t *testing.T) *cluster.Cluster {
	t.Helper()
	assets, err := controlplane.FindOrBuild(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(controlplane.AssetsVariable, assets)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	c, err := cluster.New("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Down(context.Background(), false, io.Discard); err != nil {
			t.Error(err)
		}
	})
	return c
}

func up(t *testing.T, c *cluster.Cluster) *kubernetes.Clientset {
	t.Helper()
	if err := c.Up(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// pids returns the processes of the cluster; every part must be ready and know its version.
func pids(t *testing.T, c *cluster.Cluster) []int {
	t.Helper()
	parts, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, part := range parts {
		if !part.Ready || part.Version == "" {
			t.Errorf("%s: ready %v, version %q, %s", part.Name, part.Ready, part.Version, part.Problem)
		}
		pids = append(pids, part.PID)
	}
	return pids
}

func TestAClusterComesBackWithItsDataHoweverItEnded(t *testing.T) {
	c := newCluster(t)
	client := up(t, c)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "kept"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	first := pids(t, c)

	up(t, c)
	if again := pids(t, c); !slices.Equal(first, again) {
		t.Errorf("a second up has changed the processes from %v to %v", first, again)
	}

	for _, pid := range first {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	client = up(t, c)
	if _, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "kept", metav1.GetOptions{}); err != nil {
		t.Errorf("after a crash: %v", err)
	}

	if err := c.Down(t.Context(), true, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := c.RequireUp(); err == nil || !strings.Contains(err.Error(), "kubebuilder cluster up --name test") {
		t.Errorf("after down: error %v, want one that says how to start the cluster", err)
	}
	client = up(t, c)
	if _, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "kept", metav1.GetOptions{}); err != nil {
		t.Errorf("after down with data kept: %v", err)
	}

	if err := c.Down(t.Context(), false, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, pid := range pidsOf(t, c) {
		if pid != 0 {
			t.Errorf("process %d still runs after down", pid)
		}
	}
	if _, err := os.Stat(c.Kubeconfig()); !os.IsNotExist(err) {
		t.Errorf("the kubeconfig is still there after down: %v", err)
	}
}

func pidsOf(t *testing.T, c *cluster.Cluster) []int {
	t.Helper()
	parts, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, part := range parts {
		pids = append(pids, part.PID)
	}
	return pids
}

func TestDownSparesAProcessThatHasTheNumberOfAFormerPart(t *testing.T) {
	c := newCluster(t)
	bystander := exec.Command("sleep", "600")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- bystander.Wait() }()
	defer func() {
		_ = bystander.Process.Kill()
		<-ended
	}()
	if err := cluster.RecordPart(c, "etcd", bystander.Process.Pid, "another boot/1"); err != nil {
		t.Fatal(err)
	}
	if err := c.Down(t.Context(), false, io.Discard); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		t.Error("down has ended a process that is not the cluster's")
	case <-time.After(100 * time.Millisecond):
	}
}

func TestANameIsADNSLabel(t *testing.T) {
	for _, name := range []string{"", "..", "a/b", "Upper", "-a", "a-", strings.Repeat("a", 64)} {
		if _, err := cluster.New(name); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestLogsOfAnUnknownPartOrClusterAreAnError(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := cluster.New("never-up")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Logs(nil, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not up") {
		t.Errorf("logs of a cluster that was never up: error %v", err)
	}
}
