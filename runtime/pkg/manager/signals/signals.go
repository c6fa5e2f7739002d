// Package signals ends a process's work when the process is asked to end.
package signals

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
)

var taken atomic.Bool

// SetupSignalHandler returns a context that ends with the first SIGTERM or
// interrupt. A second one ends the process at once, with status 1. It may be
// called once in a process, and panics the second time.
func SetupSignalHandler() context.Context {
	if !taken.CompareAndSwap(false, true) {
		panic("SetupSignalHandler was called twice: pass the first context on instead")
	}
	ctx, cancel := context.WithCancel(context.Background())
	received := make(chan os.Signal, 2)
	signal.Notify(received, ending...)
	go func() {
		<-received
		cancel()
		<-received
		os.Exit(1)
	}()
	return ctx
}
