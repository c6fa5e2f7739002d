package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// start starts the parts that do not run and waits until all are ready. etcd and the API server start side by side: the
// API server has much to do before it needs etcd. The other two are of no use before it serves.
func (c *Cluster) start(ctx context.Context, s *state) error {
	for _, wave := range [][]string{{etcd, apiServer}, {controllerManager, scheduler}} {
		exits := map[string]<-chan error{}
		for _, name := range wave {
			if s.Parts[name].alive() {
				continue
			}
			exit, err := c.launch(s, name)
			if err != nil {
				return err
			}
			exits[name] = exit
		}
		for _, name := range wave {
			err := c.awaitReady(ctx, *s, name, exits[name])
			if err != nil && name == etcd && ctx.Err() == nil {
				return fmt.Errorf("%w; if its data is damaged, after a loss of power for instance, "+
					"`kubebuilder cluster down --name %s` removes that", err, c.name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// launch starts a part and records its process at once, so that whatever happens next, down finds it. The returned
// channel gets a value when the process ends; it is for the time of this command, the process lives longer.
func (c *Cluster) launch(s *state, name string) (<-chan error, error) {
	log, err := os.OpenFile(c.LogFile(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close() //nolint:errcheck // the process has its own descriptor
	fmt.Fprintf(log, "---- started %s\n", time.Now().Format(time.RFC3339))
	cmd := exec.Command(filepath.Join(s.Assets, name), c.arguments(*s, name)...)
	cmd.Dir = c.dir
	cmd.Stdout, cmd.Stderr = log, log
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s of cluster %q: %w", name, c.name, err)
	}
	s.Parts[name] = part{PID: cmd.Process.Pid, Identity: identify(cmd.Process.Pid), Started: time.Now()}
	exit := make(chan error, 1)
	go func() { exit <- cmd.Wait() }()
	return exit, c.save(*s)
}

// awaitReady returns when the part answers that it is ready, with an error when its process ends before.
func (c *Cluster) awaitReady(ctx context.Context, s state, name string, exit <-chan error) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		problem := c.ready(ctx, s, name)
		if problem == nil {
			return nil
		}
		select {
		case <-exit:
			return fmt.Errorf("%s of cluster %q ended while starting: %s\nits log is %s",
				name, c.name, c.lastWords(name), c.LogFile(name))
		case <-ctx.Done():
			return fmt.Errorf("%s of cluster %q did not get ready (%w): %w; its log is %s",
				name, c.name, context.Cause(ctx), problem, c.LogFile(name))
		case <-tick.C:
		}
	}
}

// lastWords returns the end of a part's log, where the reason of its end usually stands.
func (c *Cluster) lastWords(name string) string {
	data, err := os.ReadFile(c.LogFile(name))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

// stopTimeout is how long a part may take to end in peace.
const stopTimeout = 5 * time.Second

// stop ends the parts that run, those that need others first. Data that is to be kept is worth waiting for; otherwise
// the processes are just ended.
func (c *Cluster) stop(ctx context.Context, s *state, keepData bool) error {
	names := slices.Clone(partNames)
	slices.Reverse(names)
	var errs []error
	for _, name := range names {
		if err := end(ctx, s.Parts[name], keepData); err != nil {
			errs = append(errs, fmt.Errorf("%s of cluster %q: %w", name, c.name, err))
			continue
		}
		delete(s.Parts, name)
	}
	if _, err := os.Stat(c.stateFile()); err == nil {
		errs = append(errs, c.save(*s))
	}
	return errors.Join(errs...)
}

// end ends a process and waits until it is gone.
func end(ctx context.Context, p part, gently bool) error {
	if gently && p.alive() {
		if err := terminate(p.PID); err != nil {
			return err
		}
		if gone(ctx, p) {
			return nil
		}
	}
	if !p.alive() {
		return nil
	}
	if err := kill(p.PID); err != nil {
		return err
	}
	if !gone(ctx, p) {
		return fmt.Errorf("process %d does not end", p.PID)
	}
	return nil
}

// gone waits for the end of a process that is nobody's child anymore, so asking again and again is the only way.
func gone(ctx context.Context, p part) bool {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for p.alive() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return !p.alive()
		}
	}
	return true
}
