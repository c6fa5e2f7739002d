package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubewright.dev/kubebuilder/internal/project"
)

// written is a file as kubebuilder v4 writes it, with a bit of everything.
const written = `# A comment of another tool.
cliVersion: 4.16.0
domain: keon.io
layout:
- go.kubebuilder.io/v4
multigroup: true
plugins:
  helm.kubebuilder.io/v2-alpha:
    output: dist
projectName: operator-example
repo: keon.io/operator-example
resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: keon.io
  group: apps
  kind: Person
  path: keon.io/operator-example/api/apps/v1alpha1
  plural: persons
  version: v1alpha1
  webhooks:
    defaulting: true
    webhookVersion: v1
- controllers:
  - name: pod-watcher
  core: true
  group: core
  kind: Pod
  path: k8s.io/api/core/v1
  version: v1
version: "3"
`

func TestAFileIsWrittenAsItWasRead(t *testing.T) {
	f, err := project.Decode([]byte(written))
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(body(written), body(string(text))); diff != "" {
		t.Errorf("the text changed (-read +written):\n%s", diff)
	}
}

func body(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func TestAFileThatIsNotUnderstoodIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"another version":    {"version: \"2\"\nrepo: a.b/c\n", `version "2"`},
		"another layout":     {"version: \"3\"\nlayout: go.kubebuilder.io/v3\nrepo: a.b/c\n", "go.kubebuilder.io/v3"},
		"no module":          {"version: \"3\"\n", "has no repo"},
		"a key nobody knows": {"version: \"3\"\nrepo: a.b/c\nrepos: x\n", "repos"},
		"no YAML":            {"version: [\n", "not a project file"},
	} {
		if _, err := project.Decode([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q in it", name, err, c.want)
		}
	}
}

func TestNamesOfAKind(t *testing.T) {
	for _, c := range []struct {
		res                  project.Resource
		group, alias, plural string
	}{
		{project.Resource{Group: "apps", Domain: "keon.io", Version: "v1alpha1", Kind: "Person"}, "apps.keon.io", "appsv1alpha1", "people"},
		{project.Resource{Domain: "keon.io", Version: "v1", Kind: "Person", Plural: "persons"}, "keon.io", "keoniov1", "persons"},
		{project.Resource{Group: "ship.test-project", Domain: "io", Version: "v1beta1", Kind: "Frigate"}, "ship.test-project.io", "shiptestprojectv1beta1", "frigates"},
		{project.Resource{Group: "meta", Domain: "io", Version: "v1", Kind: "Policy"}, "meta.io", "metaapiv1", "policies"},
		{project.Resource{Group: "3d", Domain: "io", Version: "v1", Kind: "Mesh"}, "3d.io", "g3dv1", "meshes"},
	} {
		got := []string{c.res.APIGroup(), c.res.ImportAlias(), c.res.PluralName()}
		if diff := cmp.Diff([]string{c.group, c.alias, c.plural}, got); diff != "" {
			t.Errorf("%+v:\n%s", c.res, diff)
		}
	}
}

func TestValuesThatKubernetesOrGoRejectAreErrors(t *testing.T) {
	for _, c := range []struct {
		what string
		err  error
		bad  bool
	}{
		{"version v1", project.CheckVersion("v1"), false},
		{"version v2beta10", project.CheckVersion("v2beta10"), false},
		{"version v1beta", project.CheckVersion("v1beta"), true},
		{"version 1", project.CheckVersion("1"), true},
		{"version v0", project.CheckVersion("v0"), true},
		{"no version", project.CheckVersion(""), true},
		{"kind Person", project.CheckKind("Person"), false},
		{"kind person", project.CheckKind("person"), true},
		{"kind Per-son", project.CheckKind("Per-son"), true},
		{"kind Ärzte", project.CheckKind("Ärzte"), true},
		{"kind 1Person", project.CheckKind("1Person"), true},
		{"kind SchemeBuilder", project.CheckKind("SchemeBuilder"), true},
		{"no kind", project.CheckKind(""), true},
		{"no group, a domain", project.CheckGroup("", "keon.io"), false},
		{"no group, no domain", project.CheckGroup("", ""), true},
		{"group a.b", project.CheckGroup("a.b", "keon.io"), false},
		{"group a_b", project.CheckGroup("a_b", "keon.io"), true},
		{"plural People", project.CheckPlural("People"), true},
		{"repo with a space", project.CheckRepo("a b"), true},
		{"repo example", project.CheckRepo("example"), false},
		{"domain with a capital", project.CheckDomain("Keon.io"), true},
		{"name of 57 letters", project.CheckName(strings.Repeat("a", 57)), true},
		{"name of 56 letters", project.CheckName(strings.Repeat("a", 56)), false},
		{"name with a dash at its end", project.CheckName("a-"), true},
	} {
		if (c.err != nil) != c.bad {
			t.Errorf("%s: the error is %v", c.what, c.err)
		}
	}
}
