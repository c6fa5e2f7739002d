package gosource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubewright.dev/kubebuilder/internal/gosource"
)

const withMarkers = `package main

import (
	"os"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	// +kubebuilder:scaffold:imports
)

var setupLog = ctrl.Log

func init() {
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	// +kubebuilder:scaffold:scheme
}

func main() {
	mgr, err := ctrl.NewManager(cfg, options)
	if err != nil {
		os.Exit(1)
	}
	// +kubebuilder:scaffold:builder
	if err := mgr.Start(ctx); err != nil {
		os.Exit(1)
	}
}
`

// byHand is a main.go whose author removed the markers and chose other names.
const byHand = `package main

import ctrl "kubewright.dev/runtime"

func run() error {
	types := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(types); err != nil {
		return err
	}
	boss, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: types})
	if err != nil {
		return err
	}
	// It begins here.
	return boss.Start(ctx)
}
`

func edit(t *testing.T, text string) string {
	t.Helper()
	f, err := gosource.Parse("cmd/main.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	api, err := f.AddImport("appsv1", "keon.io/x/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddToScheme(api); err != nil {
		t.Fatal(err)
	}
	pkg, err := f.AddImport("controller", "keon.io/x/internal/controller")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddController(gosource.Controller{Package: pkg, Reconciler: "PersonReconciler", Name: "person"}); err != nil {
		t.Fatal(err)
	}
	out, err := f.Source()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestNewLinesGoAboveTheMarkersWhichStay(t *testing.T) {
	got := edit(t, withMarkers)
	for _, want := range []string{
		"\tappsv1 \"keon.io/x/api/v1\"\n",
		"\t\"keon.io/x/internal/controller\"\n",
		"\tutilruntime.Must(appsv1.AddToScheme(scheme))\n\t// +kubebuilder:scaffold:scheme\n",
		"\t}).SetupWithManager(mgr); err != nil {\n\t\tsetupLog.Error(",
		"\t\tos.Exit(1)\n\t}\n\t// +kubebuilder:scaffold:builder\n",
		"\t// +kubebuilder:scaffold:imports\n)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("this is missing:\n%s\nin:\n%s", want, got)
		}
	}
}

func TestEditingTwiceChangesNothing(t *testing.T) {
	for name, text := range map[string]string{"with markers": withMarkers, "by hand": byHand} {
		once := edit(t, text)
		if diff := cmp.Diff(once, edit(t, once)); diff != "" {
			t.Errorf("%s (-once +twice):\n%s", name, diff)
		}
	}
}

func TestAFileWithoutMarkersIsEditedByItsSyntax(t *testing.T) {
	got := edit(t, byHand)
	for _, want := range []string{
		"utilruntime.Must(appsv1.AddToScheme(types))",
		"Client: boss.GetClient(),",
		"SetupWithManager(boss)",
		`utilruntime "k8s.io/apimachinery/pkg/util/runtime"`,
		`import "os"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("this is missing: %s\nin:\n%s", want, got)
		}
	}
	if strings.Index(got, "SetupWithManager") > strings.Index(got, "boss.Start") {
		t.Errorf("the controller is set up after the start:\n%s", got)
	}
}

func TestAnImportUnderAnotherNameIsUsedByThatName(t *testing.T) {
	f, err := gosource.Parse("x.go", []byte("package x\n\nimport v1 \"keon.io/x/api/v1\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := f.AddImport("appsv1", "keon.io/x/api/v1"); err != nil || name != "v1" {
		t.Errorf("the name is %q (%v), want v1", name, err)
	}
	if _, err := f.AddImport("v1", "keon.io/x/api/other"); err == nil || !strings.Contains(err.Error(), "rename that import") {
		t.Errorf("a name that is taken gives the error %v", err)
	}
}

func TestAFileThatDoesNotParseIsNamedWithLineAndColumn(t *testing.T) {
	_, err := gosource.Parse("cmd/main.go", []byte("package main\n\nfunc main() {\n\tx :=\n}\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "cmd/main.go:5:1: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestAFileWithNoPlaceForALineSaysWhatToAdd(t *testing.T) {
	f, err := gosource.Parse("cmd/main.go", []byte("package main\n\nfunc main() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddToScheme("appsv1"); err == nil || !strings.Contains(err.Error(), "appsv1.AddToScheme(scheme)") {
		t.Errorf("the error is %v", err)
	}
	if err := f.AddController(gosource.Controller{Package: "c", Reconciler: "R"}); err == nil || !strings.Contains(err.Error(), "+kubebuilder:scaffold:builder") {
		t.Errorf("the error is %v", err)
	}
}
