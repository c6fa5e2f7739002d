package gen_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubewright.dev/kubebuilder/gen"
)

var update = flag.Bool("update", false, "write what is generated to testdata/golden")

// TestEveryShapeOfTypeAndMarkerGivesTheGoldenFiles holds all generators to files that equal what controller-gen makes.
func TestEveryShapeOfTypeAndMarkerGivesTheGoldenFiles(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "golden"))
	if err != nil {
		t.Fatal(err)
	}
	out := golden
	if !*update {
		out = t.TempDir()
	}
	header := gen.Header{File: filepath.Join("testdata", "boilerplate.go.txt")}
	for _, pkg := range []string{"v1alpha1", "shared", "pointers"} {
		run(t, gen.Options{
			Paths:  []string{"./testdata/corpus/" + pkg},
			Object: &gen.Object{Header: header, Output: gen.Output{Code: filepath.Join(out, "code", pkg)}},
		})
	}
	run(t, gen.Options{
		Paths: []string{"./testdata/corpus/..."},
		CRD:   &gen.CRD{Output: gen.Output{Config: filepath.Join(out, "crd")}},
		RBAC:  &gen.RBAC{RoleName: "manager-role", Output: gen.Output{Config: out}},

		Webhook: &gen.Webhook{Output: gen.Output{Config: filepath.Join(out, "webhook")}},
	})
	if diff := cmp.Diff(tree(t, golden), tree(t, out)); diff != "" {
		t.Errorf("generated files differ from testdata/golden (-golden +generated), -update rewrites it:\n%s", diff)
	}
}

func run(t *testing.T, opts gen.Options) gen.Result {
	t.Helper()
	result, err := gen.Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, warning := range result.Warnings {
		t.Errorf("warning: %v", warning)
	}
	return result
}

func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const typesHead = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

var _ metav1.Time

type Kind struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata\"`" + `

	Spec Spec ` + "`json:\"spec\"`" + `
}

`

// generate runs the generator of definitions on source and returns the schema part of the manifest.
func generate(t *testing.T, source string, strict bool) (manifest string, warnings []error, err error) {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "case-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	source = typesHead + strings.ReplaceAll(source, "'", "`")
	if err := os.WriteFile(filepath.Join(dir, "types.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	crds := &gen.CRD{Output: gen.Output{Writer: &out}}
	none := 0
	crds.MaxDescLen = &none
	result, err := gen.Run(context.Background(), gen.Options{Paths: []string{"./" + dir}, CRD: crds, Strict: strict})
	return out.String(), result.Warnings, err
}

// TestCasesFromBugReports holds the inputs on which generators of this kind went wrong.
func TestCasesFromBugReports(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"a type declared as another struct gets its schema", "type Bar struct {\nA string 'json:\"a\"'\n}\ntype Foo Bar\ntype Spec struct {\nF Foo 'json:\"f\"'\n}\n", `
              f:
                properties:
                  a:
                    type: string
                required:
                - a
                type: object
`},
		{"an embedded pointer gives the same as an embedded value", "type Telemetry struct {\nT string 'json:\"t\"'\n}\ntype Spec struct {\n*Telemetry 'json:\",inline\"'\n}\n", `
            properties:
              t:
                type: string
            required:
            - t
            type: object
`},
		{"an empty object inside a default stays an object", "type P struct {\nN string 'json:\"n,omitempty\"'\n}\ntype Q struct {\nPerson P 'json:\"person\"'\n}\ntype Spec struct {\n// +kubebuilder:default:={person:{}}\nQ Q 'json:\"q\"'\n}\n", `
              q:
                default:
                  person: {}
`},
		{"a rule on an alias of a map holds for its fields", "// +kubebuilder:validation:XValidation:rule=\"size(self) < 3\"\ntype Labels = map[string]string\ntype Spec struct {\nL Labels 'json:\"l\"'\n}\n", `
              l:
                additionalProperties:
                  type: string
                type: object
                x-kubernetes-validations:
                - rule: size(self) < 3
`},
		{"a marker on an alias of a string holds for its fields", "// +kubebuilder:validation:MaxLength=12\ntype S = string\ntype Spec struct {\nL S 'json:\"l\"'\n}\n", `
              l:
                maxLength: 12
                type: string
`},
		{"an enum's value may begin with a digit", "type Spec struct {\n// +kubebuilder:validation:Enum=one;two;three;4abc\nE string 'json:\"e\"'\n}\n", `
                enum:
                - one
                - two
                - three
                - 4abc
`},
		{"a generic type has the schemas of its arguments", "// +kubebuilder:validation:Enum=a;b\ntype MyType string\ntype MyReason string\ntype Condition[T ~string, R ~string] struct {\nType T 'json:\"type\"'\nReason R 'json:\"reason\"'\n}\ntype Spec struct {\nC []Condition[MyType, MyReason] 'json:\"c\"'\n}\n", `
                items:
                  properties:
                    reason:
                      type: string
                    type:
                      enum:
                      - a
                      - b
                      type: string
                  required:
                  - reason
                  - type
                  type: object
`},
		{"required wins over omitempty and omitzero means optional", "type Spec struct {\n// +required\nA string 'json:\"a,omitempty\"'\nB string 'json:\"b,omitzero\"'\n}\n", `
            required:
            - a
            type: object
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			manifest, _, err := generate(t, test.source, true)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(manifest, test.want) {
				t.Errorf("the manifest does not hold %s\nit is\n%s", test.want, manifest)
			}
		})
	}
}

func TestMistakesAreErrorsWithPlaceAndRemedy(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"markers for items on a string", "type Spec struct {\n// +kubebuilder:validation:items:MaxLength=3\nA string 'json:\"a\"'\n}\n", "types.go:16:4: marker +kubebuilder:validation:items:MaxLength is for the items of a list, but this is a string"},
		{"a type that contains itself", "type Node struct {\nNext *Node 'json:\"next\"'\n}\ntype Spec struct {\nN Node 'json:\"n\"'\n}\n", ".Node → "},
		{"a misspelt marker when warnings are errors", "// +kubebuilder:validation:enum=a;b\ntype E string\ntype Spec struct {\nE E 'json:\"e\"'\n}\n", "types.go:15:4: unknown marker +kubebuilder:validation:enum; did you mean +kubebuilder:validation:Enum?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			manifest, _, err := generate(t, test.source, true)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q in it", err, test.want)
			}
			if manifest != "" {
				t.Errorf("something was written in spite of the error: %s", manifest)
			}
		})
	}
}

func TestUnknownMarkersAreWarnedAboutAndForeignOnesLeftAlone(t *testing.T) {
	_, warnings, err := generate(t, "type Spec struct {\n// +foreign:marker=1\n// +kubebuilder:validation:Optionalx\nA string 'json:\"a\"'\n}\n", false)
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "did you mean +kubebuilder:validation:Optional?") {
		t.Errorf("warnings are %v", warnings)
	}
}

func TestFilesThatAreRightAreNotWrittenAgain(t *testing.T) {
	opts := gen.Options{
		Paths: []string{"./testdata/corpus/controller"},
		RBAC:  &gen.RBAC{RoleName: "manager-role", Output: gen.Output{Config: t.TempDir()}},
	}
	if first := run(t, opts); len(first.Written) != 1 {
		t.Errorf("the first run wrote %v", first.Written)
	}
	if second := run(t, opts); len(second.Written) != 0 || len(second.Unchanged) != 1 {
		t.Errorf("the second run wrote %v and left %v", second.Written, second.Unchanged)
	}
}
