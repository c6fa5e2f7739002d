//go:build unix

package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// detach gives a command a session of its own: it goes on when the terminal closes, and an interrupt typed there does
// not reach it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// identify tells the process that has the number pid now from every other that had it or will have it. It is empty
// when no such process runs.
func identify(pid int) string {
	if pid <= 0 {
		return ""
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return identifyByPS(pid)
	}
	// The program's name stands in parentheses and may hold anything. After it come the state and, as the
	// twentieth field, the start time in ticks since boot.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + fields[19]
}

// identifyByPS serves systems without /proc.
func identifyByPS(pid int) string {
	if _, err := os.Stat("/proc/self/stat"); err == nil {
		return ""
	}
	out, err := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// terminate asks a process to end, kill ends it. That it has ended already is no error.
func terminate(pid int) error { return signal(pid, syscall.SIGTERM) }
func kill(pid int) error      { return signal(pid, syscall.SIGKILL) }

func signal(pid int, s syscall.Signal) error {
	if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("ending process %d: %w", pid, err)
	}
	return nil
}
