package log_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"k8s.io/klog/v2"

	"kubewright.dev/runtime/pkg/log"
)

// Loggers are given out before the program sets one, as package variables are.
var early = log.Log.WithName("early").WithValues("k", "v")

// SetLogger counts once in a process, so one test has all of it.
func TestLoggersWriteToTheLoggerThatIsSetLater(t *testing.T) {
	early.Info("dropped")
	earlyChild := early.WithName("child")

	var lines []string
	log.SetLogger(funcr.New(func(prefix, args string) { lines = append(lines, prefix+" "+args) }, funcr.Options{LogCaller: funcr.All}))
	log.SetLogger(funcr.New(func(string, string) { t.Error("a second SetLogger counted") }, funcr.Options{}))

	early.Info("one")
	earlyChild.Info("two")
	early.WithValues("x", 1).Info("three")
	log.FromContext(context.Background(), "y", 2).Info("four")
	log.FromContext(log.IntoContext(context.Background(), logr.Discard())).Info("dropped")
	klog.InfoS("five")
	early.V(1).Info("too detailed for it")

	for i, want := range []string{
		`early .*log_test.go.* "msg"="one" "k"="v"`,
		`early/child .*log_test.go.* "msg"="two" "k"="v"`,
		`early .*log_test.go.* "msg"="three" "k"="v" "x"=1`,
		` .*log_test.go.* "msg"="four" "y"=2`,
		` .*log_test.go.* "msg"="five"`,
	} {
		if i >= len(lines) {
			t.Fatalf("%d lines, want five: %q", len(lines), lines)
		}
		rest := lines[i]
		for part := range strings.SplitSeq(want, ".*") {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("line %d is %q, want %s", i, lines[i], want)
				break
			}
			rest = after
		}
	}
	if len(lines) != 5 {
		t.Errorf("%d lines, want five: %q", len(lines), lines)
	}
}

func TestWarningsOfTheAPIServerAreLoggedOnceIfAskedFor(t *testing.T) {
	for _, tc := range []struct {
		deduplicate bool
		want        int
	}{{false, 2}, {true, 1}} {
		count := 0
		ctx := log.IntoContext(context.Background(), funcr.New(func(string, string) { count++ }, funcr.Options{}))
		handler := log.NewKubeAPIWarningLogger(log.KubeAPIWarningLoggerOptions{Deduplicate: tc.deduplicate})
		handler.HandleWarningHeaderWithContext(ctx, 299, "-", "v1beta1 is deprecated")
		handler.HandleWarningHeaderWithContext(ctx, 299, "-", "v1beta1 is deprecated")
		handler.HandleWarningHeaderWithContext(ctx, 299, "-", "")
		handler.HandleWarningHeaderWithContext(ctx, 110, "-", "stale")
		if count != tc.want {
			t.Errorf("deduplicate %t: %d lines, want %d", tc.deduplicate, count, tc.want)
		}
	}
}
