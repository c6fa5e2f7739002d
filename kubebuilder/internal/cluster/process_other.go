//go:build !unix

package cluster

import (
	"errors"
	"os/exec"
)

// A cluster needs sessions and signals as Unix has them. Elsewhere starting a part fails with errNoProcesses.
var errNoProcesses = errors.New("a local cluster runs on Linux and macOS only")

func detach(cmd *exec.Cmd)    { cmd.Err = errNoProcesses }
func identify(int) string     { return "" }
func terminate(pid int) error { return errNoProcesses }
func kill(pid int) error      { return errNoProcesses }
