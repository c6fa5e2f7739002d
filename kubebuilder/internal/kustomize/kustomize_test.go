package kustomize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubewright.dev/kubebuilder/internal/kustomize"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: web
        image: controller
`

// write makes the files of a tree and returns its root.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func build(t *testing.T, dir string, images ...string) string {
	t.Helper()
	objects, err := kustomize.Build(dir, images)
	if err != nil {
		t.Fatal(err)
	}
	return string(objects)
}

func TestOldKeysBuildWhatTheirSuccessorsBuild(t *testing.T) {
	patch := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n"
	files := map[string]string{
		"base/kustomization.yaml":         "resources: [deployment.yaml]\n",
		"base/deployment.yaml":            deployment,
		"overlays/new/patch.yaml":         patch,
		"overlays/old/patch.yaml":         patch,
		"overlays/inline/unused.yaml":     patch,
		"overlays/new/kustomization.yaml": "resources: [../../base]\npatches:\n- path: patch.yaml\n",
		"overlays/old/kustomization.yaml": "bases:\n- ../../base\npatches:\n- patch.yaml\n",
		"overlays/inline/kustomization.yaml": "bases: [../../base]\npatches:\n- |\n  " +
			strings.ReplaceAll(strings.TrimSpace(patch), "\n", "\n  ") + "\n",
	}
	root := write(t, files)
	want := build(t, filepath.Join(root, "overlays/new"))
	if !strings.Contains(want, "replicas: 3") {
		t.Fatalf("the patch is not in:\n%s", want)
	}
	for _, overlay := range []string{"old", "inline"} {
		if diff := cmp.Diff(want, build(t, filepath.Join(root, "overlays", overlay))); diff != "" {
			t.Errorf("%s (-new +%s):\n%s", overlay, overlay, diff)
		}
	}
	for name, content := range files {
		if data, _ := os.ReadFile(filepath.Join(root, name)); string(data) != content {
			t.Errorf("%s was changed to:\n%s", name, data)
		}
	}
}

func TestAnImageOverrideWinsOverWhatTheBaseSets(t *testing.T) {
	for name, base := range map[string]string{
		"the base sets nothing":      "resources: [deployment.yaml]\n",
		"the base sets the same":     "resources: [deployment.yaml]\nimages:\n- name: controller\n  newName: other\n  newTag: v0\n",
		"the base sets a digest":     "resources: [deployment.yaml]\nimages:\n- name: controller\n  digest: sha256:" + strings.Repeat("a", 64) + "\n",
		"the base sets other images": "resources: [deployment.yaml]\nimages:\n- name: proxy\n  newTag: v9\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, map[string]string{
				"base/kustomization.yaml": base, "base/deployment.yaml": deployment,
				"top/kustomization.yaml": "resources: [../base]\n",
			})
			for reference, want := range map[string]string{
				"example:v1":                                "example:v1",
				"localhost:5000/team/manager:1.20":          "localhost:5000/team/manager:1.20",
				"localhost:5000/manager":                    "localhost:5000/manager:latest",
				"example@sha256:" + strings.Repeat("b", 64): "example@sha256:" + strings.Repeat("b", 64),
			} {
				got := build(t, filepath.Join(root, "top"), "controller="+reference)
				if !strings.Contains(got, "image: "+want+"\n") {
					t.Errorf("%s: want image %s in\n%s", reference, want, got)
				}
			}
		})
	}
}

func TestMistakesAreNamed(t *testing.T) {
	root := write(t, map[string]string{"bad/kustomization.yaml": "resources: [\n", "gone/kustomization.yaml": "resources: [nowhere.yaml]\n"})
	for _, c := range []struct{ dir, image, want string }{
		{"gone", "controller", "write name=reference"},
		{"gone", "controller=@sha256:00", "is no image's name"},
		{"bad", "a=b", filepath.Join("bad", "kustomization.yaml")},
		{"gone", "a=b", "nowhere.yaml"},
		{"missing", "a=b", "missing"},
	} {
		_, err := kustomize.Build(filepath.Join(root, c.dir), []string{c.image})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: error %v, want one with %q", c.dir, c.image, err, c.want)
		}
	}
}
