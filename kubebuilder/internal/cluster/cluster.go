// Package cluster runs a Kubernetes control plane on this machine to develop against: etcd, the API server, the
// controller manager and the scheduler, as processes that outlive the command. There are no nodes, so pods stay
// pending; all else works: RBAC, service accounts and their tokens, garbage collection, namespaces, workload objects.
//
// A cluster lives in a folder of its own: its data, its certificate authority, logs, and state.json, which tells the
// commands which processes are the cluster's. A process is known by its number and start time together, so a command
// never ends a process that just happens to have a number that once was the cluster's.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"kubewright.dev/kubebuilder/internal/controlplane"
)

// readyTimeout is how long a part may take to get ready, on a slow and busy machine.
const readyTimeout = 90 * time.Second

// NotUpError is the error of whatever needs a cluster that is not up.
type NotUpError struct{ Name string }

// Error says how to bring the cluster up.
func (e *NotUpError) Error() string {
	hint := "kubebuilder cluster up"
	if e.Name != DefaultName {
		hint += " --name " + e.Name
	}
	return fmt.Sprintf("cluster %q is not up; start it with `%s`", e.Name, hint)
}

// Up starts what does not run of the cluster and returns when all of it is ready. Data of an earlier run is kept. It
// writes what it does to out, and builds the control plane if there is none yet.
func (c *Cluster) Up(ctx context.Context, out io.Writer) error {
	assets, err := controlplane.FindOrBuild(ctx, out)
	if err != nil {
		return err
	}
	if err := controlplane.Require(assets, partNames...); err != nil {
		return err
	}
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := c.load()
	if err != nil {
		return err
	}
	if len(s.dead()) == 0 && c.ready(ctx, s, apiServer) == nil {
		fmt.Fprintf(out, "cluster %q is up: %s\n", c.name, s.server())
		return nil
	}
	began := time.Now()
	s.Assets = assets
	if err := c.prepare(ctx, &s); err != nil {
		return err
	}
	if err := c.start(ctx, &s); err != nil {
		return err
	}
	fmt.Fprintf(out, "cluster %q is up after %.1fs: %s\n", c.name, time.Since(began).Seconds(), s.server())
	return nil
}

// Down ends the cluster's processes, and only those. Unless keepData is set, all that the cluster held is removed. A
// cluster that is not up is no error.
func (c *Cluster) Down(ctx context.Context, keepData bool, out io.Writer) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := c.load()
	if err != nil {
		return err
	}
	ran := len(s.living()) > 0
	if err := c.stop(ctx, &s, keepData); err != nil {
		return err
	}
	switch {
	case keepData && ran:
		fmt.Fprintf(out, "cluster %q is down; its data is kept\n", c.name)
		return nil
	case keepData:
		fmt.Fprintf(out, "cluster %q was not up\n", c.name)
		return nil
	}
	_, statErr := os.Stat(c.dir)
	if err := os.RemoveAll(c.dir); err != nil {
		return fmt.Errorf("removing the data of cluster %q: %w", c.name, err)
	}
	if !ran && errors.Is(statErr, os.ErrNotExist) {
		fmt.Fprintf(out, "cluster %q was not up\n", c.name)
		return nil
	}
	fmt.Fprintf(out, "cluster %q is down and its data removed\n", c.name)
	return nil
}

// RequireUp returns a NotUpError unless all parts of the cluster run.
func (c *Cluster) RequireUp() error {
	s, err := c.load()
	if err != nil {
		return err
	}
	if len(s.dead()) > 0 {
		return &NotUpError{Name: c.name}
	}
	return nil
}

// PartStatus is what is known of one part of a cluster.
type PartStatus struct {
	Name    string
	PID     int    // 0 when it does not run
	Version string // what the part says of itself; empty when it does not answer
	Ready   bool
	Problem string // why it is not ready
}

// Status returns the state of each part, whether it runs or not.
func (c *Cluster) Status(ctx context.Context) ([]PartStatus, error) {
	s, err := c.load()
	if err != nil {
		return nil, err
	}
	all := make([]PartStatus, 0, len(partNames))
	for _, name := range partNames {
		status := PartStatus{Name: name}
		switch p := s.Parts[name]; {
		case !p.alive() && p.PID > 0:
			status.Problem = "its process has ended; see " + c.LogFile(name)
		case !p.alive():
			status.Problem = "not started"
		default:
			status.PID = p.PID
			status.Version = c.version(ctx, s, name)
			if err := c.ready(ctx, s, name); err != nil {
				status.Problem = err.Error()
			}
			status.Ready = status.Problem == ""
		}
		all = append(all, status)
	}
	return all, nil
}

// lock keeps other commands off the cluster until the returned function is called.
func (c *Cluster) lock() (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(c.dir), 0o755); err != nil {
		return nil, err
	}
	unlock, err = lockedfile.MutexAt(c.lockFile()).Lock()
	if err != nil {
		return nil, fmt.Errorf("waiting for another command on cluster %q: %w", c.name, err)
	}
	return unlock, nil
}
