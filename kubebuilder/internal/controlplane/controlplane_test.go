package controlplane_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kubewright.dev/kubebuilder/internal/controlplane"
)

func TestABuiltControlPlaneIsFoundAndNotBuiltAgain(t *testing.T) {
	dir, err := controlplane.Build(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	again, err := controlplane.Build(t.Context(), &out)
	if err != nil || again != dir || out.Len() > 0 {
		t.Errorf("building again gives %s (%v) and says %q, want %s and silence", again, err, &out, dir)
	}
	t.Setenv(controlplane.AssetsVariable, "")
	found, err := controlplane.Find()
	if err != nil || found != dir {
		t.Errorf("found %s (%v), want %s", found, err, dir)
	}
	for part, want := range map[string]string{
		"etcd": "etcd Version: 3.7", "kube-apiserver": controlplane.Version,
		"kube-controller-manager": controlplane.Version, "kube-scheduler": controlplane.Version,
	} {
		said, err := exec.CommandContext(t.Context(), filepath.Join(dir, part), "--version").Output()
		if err != nil || !strings.Contains(string(said), want) {
			t.Errorf("%s --version says %q (%v), want %s in it", part, said, err, want)
		}
	}
}

func TestTheVariableChoosesTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(controlplane.AssetsVariable, dir)
	if _, err := controlplane.Find(); err == nil || !strings.Contains(err.Error(), dir+" has no etcd, kube-apiserver") {
		t.Errorf("an empty folder: error %v, want one that names what is missing", err)
	}
	for _, part := range []string{"etcd", "kube-apiserver"} {
		if err := os.WriteFile(filepath.Join(dir, part), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := controlplane.Find(); err != nil || found != dir {
		t.Errorf("found %s (%v), want %s", found, err, dir)
	}
}

func TestWithoutAControlPlaneTheErrorSaysHowToBuildOne(t *testing.T) {
	t.Setenv(controlplane.AssetsVariable, "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := controlplane.Find(); !errors.Is(err, controlplane.ErrNotBuilt) || !strings.Contains(err.Error(), "kubebuilder cluster build") {
		t.Errorf("error %v, want one that says how to build", err)
	}
}
