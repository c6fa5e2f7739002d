package scaffold_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
	"sigs.k8s.io/yaml"

	"kubewright.dev/kubebuilder/internal/scaffold"
)

func start(t *testing.T, change ...func(*scaffold.InitOptions)) string {
	t.Helper()
	o := scaffold.InitOptions{Dir: t.TempDir(), Domain: "keon.io", Repo: "keon.io/operator-example", Name: "operator-example", License: "apache2", Owner: "keon"}
	for _, f := range change {
		f(&o)
	}
	if _, err := scaffold.Init(o); err != nil {
		t.Fatal(err)
	}
	return o.Dir
}

func kind(dir, group, version, name string) scaffold.APIOptions {
	return scaffold.APIOptions{Dir: dir, Group: group, Version: version, Kind: name, Namespaced: true, Resource: true, Controller: true}
}

// tree returns all files of a folder with their texts.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if entry.IsDir() {
			files[rel+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(name)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryGoFileParsesAndEveryManifestIsYAML(t *testing.T) {
	for _, namespaced := range []bool{false, true} {
		dir := start(t, func(o *scaffold.InitOptions) { o.Namespaced, o.MultiGroup = namespaced, namespaced })
		for _, o := range []scaffold.APIOptions{kind(dir, "apps", "v1alpha1", "Person"), kind(dir, "apps", "v1alpha1", "Context")} {
			if _, err := scaffold.CreateAPI(o); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range tree(t, dir) {
			switch filepath.Ext(name) {
			case ".go":
				if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.AllErrors); err != nil {
					t.Error(err)
				}
				if !strings.Contains(text, "keon.\n\nLicensed under") {
					t.Errorf("%s has no license notice", name)
				}
			case ".yaml", ".yml":
				for doc := range strings.SplitSeq(text, "\n---\n") {
					var v any
					if err := yaml.Unmarshal([]byte(doc), &v); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
			if strings.Contains(text, "<no value>") || strings.Contains(name, ".tmpl") {
				t.Errorf("%s is not filled in", name)
			}
		}
	}
}

func TestMainStaysThin(t *testing.T) {
	dir := start(t)
	if _, err := scaffold.CreateAPI(kind(dir, "apps", "v1alpha1", "Person")); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(read(t, dir, "cmd/main.go"), "\n"); lines >= 120 {
		t.Errorf("cmd/main.go has %d lines, want fewer than 120", lines)
	}
}

func TestTheModuleHasTheRuntimesRequirements(t *testing.T) {
	dir := start(t)
	have, err := modfile.Parse("go.mod", []byte(read(t, dir, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := modfile.Parse("go.mod", []byte(read(t, "../../../runtime", "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, r := range have.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range want.Require {
		if versions[r.Mod.Path] != r.Mod.Version {
			t.Errorf("%s has version %q, want %q", r.Mod.Path, versions[r.Mod.Path], r.Mod.Version)
		}
	}
	if len(have.Replace) != 1 || have.Replace[0].Old.Path != "kubewright.dev/runtime" {
		t.Errorf("the runtime is not replaced by a folder: %v", have.Replace)
	}
}

func TestGroupsOfAMultiGroupProjectHaveFoldersOfTheirOwn(t *testing.T) {
	dir := start(t, func(o *scaffold.InitOptions) { o.MultiGroup = true })
	for _, o := range []scaffold.APIOptions{kind(dir, "apps", "v1", "Person"), kind(dir, "ship.test", "v1", "Person")} {
		if _, err := scaffold.CreateAPI(o); err != nil {
			t.Fatal(err)
		}
	}
	files := tree(t, dir)
	for _, name := range []string{
		"api/apps/v1/person_types.go", "api/ship.test/v1/groupversion_info.go", "internal/controller/ship.test/suite_test.go",
		"internal/controller/apps/person_controller.go", "config/rbac/apps_person_admin_role.yaml", "config/samples/ship.test_v1_person.yaml",
	} {
		if _, ok := files[filepath.FromSlash(name)]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	main := files[filepath.FromSlash("cmd/main.go")]
	for _, want := range []string{"appscontroller.PersonReconciler", "shiptestcontroller.PersonReconciler", "shiptestv1.AddToScheme(scheme)"} {
		if !strings.Contains(main, want) {
			t.Errorf("cmd/main.go lacks %s:\n%s", want, main)
		}
	}
	if !strings.Contains(files[filepath.FromSlash("internal/controller/apps/person_controller.go")], `Named("apps-person")`) {
		t.Error("two controllers have the same name")
	}
}

func TestAnErrorLeavesTheProjectAsItWas(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string) string{
		"a main.go that does not parse": func(t *testing.T, dir string) string {
			write(t, dir, "cmd/main.go", "package main\nfunc {\n")
			return "cmd/main.go:2:6: "
		},
		"a kustomization that is no YAML": func(t *testing.T, dir string) string {
			write(t, dir, "config/rbac/kustomization.yaml", "resources: [\n")
			return "config/rbac/kustomization.yaml"
		},
		"a file in place of a folder": func(t *testing.T, dir string) string {
			write(t, dir, "internal", "")
			return "internal"
		},
		"a folder in place of a file": func(t *testing.T, dir string) string {
			if err := os.MkdirAll(filepath.Join(dir, "config/samples/kustomization.yaml"), 0o755); err != nil {
				t.Fatal(err)
			}
			return "kustomization.yaml"
		},
		"a type that somebody wrote": func(t *testing.T, dir string) string {
			if err := os.MkdirAll(filepath.Join(dir, "api/v1"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, dir, "api/v1/person_types.go", "package v1\n")
			return "add `--force`"
		},
	} {
		dir := start(t)
		want := spoil(t, dir)
		before := tree(t, dir)
		_, err := scaffold.CreateAPI(kind(dir, "apps", "v1", "Person"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q in it", name, err, want)
		}
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("%s: files changed:\n%s", name, diff)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEditedKustomizationsKeepWhatTheirAuthorsWrote(t *testing.T) {
	dir := start(t)
	own := "# mine\nresources:\n  - service_account.yaml # kept\n  - role.yaml\n\nlabels: []\n"
	write(t, dir, "config/rbac/kustomization.yaml", own)
	if _, err := scaffold.CreateAPI(kind(dir, "apps", "v1", "Person")); err != nil {
		t.Fatal(err)
	}
	want := "# mine\nresources:\n  - service_account.yaml # kept\n  - role.yaml\n  - person_admin_role.yaml\n  - person_editor_role.yaml\n  - person_viewer_role.yaml\n\nlabels: []\n"
	if diff := cmp.Diff(want, read(t, dir, "config/rbac/kustomization.yaml")); diff != "" {
		t.Error(diff)
	}
}

func TestInitReplacesNoFileThatSomebodyWrote(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "README.md", "mine\n")
	write(t, dir, "Makefile", "mine\n")
	o := scaffold.InitOptions{Dir: dir, Domain: "keon.io", Repo: "keon.io/x", Name: "x", License: "none"}
	if _, err := scaffold.Init(o); err == nil || !strings.Contains(err.Error(), "Makefile is there already") {
		t.Fatalf("the error is %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "Makefile")); err != nil {
		t.Fatal(err)
	}
	result, err := scaffold.Init(o)
	if err != nil {
		t.Fatal(err)
	}
	if read(t, dir, "README.md") != "mine\n" || slices.Contains(result.Files, "README.md") {
		t.Error("README.md was written anew")
	}
}
