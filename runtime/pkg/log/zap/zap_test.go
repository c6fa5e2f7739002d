package zap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubewright.dev/runtime/pkg/log/zap"
)

// loggedWith logs one line of each kind with a logger made from flags.
func loggedWith(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	opts := zap.Options{DestWriter: &out}
	fs := flag.NewFlagSet("operator", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	opts.BindFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	logger := zap.New(zap.UseFlagOptions(&opts))
	logger.V(3).Info("detail")
	logger.V(1).Info("debugging")
	logger.Info("information")
	logger.Error(errors.New("broken"), "trouble")
	return out.String()
}

func TestFlagsDecideWhatIsLogged(t *testing.T) {
	for _, tc := range []struct {
		name            string
		args            []string
		has, lacks      []string
		stacksOfErrors  bool
		firstLineIsJSON bool
	}{
		{name: "for machines by default", has: []string{"information", "trouble"}, lacks: []string{"debugging"}, stacksOfErrors: true, firstLineIsJSON: true},
		{name: "for people with --zap-devel", args: []string{"--zap-devel"}, has: []string{"DEBUG\tdebugging", "INFO\tinformation"}, lacks: []string{"detail"}, stacksOfErrors: true},
		{name: "the level by name", args: []string{"--zap-log-level=error"}, has: []string{"trouble"}, lacks: []string{"information"}, stacksOfErrors: true, firstLineIsJSON: true},
		{name: "the level by number", args: []string{"--zap-log-level=3"}, has: []string{"detail", "debugging"}, stacksOfErrors: true, firstLineIsJSON: true},
		{name: "stack traces from panics on", args: []string{"--zap-stacktrace-level=panic"}, has: []string{"trouble"}, firstLineIsJSON: true},
		{name: "another encoder", args: []string{"--zap-encoder=console"}, has: []string{"INFO\tinformation"}, stacksOfErrors: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := loggedWith(t, tc.args...)
			for _, want := range tc.has {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			for _, not := range tc.lacks {
				if strings.Contains(out, not) {
					t.Errorf("%q in\n%s", not, out)
				}
			}
			if got := strings.Contains(out, "zap_test.loggedWith"); got != tc.stacksOfErrors {
				t.Errorf("stack trace of the error: %t, want %t:\n%s", got, tc.stacksOfErrors, out)
			}
			first, _, _ := strings.Cut(out, "\n")
			if got := json.Valid([]byte(first)); got != tc.firstLineIsJSON {
				t.Errorf("JSON: %t, want %t: %s", got, tc.firstLineIsJSON, first)
			}
		})
	}
}

func TestTimesAreWrittenAsTheFlagSays(t *testing.T) {
	line, _, _ := strings.Cut(loggedWith(t), "\n")
	var entry struct{ TS string }
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.RFC3339, entry.TS); err != nil {
		t.Error(err)
	}

	line, _, _ = strings.Cut(loggedWith(t, "--zap-time-encoding=epoch"), "\n")
	var epoch struct{ TS float64 }
	if err := json.Unmarshal([]byte(line), &epoch); err != nil {
		t.Fatal(err)
	}
}

func TestAWrongFlagIsAnErrorThatListsTheChoices(t *testing.T) {
	for _, args := range []string{"--zap-encoder=xml", "--zap-log-level=loud", "--zap-log-level=0", "--zap-stacktrace-level=never", "--zap-time-encoding=sundial"} {
		fs := flag.NewFlagSet("operator", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		(&zap.Options{}).BindFlags(fs)
		if err := fs.Parse([]string{args}); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestObjectsAreWrittenByNameUnlessForPeople(t *testing.T) {
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart"},
		Spec:       corev1.PodSpec{NodeName: "n1"},
	}
	var missing *corev1.Pod
	logged := func(opts ...zap.Opts) string {
		var out bytes.Buffer
		logger := zap.New(append(opts, zap.WriteTo(&out))...)
		logger.WithValues("pod", pod, "key", types.NamespacedName{Namespace: "a", Name: "b"}).Info("seen", "again", pod, "missing", missing)
		return out.String()
	}

	out := logged()
	for _, want := range []string{
		`"pod":{"apiVersion":"v1","kind":"Pod","namespace":"shop","name":"cart"}`,
		`"again":{"apiVersion":"v1","kind":"Pod","namespace":"shop","name":"cart"}`,
		`"key":{"name":"b","namespace":"a"}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if out := logged(zap.UseDevMode(true)); !strings.Contains(out, "n1") {
		t.Errorf("the object is not there in full: %s", out)
	}
}
