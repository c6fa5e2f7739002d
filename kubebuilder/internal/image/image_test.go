package image_test

import (
	"archive/tar"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"kubewright.dev/kubebuilder/internal/image"
)

// project makes a project whose manager is source.
func project(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.org/p\n\ngo 1.26\n", "cmd/main.go": source} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const program = "package main\n\nfunc main() {}\n"

func build(t *testing.T, options image.Options) v1.Image {
	t.Helper()
	built, err := image.Build(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func digest(t *testing.T, image v1.Image) string {
	t.Helper()
	hash, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return hash.String()
}

func TestAnImageHoldsTheManagerAndRunsItAsNobodySpecial(t *testing.T) {
	built := build(t, image.Options{Dir: project(t, program), Tag: "example:v1", Platform: "linux/arm64"})
	config, err := built.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	want := v1.Config{Entrypoint: []string{"/manager"}, User: "65532:65532", WorkingDir: "/"}
	if diff := cmp.Diff(want, config.Config); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	if config.Architecture != "arm64" || config.OS != "linux" {
		t.Errorf("platform is %s/%s", config.OS, config.Architecture)
	}
	modes := map[string]int64{}
	files := mutate.Extract(built)
	defer files.Close() //nolint:errcheck // it was only read
	for archive := tar.NewReader(files); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		modes[strings.TrimSuffix(header.Name, "/")] = header.Mode
	}
	for name, mode := range map[string]int64{"manager": 0o755, "etc/passwd": 0o644, "etc": 0o755, "tmp": 0o1777} {
		if modes[name] != mode {
			t.Errorf("%s has mode %o, want %o", name, modes[name], mode)
		}
	}
}

func TestEqualSourcesMakeEqualImages(t *testing.T) {
	first := digest(t, build(t, image.Options{Dir: project(t, program), Tag: "example:v1"}))
	if second := digest(t, build(t, image.Options{Dir: project(t, program), Tag: "example:v1"})); first != second {
		t.Errorf("the image is %s, then %s", first, second)
	}
}

func TestAPushedOrSavedImageIsTheOneThatWasBuilt(t *testing.T) {
	server := httptest.NewServer(registry.New())
	defer server.Close()
	tag := strings.TrimPrefix(server.URL, "http://") + "/team/manager:v1"
	built := build(t, image.Options{Dir: project(t, program), Tag: tag})
	reference, err := image.Push(t.Context(), built, tag)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	pulled, err := remote.Image(parsed)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := digest(t, pulled), digest(t, built); got != want {
		t.Errorf("pulled %s, built %s", got, want)
	}
	path := filepath.Join(t.TempDir(), "dist", image.ArchiveName(tag))
	if filepath.Base(path) != "manager-v1.tar" {
		t.Errorf("the file is called %s", filepath.Base(path))
	}
	if err := image.Save(built, tag, path); err != nil {
		t.Fatal(err)
	}
	if _, err := tarball.ImageFromPath(path, nil); err != nil {
		t.Errorf("the saved file: %v", err)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	broken := project(t, "package main\n\nfunc main() { undefined() }\n")
	for _, c := range []struct {
		options image.Options
		want    string
	}{
		{image.Options{Dir: broken, Tag: "no spaces"}, `image name "no spaces"`},
		{image.Options{Dir: broken, Tag: "example", Platform: "windows/amd64"}, "managers run on linux"},
		{image.Options{Dir: t.TempDir(), Tag: "example"}, "project's folder"},
		{image.Options{Dir: broken, Tag: "example"}, filepath.Join("cmd", "main.go") + ":3:15"},
	} {
		_, err := image.Build(t.Context(), c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
