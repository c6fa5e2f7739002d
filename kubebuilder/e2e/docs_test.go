package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// prelude makes `make run`, which a reader stops with Ctrl-C, end by itself once the manager works, on a free port.
const prelude = `set -eu -o pipefail
make() {
  if [ "$1" != run ]; then
    command make "$@"
    return
  fi
  setsid make run ARGS=--health-probe-bind-address=127.0.0.1:0 >run.log 2>&1 &
  manager=$!
  for _ in $(seq 900); do
    if grep -q "Starting workers" run.log || ! kill -0 "$manager"; then break; fi
    read -r -t 0.1 <> <(:) || true
  done
  cat run.log
  kill -TERM -- "-$manager"
  wait "$manager" || true
  grep -q "Starting workers" run.log
}
trap 'kubebuilder cluster down >/dev/null 2>&1 || true' EXIT
`

// TestTheCommandsOfGettingStartedWork runs the page's commands from the first to the last, as a reader would.
func TestTheCommandsOfGettingStartedWork(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "getting-started.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := prelude
	for _, block := range shellBlock.FindAllSubmatch(page, -1) {
		script += string(block[1])
	}
	if !strings.Contains(script, "kubebuilder create api") {
		t.Fatal("the page has no commands")
	}

	// The reader's default cluster is left alone: this one lives in a cache folder of the test's own, which shares
	// the control plane's programs and Go's build cache with the real one.
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	if err := os.MkdirAll(filepath.Join(own, "kubewright"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(cache, "kubewright", "controlplane"), filepath.Join(own, "kubewright", "controlplane")); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, t.TempDir(), path(), "XDG_CACHE_HOME="+own, "GOCACHE="+strings.TrimSpace(string(goCache)))
	s.run("bash", "-c", script)
}
