package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Build makes the control plane of the checkout's source, unless it is there already, marks it as the newest one and
// returns its folder. It reports to out how far it is: on a terminal as a line that keeps changing, otherwise with a line
// at the start and one at the end. A first build takes many minutes; when it was built before, Build does nothing.
// Builds that run at the same time wait for each other.
func Build(ctx context.Context, out io.Writer) (string, error) {
	src, err := findSource()
	if err != nil {
		return "", err
	}
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	dir := filepath.Join(root, Version+"-"+src.key)
	if len(missingParts(dir, parts...)) == 0 {
		return dir, makeCurrent(root, dir)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(root, "lock")).Lock()
	if err != nil {
		return "", fmt.Errorf("waiting for another build of the control plane: %w", err)
	}
	defer unlock()
	if len(missingParts(dir, parts...)) > 0 {
		if err := install(ctx, src, root, dir, out); err != nil {
			return "", err
		}
	}
	return dir, makeCurrent(root, dir)
}

// FindOrBuild returns what Find returns, after a Build when there is nothing yet.
func FindOrBuild(ctx context.Context, out io.Writer) (string, error) {
	dir, err := Find()
	if errors.Is(err, ErrNotBuilt) {
		return Build(ctx, out)
	}
	return dir, err
}

// install builds into a folder of its own and moves it to its place when it is complete, so that dir is never half full.
func install(ctx context.Context, src source, root, dir string, out io.Writer) error {
	start := time.Now()
	progress := newProgress(out)
	staging, err := os.MkdirTemp(root, ".building-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staging) //nolint:errcheck // a leftover folder harms nobody
	if err := os.Chmod(staging, 0o755); err != nil {
		return err
	}
	if err := compile(ctx, src, filepath.Join(staging, binary), progress); err != nil {
		progress.clear()
		return err
	}
	for _, part := range parts {
		if err := os.Symlink(binary, filepath.Join(staging, part)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Rename(staging, dir); err != nil {
		return fmt.Errorf("installing the control plane: %w", err)
	}
	progress.end(fmt.Sprintf("control plane %s built in %s: %s", Version, time.Since(start).Round(time.Second), dir))
	return nil
}

// compile runs the Go command in the source's folder. Its -v option names each package when that is compiled, which
// tells how far it is.
func compile(ctx context.Context, src source, output string, progress *progress) error {
	progress.start(fmt.Sprintf("building the control plane (etcd and Kubernetes %s); the first time takes many minutes", Version))
	total, err := countPackages(ctx, src.dir)
	if err != nil {
		return err
	}
	cmd := goCommand(ctx, src.dir, "build", "-v", "-ldflags", linkerFlags(), "-o", output, ".")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the Go command, which builds the control plane: %w", err)
	}
	var problems []string
	done := 0
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if looksLikePackage(line) {
			done++
			progress.update(done, total, line)
			continue
		}
		problems = append(problems, line)
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("building the control plane was interrupted: %w", context.Cause(ctx))
		}
		return fmt.Errorf("building the control plane in %s: %w\n%s", src.dir, err, strings.Join(problems, "\n"))
	}
	return lines.Err()
}

// looksLikePackage tells an import path, which -v prints alone on a line, from what else the Go command says.
func looksLikePackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t:#")
}

func countPackages(ctx context.Context, dir string) (int, error) {
	cmd := goCommand(ctx, dir, "list", "-deps", ".")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	names, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("listing the control plane's packages in %s: %w\n%s", dir, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return bytes.Count(names, []byte("\n")), nil
}

func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	// The binary is for this machine and for no other settings than its own, whatever the caller's shell says.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=", "GOOS=", "GOARCH=")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// linkerFlags drop what only debuggers need and set the version that the parts report, which a build of Kubernetes'
// modules does not know by itself.
func linkerFlags() string {
	number := strings.Split(strings.TrimPrefix(Version, "v"), ".")
	flags := []string{"-s", "-w"}
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags,
			"-X", pkg+".gitVersion="+Version,
			"-X", pkg+".gitMajor="+number[0],
			"-X", pkg+".gitMinor="+number[1])
	}
	return strings.Join(flags, " ")
}

// makeCurrent lets the link to the newest control plane point at dir.
func makeCurrent(root, dir string) error {
	current := filepath.Join(root, "current")
	if target, err := os.Readlink(current); err == nil && target == filepath.Base(dir) {
		return nil
	}
	staged := fmt.Sprintf("%s.%d", current, os.Getpid())
	if err := os.Symlink(filepath.Base(dir), staged); err != nil {
		return err
	}
	if err := os.Rename(staged, current); err != nil {
		return fmt.Errorf("marking %s as the newest control plane: %w", dir, err)
	}
	return nil
}
