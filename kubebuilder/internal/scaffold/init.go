package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"kubewright.dev/kubebuilder/internal/project"
)

// InitOptions say what a fresh project is like.
type InitOptions struct {
	// Dir is the project's root folder.
	Dir string
	// Domain ends the API groups of the project's kinds.
	Domain string
	// Repo is the path of the project's Go module; "" stands for that of the go.mod in Dir.
	Repo string
	// Name starts the names of all that the project deploys; "" stands for the name of Dir.
	Name string
	// License is apache2 or none.
	License string
	// LicenseFile is a file whose text stands above each Go file in place of License.
	LicenseFile string
	// Owner has the copyright.
	Owner string
	// MultiGroup gives every API group folders of its own.
	MultiGroup bool
	// Namespaced confines the manager to the namespace it is deployed in.
	Namespaced bool
	// Now is the time whose year the copyright has; the zero time stands for the clock's.
	Now time.Time
}

// Result says what a command has written.
type Result struct {
	// Files are the names of the written files, relative to the project's root folder, sorted.
	Files []string
	// Tidy is true where `go mod tidy` must complete go.mod and go.sum.
	Tidy bool
}

// Init writes a fresh project to o.Dir. On an error nothing is written.
func Init(o InitOptions) (*Result, error) {
	f, err := o.project()
	if err != nil {
		return nil, err
	}
	header, err := o.header()
	if err != nil {
		return nil, err
	}
	files, err := render("init", newValues(f, header), func(name string) string { return name })
	if err != nil {
		return nil, err
	}
	if err := o.unwritten(files); err != nil {
		return nil, err
	}
	mod, sum, tidied, err := module(f.Repo)
	if err != nil {
		return nil, err
	}
	files["go.mod"] = mod
	if sum != nil {
		files["go.sum"] = sum
	}
	if files[project.Name], err = f.Encode(); err != nil {
		return nil, err
	}
	if err := writeAll(o.Dir, files); err != nil {
		return nil, err
	}
	return &Result{Files: sortedNames(files), Tidy: !tidied}, nil
}

// project checks the options and fills in what they leave open.
func (o *InitOptions) project() (*project.File, error) {
	if project.Exists(o.Dir) {
		return nil, fmt.Errorf("%s is there already: this folder has a project: add to it with `kubebuilder create api`, or start another one in an empty folder",
			project.Name)
	}
	repo, err := o.repo()
	if err != nil {
		return nil, err
	}
	name := o.Name
	if name == "" {
		abs, err := filepath.Abs(o.Dir)
		if err != nil {
			return nil, err
		}
		name = strings.ToLower(filepath.Base(abs))
	}
	err = errors.Join(project.CheckDomain(o.Domain), project.CheckRepo(repo), project.CheckName(name))
	if err != nil {
		return nil, err
	}
	f := project.New()
	f.Domain, f.Repo, f.ProjectName = o.Domain, repo, name
	f.MultiGroup, f.Namespaced = o.MultiGroup, o.Namespaced
	return f, nil
}

// repo is the module path that was given, or else that of a go.mod without requirements in the folder.
func (o *InitOptions) repo() (string, error) {
	text, err := os.ReadFile(filepath.Join(o.Dir, "go.mod"))
	if errors.Is(err, os.ErrNotExist) {
		if o.Repo == "" {
			return "", errors.New("the path of the project's Go module is missing: add `--repo <path>`, as in `--repo example.org/my-operator`")
		}
		return o.Repo, nil
	}
	if err != nil {
		return "", err
	}
	have, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return "", err
	}
	if have.Module == nil || len(have.Require) > 0 {
		return "", errors.New("go.mod is there already and has requirements: init writes that file: use an empty folder")
	}
	if o.Repo != "" && o.Repo != have.Module.Mod.Path {
		return "", fmt.Errorf("go.mod is there already and names the module %s: leave out --repo, or remove the file", have.Module.Mod.Path)
	}
	return have.Module.Mod.Path, nil
}

// header is what stands above each Go file.
func (o *InitOptions) header() (string, error) {
	if o.LicenseFile != "" {
		text, err := os.ReadFile(o.LicenseFile)
		if err != nil {
			return "", fmt.Errorf("read the license file: %w", err)
		}
		return string(text), nil
	}
	now := o.Now
	if now.IsZero() {
		now = time.Now()
	}
	copyright := fmt.Sprintf("Copyright %d", now.Year())
	if o.Owner != "" {
		copyright += " " + o.Owner
	}
	switch o.License {
	case "apache2":
		return "/*\n" + copyright + ".\n\n" + apache2 + "*/\n", nil
	case "none":
		if o.Owner == "" {
			return "", nil
		}
		return "/*\n" + copyright + ".\n*/\n", nil
	}
	return "", fmt.Errorf("license %q is unknown: use `--license apache2`, `--license none`, or `--license-file <file>` for a text of your own", o.License)
}

// unwritten makes sure that init replaces no file that somebody wrote.
func (o *InitOptions) unwritten(files map[string][]byte) error {
	for _, name := range sortedNames(files) {
		if _, err := os.Lstat(filepath.Join(o.Dir, filepath.FromSlash(name))); err == nil {
			if name == "README.md" || name == ".gitignore" {
				delete(files, name)
				continue
			}
			return fmt.Errorf("%s is there already, and init writes that file: move it away or use an empty folder", name)
		}
	}
	return nil
}

// apache2 is the notice that the Apache License 2.0 asks to be put above each file.
const apache2 = `Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
`
