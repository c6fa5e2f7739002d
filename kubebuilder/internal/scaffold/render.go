// Package scaffold knows what the files of a project say: those of a fresh project, and those that a new kind adds.
//
// templates/ is laid out as the project will be: templates/init is a fresh project, templates/api/resource and
// templates/api/controller are what a kind and its controller add. Capital words in a path (KIND, VERSION, GROUP,
// CONTROLLER) stand for the kind's own. Files that are there already are edited instead: Go files by their syntax tree
// (package gosource), kustomizations by their YAML. A command gathers all of its files first and then writes them in one
// go, so that an error leaves the project as it was.
package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"strings"
	"text/template"

	"kubewright.dev/kubebuilder/internal/project"
)

//go:embed all:templates
var templates embed.FS

// values is what templates of a whole project see.
type values struct {
	*project.File
	// Name starts the names of all that the project deploys.
	Name string
	// Header stands above each Go file: a comment, or nothing.
	Header string
	// License is the text of Header without comment signs.
	License string
	// RoleKind is ClusterRole, or Role where the manager is confined to its namespace.
	RoleKind string
	// LeaseName names the lease of leader election; no two projects have the same.
	LeaseName string
}

func newValues(f *project.File, header string) values {
	v := values{File: f, Name: f.ProjectName, RoleKind: "ClusterRole"}
	if f.Namespaced {
		v.RoleKind = "Role"
	}
	if header = strings.TrimSpace(header); header != "" {
		v.Header = header + "\n"
		v.License = uncomment(header)
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(f.Repo))
	v.LeaseName = fmt.Sprintf("%08x", sum.Sum32())
	if f.Domain != "" {
		v.LeaseName += "." + f.Domain
	}
	return v
}

func uncomment(header string) string {
	lines := strings.Split(header, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		line = strings.TrimSuffix(strings.TrimPrefix(line, "/*"), "*/")
		lines[i] = strings.TrimSpace(strings.TrimPrefix(line, "//"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// render returns the files that the templates in folder make of data; place maps a template's path to the file's.
func render(folder string, data any, place func(string) string) (map[string][]byte, error) {
	root := path.Join("templates", folder)
	files := map[string][]byte{}
	err := fs.WalkDir(templates, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		target := place(strings.TrimSuffix(strings.TrimPrefix(name, root+"/"), ".tmpl"))
		text, err := execute(name, data)
		if err != nil {
			return err
		}
		if strings.HasSuffix(target, ".go") {
			if text, err = format.Source(text); err != nil {
				return fmt.Errorf("%s: %w", target, err)
			}
		}
		files[target] = text
		return nil
	})
	return files, err
}

func execute(name string, data any) ([]byte, error) {
	text, err := templates.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tmpl, err := template.New(name).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, data); err != nil {
		return nil, err
	}
	return bytes.TrimLeft(out.Bytes(), "\n"), nil
}

// mode is the permission that a file of a project gets.
func mode(name string) os.FileMode {
	if strings.HasSuffix(name, ".sh") {
		return 0o755
	}
	return 0o644
}
