//go:build !windows

package signals_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"kubewright.dev/runtime/pkg/manager/signals"
)

// A process has one handler, so one test has all of it.
func TestASignalEndsTheContextAndASecondHandlerIsRefused(t *testing.T) {
	ctx := signals.SetupSignalHandler()
	if ctx.Err() != nil {
		t.Fatal("ended before any signal")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a second handler was set up")
			}
		}()
		signals.SetupSignalHandler()
	}()
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		t.Error("the signal did not end the context")
	}
}
