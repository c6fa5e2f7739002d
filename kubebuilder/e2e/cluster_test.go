package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

var exportLine = regexp.MustCompile(`export KUBECONFIG="?'?([^"'\s]+)`)

// clusters counts the clusters that the tests started.
var clusters atomic.Int32

// cluster starts a control plane of the test's own and returns the path of its kubeconfig.
func cluster(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("e2e-%d-%d", os.Getpid(), clusters.Add(1))
	s := newSession(t, t.TempDir(), path())
	t.Cleanup(func() {
		if out, err := s.try("kubebuilder", "cluster", "down", "--name", name); err != nil {
			t.Errorf("cluster down: %v\n%s", err, out)
		}
	})
	out := s.run("kubebuilder", "cluster", "up", "--name", name)
	match := exportLine.FindStringSubmatch(out)
	if match == nil {
		t.Fatalf("cluster up does not say which KUBECONFIG to export:\n%s", out)
	}
	return match[1]
}

// path puts the built commands, and kubectl from the control plane, first on the PATH.
func path() string {
	entries := []string{"PATH=" + bin}
	if cache, err := os.UserCacheDir(); err == nil {
		entries = append(entries, filepath.Join(cache, "kubewright", "controlplane", "current"))
	}
	return strings.Join(append(entries, os.Getenv("PATH")), string(filepath.ListSeparator))
}
