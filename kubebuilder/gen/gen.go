// Package gen generates what an API server needs from Go types and markers: custom resource definitions, copy methods
// and roles. Run loads the packages once, runs every generator asked for on them, and writes only what has changed.
//
// The parts can be used alone: load reads Go packages, marker finds their markers, and crd, deepcopy and rbac each turn
// markers and types into one kind of artifact.
package gen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"kubewright.dev/kubebuilder/gen/crd"
	"kubewright.dev/kubebuilder/gen/deepcopy"
	"kubewright.dev/kubebuilder/gen/load"
	"kubewright.dev/kubebuilder/gen/marker"
	"kubewright.dev/kubebuilder/gen/rbac"
	"kubewright.dev/kubebuilder/gen/webhook"
)

// Header is the text that generated files begin with.
type Header struct {
	// File holds the text; empty means none. It is relative to Options.Dir.
	File string
	// Year replaces the word YEAR in it.
	Year string
}

// Object asks for copy methods.
type Object struct {
	Header Header
	Output Output
}

// CRD asks for custom resource definitions.
type CRD struct {
	crd.Options
	Header Header
	Output Output
}

// RBAC asks for roles.
type RBAC struct {
	// RoleName names the role of markers that do not name one.
	RoleName string
	// FileName is the file of the roles; empty is role.yaml.
	FileName string
	Header   Header
	Output   Output
}

// Webhook asks for webhook configurations.
type Webhook struct {
	Header Header
	Output Output
}

// Options say what to generate. Generators that are nil do not run.
type Options struct {
	// Dir is the folder that paths are relative to; empty is the current one.
	Dir string
	// Paths are Go package patterns.
	Paths []string
	// Tags are build tags; nil leaves generated code out.
	Tags []string
	// Strict makes warnings errors.
	Strict bool

	Object  *Object
	CRD     *CRD
	RBAC    *RBAC
	Webhook *Webhook
}

// Result is what a run did.
type Result struct {
	// Written are the files that were created or changed, Unchanged those that already were as they must be.
	Written, Unchanged []string
	// Warnings are markers that have no effect, with file, line and column.
	Warnings []error
}

// run is one call of Run.
type run struct {
	opts     Options
	packages []*marker.Package
	program  *load.Program
	files    []file
	problems []*marker.Error
}

// Run generates. All problems are found before it returns; when there is one, nothing is written.
func Run(ctx context.Context, opts Options) (Result, error) {
	program, err := load.Load(ctx, load.Config{Dir: opts.Dir, Tags: opts.Tags, Patterns: opts.Paths})
	if err != nil {
		return Result{}, err
	}
	r := &run{opts: opts, program: program}
	collector := marker.NewCollector(marker.Builtin())
	var warnings []*marker.Error
	for _, pkg := range program.Roots {
		collected := collector.Collect(pkg)
		r.packages = append(r.packages, collected)
		r.problems = append(r.problems, collected.Errors...)
		warnings = append(warnings, collected.Warnings...)
	}
	if opts.Strict {
		r.problems = append(r.problems, warnings...)
		warnings = nil
	}
	base, err := filepath.Abs(opts.Dir)
	if err != nil {
		return Result{}, err
	}
	err = errors.Join(r.object(), r.crds(collector), r.rbac(), r.webhooks())
	result := Result{Warnings: sorted(base, warnings)}
	if err = errors.Join(append(sorted(base, r.problems), err)...); err != nil {
		return result, err
	}
	for _, f := range r.files {
		changed, err := f.write()
		if err != nil {
			return result, err
		}
		if changed {
			result.Written = append(result.Written, relative(base, f.name))
		} else {
			result.Unchanged = append(result.Unchanged, relative(base, f.name))
		}
	}
	return result, nil
}

// relative names a file as it is called from the folder base, if it is inside.
func relative(base, name string) string {
	if inside, err := filepath.Rel(base, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(inside) {
		return inside
	}
	return name
}

// sorted puts problems in the order of the source, each one once.
func sorted(base string, list []*marker.Error) []error {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].At, list[j].At
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Offset < b.Offset
	})
	var out []error
	seen := map[string]bool{}
	for _, e := range list {
		e.At.Filename = relative(base, e.At.Filename)
		if !seen[e.Error()] {
			seen[e.Error()] = true
			out = append(out, e)
		}
	}
	return out
}

func (h Header) read(dir string) (string, error) {
	if h.File == "" {
		return "", nil
	}
	text, err := os.ReadFile(rooted(dir, h.File))
	if err != nil {
		return "", fmt.Errorf("read the header of generated files: %w", err)
	}
	return strings.ReplaceAll(string(text), " YEAR", " "+h.Year), nil
}

func rooted(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func (r *run) object() error {
	if r.opts.Object == nil {
		return nil
	}
	header, err := r.opts.Object.Header.read(r.opts.Dir)
	if err != nil {
		return err
	}
	for _, pkg := range r.packages {
		text, problems := deepcopy.Generate(pkg, header)
		r.problems = append(r.problems, problems...)
		if text != nil {
			r.files = append(r.files, r.opts.Object.Output.code(r.opts.Dir, pkg.Dir, deepcopy.FileName, text))
		}
	}
	return nil
}

func (r *run) crds(collector *marker.Collector) error {
	if r.opts.CRD == nil {
		return nil
	}
	header, err := r.opts.CRD.Header.read(r.opts.Dir)
	if err != nil {
		return err
	}
	definitions, problems := crd.Generate(collector, r.packages, r.opts.CRD.Options)
	r.problems = append(r.problems, problems...)
	for _, d := range definitions {
		text, err := manifest(header, d.Object())
		if err != nil {
			return fmt.Errorf("write %s: %w", d.FileName(), err)
		}
		r.files = append(r.files, r.opts.CRD.Output.config(r.opts.Dir, "crd", d.FileName(), text))
	}
	return nil
}

// markers are the markers of the packages themselves.
func (r *run) markers() []marker.List {
	lists := make([]marker.List, len(r.packages))
	for i, pkg := range r.packages {
		lists[i] = pkg.Markers
	}
	return lists
}

func (r *run) webhooks() error {
	if r.opts.Webhook == nil {
		return nil
	}
	header, err := r.opts.Webhook.Header.read(r.opts.Dir)
	if err != nil {
		return err
	}
	configurations, problems := webhook.Configurations(r.markers())
	r.problems = append(r.problems, problems...)
	if len(configurations) == 0 {
		return nil
	}
	text, err := manifest(header, configurations...)
	if err != nil {
		return fmt.Errorf("write manifests.yaml: %w", err)
	}
	r.files = append(r.files, r.opts.Webhook.Output.config(r.opts.Dir, "webhook", "manifests.yaml", text))
	return nil
}

func (r *run) rbac() error {
	if r.opts.RBAC == nil {
		return nil
	}
	header, err := r.opts.RBAC.Header.read(r.opts.Dir)
	if err != nil {
		return err
	}
	roles := rbac.Roles(r.markers(), r.opts.RBAC.RoleName)
	if len(roles) == 0 {
		return nil
	}
	name := r.opts.RBAC.FileName
	if name == "" {
		name = "role.yaml"
	}
	text, err := manifest(header, roles...)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	r.files = append(r.files, r.opts.RBAC.Output.config(r.opts.Dir, "rbac", name, text))
	return nil
}
