package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// session is what a user has at hand: a folder, an environment, and the command on the PATH.
type session struct {
	t   *testing.T
	dir string
	env []string
}

func newSession(t *testing.T, dir string, env ...string) *session {
	t.Helper()
	return &session{t: t, dir: dir, env: append(os.Environ(), env...)}
}

func (s *session) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	for _, e := range s.env {
		if path, ok := strings.CutPrefix(e, "PATH="); ok && !strings.Contains(name, "/") {
			for _, dir := range filepath.SplitList(path) {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					cmd = exec.Command(filepath.Join(dir, name), args...)
					break
				}
			}
		}
	}
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// run runs a command that must succeed and returns what it printed on both streams.
func (s *session) run(name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	s.t.Logf("$ %s %s\n%s", name, strings.Join(args, " "), out)
	if err != nil {
		s.t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}

// try runs a command whose failure is an answer too.
func (s *session) try(name string, args ...string) (string, error) {
	out, err := s.command(name, args...).CombinedOutput()
	return string(out), err
}

func (s *session) edit(file string, replace ...string) {
	s.t.Helper()
	path := filepath.Join(s.dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			s.t.Fatalf("%s does not contain %q:\n%s", file, replace[i], text)
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	s.write(file, text)
}

func (s *session) write(file, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, file), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// process is a manager that runs beside the test; its log can be waited on.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	done chan struct{}
	log  *logBuffer
}

type logBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	close(l.changed)
	l.changed = make(chan struct{})
	return len(p), nil
}

func (l *logBuffer) read() (string, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String(), l.changed
}

func (s *session) start(name string, args ...string) *process {
	s.t.Helper()
	cmd := s.command(name, args...)
	p := &process{t: s.t, cmd: cmd, done: make(chan struct{}), log: &logBuffer{changed: make(chan struct{})}}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	s.t.Cleanup(func() {
		p.kill()
		if s.t.Failed() {
			text, _ := p.log.read()
			s.t.Logf("log of %s %s:\n%s", name, strings.Join(args, " "), text)
		}
	})
	return p
}

// sees waits until the log holds text at least n times.
func (p *process) sees(text string, n int, within time.Duration) {
	p.t.Helper()
	deadline := time.After(within)
	for {
		log, changed := p.log.read()
		if strings.Count(log, text) >= n {
			return
		}
		select {
		case <-changed:
		case <-p.done:
			p.t.Fatalf("the process ended before its log said %q (%d times)", text, n)
		case <-deadline:
			p.t.Fatalf("the log does not say %q (%d times) within %s", text, n, within)
		}
	}
}

func (p *process) says(text string) bool {
	log, _ := p.log.read()
	return strings.Contains(log, text)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// stop asks the process to end and waits until it has.
func (p *process) stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(30 * time.Second):
		p.t.Fatal("the process did not stop within 30 s of SIGTERM")
	}
}

// eventually polls until check is happy; it is for what only the API server or an endpoint can tell.
func eventually(t *testing.T, within time.Duration, what string, check func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within %s: %v", what, within, err)
		case <-tick.C:
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func fetch(url string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s: %s", url, resp.Status, body)
	}
	return string(body), err
}
