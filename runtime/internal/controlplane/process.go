package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// DefaultTimeout bounds the start and the stop of a server when nothing else is said.
const DefaultTimeout = 60 * time.Second

const probeEvery = 50 * time.Millisecond

// process is a server that runs as our child. Its fields are set before start and not changed after.
type process struct {
	path     string
	args     []string
	out, err io.Writer

	probe        string // the URL that answers 200 when the server is ready
	client       *http.Client
	startTimeout time.Duration
	stopTimeout  time.Duration

	cmd    *exec.Cmd
	output tail
	exited chan struct{} // closed when the process has ended; exitErr is set before
	failed error
}

func (p *process) name() string { return filepath.Base(p.path) }

// start runs the process and returns when it is ready. If it does not get ready it is ended, and the error has the
// end of what it printed.
func (p *process) start() error {
	p.cmd = exec.Command(p.path, p.args...)
	// exec copies the output from its own goroutines, and Wait waits for these.
	p.cmd.Stdout = io.MultiWriter(&p.output, orDiscard(p.out))
	p.cmd.Stderr = io.MultiWriter(&p.output, orDiscard(p.err))
	// A group of its own: an interrupt typed at the terminal goes to the test, which then stops its servers.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.path, err)
	}
	p.exited = make(chan struct{})
	go func() {
		defer close(p.exited)
		p.failed = p.cmd.Wait()
	}()

	ctx, cancel := context.WithTimeout(context.Background(), orTimeout(p.startTimeout))
	defer cancel()
	if err := p.awaitReady(ctx); err != nil {
		return errors.Join(err, p.stop())
	}
	return nil
}

func (p *process) awaitReady(ctx context.Context) error {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	last := errors.New("it was not asked yet")
	for {
		select {
		case <-p.exited:
			return fmt.Errorf("%s ended before it was ready (%w); its last output:\n%s", p.name(), exitReason(p.failed), p.output.String())
		case <-ctx.Done():
			return fmt.Errorf("%s was not ready after %s, %s says: %w; its last output:\n%s",
				p.name(), orTimeout(p.startTimeout), p.probe, last, p.output.String())
		case <-ticker.C:
			if last = p.ask(ctx); last == nil {
				return nil
			}
		}
	}
}

func (p *process) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.probe, nil)
	if err != nil {
		return err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // nothing was written
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(body)))
	}
	return nil
}

// stop asks the process to end, and ends it by force when it has not obeyed in time; that it had to is an error.
// A process that never started or has ended is no error.
func (p *process) stop() error {
	if p == nil || p.exited == nil {
		return nil
	}
	defer p.client.CloseIdleConnections()
	select {
	case <-p.exited:
		return nil
	default:
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("ask %s (pid %d) to end: %w", p.name(), p.cmd.Process.Pid, err)
	}
	timer := time.NewTimer(orTimeout(p.stopTimeout))
	defer timer.Stop()
	select {
	case <-p.exited:
		return nil
	case <-timer.C:
	}
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s (pid %d): %w", p.name(), p.cmd.Process.Pid, err)
	}
	<-p.exited
	return fmt.Errorf("%s (pid %d) did not end within %s of SIGTERM and was killed; its last output:\n%s",
		p.name(), p.cmd.Process.Pid, orTimeout(p.stopTimeout), p.output.String())
}

// portTaken tells whether the process failed because another one got its port first.
func (p *process) portTaken() bool {
	return strings.Contains(p.output.String(), "address already in use")
}

func exitReason(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

func orTimeout(d time.Duration) time.Duration {
	if d <= 0 {
		return DefaultTimeout
	}
	return d
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailSize; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
