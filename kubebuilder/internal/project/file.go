// Package project reads, checks and writes the PROJECT file, in which a project keeps what it was scaffolded with: its
// domain and repository, how its folders are cut, and the resources it has.
//
// The file is the one of kubebuilder's project version 3 with the layout go.kubebuilder.io/v4, so that either tool goes
// on with what the other one began. File is the whole file, Resource one entry of its list; the Check functions say what
// is wrong with a value a user typed, and what a right one looks like.
package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/yaml"
)

const (
	// Name is what the file is called; it lies in the root folder of a project.
	Name = "PROJECT"
	// Version is the version of the file's format.
	Version = "3"
	// Layout names the cut of a project's folders.
	Layout = "go.kubebuilder.io/v4"
	// CLIVersion is the kubebuilder release whose files a project has.
	CLIVersion = "4.16.0"
)

// head tells a reader of the file who writes it.
const head = `# Written by kubebuilder, which reads it again with each command: change it through
# the command rather than by hand. It lists what this project was scaffolded with.
`

// File is what a PROJECT file says. Keys are written in alphabetical order, empty ones left out.
type File struct {
	// CLIVersion is the kubebuilder release that scaffolded the project.
	CLIVersion string `json:"cliVersion,omitempty"`
	// Domain ends the API groups of the project's own kinds: group apps and domain keon.io make apps.keon.io.
	Domain string `json:"domain,omitempty"`
	// Layout lists the plugins that scaffolded the project, Layout first.
	Layout Chain `json:"layout,omitempty"`
	// MultiGroup gives every API group folders of its own.
	MultiGroup bool `json:"multigroup,omitempty"`
	// Namespaced confines the manager to the namespace it is deployed in.
	Namespaced bool `json:"namespaced,omitempty"`
	// Plugins holds what other plugins keep here, as found.
	Plugins map[string]any `json:"plugins,omitempty"`
	// ProjectName starts the names of all that the project deploys.
	ProjectName string `json:"projectName,omitempty"`
	// Repo is the path of the project's Go module.
	Repo string `json:"repo,omitempty"`
	// Resources are the kinds that the project defines or works on, in the order they were added.
	Resources []Resource `json:"resources,omitempty"`
	// Version is the version of the file's format: "3".
	Version string `json:"version"`
}

// Chain is a list of plugin names; a file may hold a single name in its place.
type Chain []string

// UnmarshalJSON reads a list or a single name.
func (c *Chain) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*c = Chain{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		return errors.New("layout must be a plugin's name or a list of names")
	}
	*c = many
	return nil
}

// New returns the file of a fresh project.
func New() *File {
	return &File{Version: Version, Layout: Chain{Layout}, CLIVersion: CLIVersion}
}

// Exists reports whether dir has a PROJECT file.
func Exists(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, Name))
	return err == nil
}

// Read reads and checks the PROJECT file of dir. Where there is none, the error says how to begin a project.
func Read(dir string) (*File, error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no %s file in %s: run this in the root folder of a project, or start one with `kubebuilder init`", Name, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("read the project's settings: %w", err)
	}
	return Decode(data)
}

// Decode reads a PROJECT file from its text and checks it.
func Decode(data []byte) (*File, error) {
	var f File
	if err := yaml.UnmarshalStrict(data, &f); err != nil {
		return nil, fmt.Errorf("%s is not a project file: %w", Name, err)
	}
	if f.Version != Version {
		return nil, fmt.Errorf("%s has version %q: this command works with version %q", Name, f.Version, Version)
	}
	if len(f.Layout) > 0 && !slices.Contains(f.Layout, Layout) {
		return nil, fmt.Errorf("%s has layout %v: this command works with %s", Name, []string(f.Layout), Layout)
	}
	if f.Repo == "" {
		return nil, fmt.Errorf("%s has no repo: add the module path of go.mod as `repo: …`", Name)
	}
	return &f, nil
}

// Encode returns the file's text.
func (f *File) Encode() ([]byte, error) {
	body, err := yaml.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", Name, err)
	}
	return append([]byte(head), body...), nil
}

// Find returns the place of a kind in Resources, or -1.
func (f *File) Find(group, domain, version, kind string) int {
	return slices.IndexFunc(f.Resources, func(r Resource) bool {
		return r.Group == group && r.Domain == domain && r.Version == version && r.Kind == kind
	})
}

// HasAPI reports whether the project itself defines a kind of this group and version.
func (f *File) HasAPI(group, domain, version string) bool {
	return slices.ContainsFunc(f.Resources, func(r Resource) bool {
		return r.API != nil && r.Group == group && r.Domain == domain && r.Version == version
	})
}
