//go:build !windows

package signals

import (
	"os"
	"syscall"
)

// ending are the signals that ask the process to end.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM}
