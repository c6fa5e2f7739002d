package controlplane

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Etcd is one etcd server without encryption or authentication, on the loopback address. The zero value works.
type Etcd struct {
	// URL is where clients reach it. A free port of the loopback address by default.
	URL *url.URL
	// Path is the binary. By default it is looked for, see [FindBinary].
	Path string
	// Args are written before the flags that Configure gives.
	//
	// Deprecated: use Configure.
	Args []string
	// DataDir holds the database. A temporary folder, removed by Stop, by default.
	DataDir string
	// StartTimeout and StopTimeout bound Start and Stop, one minute each by default.
	StartTimeout time.Duration
	StopTimeout  time.Duration
	// Out and Err get what the server prints. Nothing is copied by default; an error has its end either way.
	Out io.Writer
	Err io.Writer

	args    *Arguments
	assets  string
	tempDir string
	running *process
}

// Configure returns the server's flags, to be changed before Start.
func (e *Etcd) Configure() *Arguments {
	if e.args == nil {
		e.args = EmptyArguments()
	}
	return e.args
}

// Start runs the server and returns when it is healthy.
func (e *Etcd) Start() error {
	if e.running != nil {
		return fmt.Errorf("etcd at %s runs already", e.URL)
	}
	path, err := binaryPath(e.Path, "etcd", e.assets)
	if err != nil {
		return err
	}
	e.Path = path
	if e.DataDir == "" {
		if e.tempDir, err = os.MkdirTemp("", "kubewright-etcd-"); err != nil {
			return fmt.Errorf("make etcd's data folder: %w", err)
		}
		e.DataDir = e.tempDir
	}
	chosen := e.URL != nil
	for attempt := 1; ; attempt++ {
		if !chosen {
			addr, err := freeAddr()
			if err != nil {
				return err
			}
			e.URL = addr.URL("http", "")
		}
		p := e.process()
		if err = p.start(); err == nil {
			e.running = p
			return nil
		}
		if chosen || attempt == startAttempts || !p.portTaken() {
			return errorsJoinCleanup(err, e.cleanup)
		}
	}
}

func (e *Etcd) process() *process {
	defaults := map[string][]string{
		"data-dir":              {e.DataDir},
		"listen-client-urls":    {e.URL.String()},
		"advertise-client-urls": {e.URL.String()},
		"listen-peer-urls":      {"http://" + loopback + ":0"},
		// A test's data need not outlive a power cut.
		"unsafe-no-fsync": {"true"},
	}
	health := *e.URL
	health.Path = "/health"
	return &process{
		path: e.Path, args: append(append([]string(nil), e.Args...), e.Configure().AsStrings(defaults)...),
		out: e.Out, err: e.Err,
		probe: health.String(), client: &http.Client{Transport: &http.Transport{}},
		startTimeout: e.StartTimeout, stopTimeout: e.StopTimeout,
	}
}

// Stop ends the server and removes the data folder that Start made.
func (e *Etcd) Stop() error {
	p := e.running
	e.running = nil
	return errorsJoinCleanup(p.stop(), e.cleanup)
}

func (e *Etcd) cleanup() error {
	if e.tempDir == "" {
		return nil
	}
	dir := e.tempDir
	e.tempDir, e.DataDir = "", ""
	return os.RemoveAll(dir)
}
