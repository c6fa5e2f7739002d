package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// state is what a cluster remembers in its folder between commands.
type state struct {
	Assets string          `json:"assets"` // the folder of the programs
	Ports  ports           `json:"ports"`
	Parts  map[string]part `json:"parts"` // by name
}

// ports are the cluster's places on the loopback interface.
type ports struct {
	APIServer         int `json:"apiServer"`
	Etcd              int `json:"etcd"`
	EtcdPeer          int `json:"etcdPeer"`
	ControllerManager int `json:"controllerManager"`
	Scheduler         int `json:"scheduler"`
}

// part is a process of the cluster.
type part struct {
	PID int `json:"pid"`
	// Identity tells the process from a later one with the same number, after a crash of the machine for instance.
	Identity string    `json:"identity"`
	Started  time.Time `json:"started"`
}

// alive says whether this very process still runs.
func (p part) alive() bool {
	return p.PID > 0 && p.Identity != "" && identify(p.PID) == p.Identity
}

// The names of the cluster's parts, in the order in which they need each other.
const (
	etcd              = "etcd"
	apiServer         = "kube-apiserver"
	controllerManager = "kube-controller-manager"
	scheduler         = "kube-scheduler"
)

var partNames = []string{etcd, apiServer, controllerManager, scheduler}

// Cluster is a control plane on this machine, known by its name. It may be up or down.
type Cluster struct {
	name string
	dir  string
}

// DefaultName is the name of the cluster that users mean who give none.
const DefaultName = "default"

var validName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// New returns the cluster called name, which need not be there. A name is a DNS label: lower-case letters, digits and
// dashes.
func New(name string) (*Cluster, error) {
	if !validName.MatchString(name) {
		return nil, fmt.Errorf("%q cannot name a cluster: use lower-case letters, digits and dashes, at most 63", name)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("finding the user's cache folder: %w", err)
	}
	return &Cluster{name: name, dir: filepath.Join(cache, "kubewright", "clusters", name)}, nil
}

// Name returns the cluster's name.
func (c *Cluster) Name() string { return c.name }

// Kubeconfig returns the path of the cluster's kubeconfig file, which is there while the cluster is up. Its user is an
// administrator.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.dir, "kubeconfig") }

// LogFile returns the path of the log of a part.
func (c *Cluster) LogFile(part string) string { return filepath.Join(c.dir, "logs", part+".log") }

func (c *Cluster) stateFile() string { return filepath.Join(c.dir, "state.json") }
func (c *Cluster) pkiDir() string    { return filepath.Join(c.dir, "pki") }
func (c *Cluster) dataDir() string   { return filepath.Join(c.dir, "etcd") }

// lockFile stands beside the folder, which comes and goes.
func (c *Cluster) lockFile() string { return c.dir + ".lock" }

// load reads the state; a cluster that was never up has an empty one.
func (c *Cluster) load() (state, error) {
	s := state{Parts: map[string]part{}}
	data, err := os.ReadFile(c.stateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w; if nothing of the cluster runs, remove its folder", c.stateFile(), err)
	}
	if s.Parts == nil {
		s.Parts = map[string]part{}
	}
	return s, nil
}

func (c *Cluster) save(s state) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(c.stateFile(), append(data, '\n'))
}

// living returns the names of the parts whose processes run.
func (s state) living() []string {
	var names []string
	for _, name := range partNames {
		if s.Parts[name].alive() {
			names = append(names, name)
		}
	}
	return names
}

// dead returns the names of the parts that do not run.
func (s state) dead() []string {
	living := s.living()
	return slices.DeleteFunc(slices.Clone(partNames), func(name string) bool { return slices.Contains(living, name) })
}
