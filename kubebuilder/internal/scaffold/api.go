package scaffold

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kubewright.dev/kubebuilder/internal/project"
)

// APIOptions say what a kind is like and what a project gets for it.
type APIOptions struct {
	// Dir is the project's root folder.
	Dir string
	// Group, Version and Kind name the kind; Group goes without the project's domain.
	Group, Version, Kind string
	// Plural is the resource's name in URLs; "" stands for the English plural of Kind.
	Plural string
	// Namespaced is true where objects of the kind live in namespaces.
	Namespaced bool
	// Resource makes the Go type and the manifests about it.
	Resource bool
	// Controller makes a reconciler, its test and its set-up in cmd/main.go.
	Controller bool
	// ControllerName is the controller's name; "" stands for the kind in small letters.
	ControllerName string
	// Force writes files anew that are there already.
	Force bool
}

// CheckAPI says what is wrong with the options, before anything is asked or made. It reads the project.
func CheckAPI(o APIOptions) error {
	f, err := project.Read(o.Dir)
	if err != nil {
		return err
	}
	_, err = o.resource(f)
	return err
}

// CreateAPI adds a kind, a controller, or both to the project in o.Dir. On an error nothing is written.
func CreateAPI(o APIOptions) (*Result, error) {
	f, err := project.Read(o.Dir)
	if err != nil {
		return nil, err
	}
	res, err := o.resource(f)
	if err != nil {
		return nil, err
	}
	if !o.Resource && !o.Controller {
		return nil, fmt.Errorf("nothing to do for kind %s: add `--resource`, `--controller` or both", o.Kind)
	}
	if err := o.register(f, res); err != nil {
		return nil, err
	}
	header, err := os.ReadFile(filepath.Join(o.Dir, "hack", "boilerplate.go.txt"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	v := o.values(f, res, string(header))
	e := &edition{dir: o.Dir, files: map[string][]byte{}, force: o.Force}
	if o.Resource {
		err = e.addResource(v)
	}
	if err == nil && o.Controller {
		err = e.addController(v)
	}
	if err == nil {
		err = e.editMain(v, o.Controller)
	}
	if err != nil {
		return nil, err
	}
	if e.files[project.Name], err = f.Encode(); err != nil {
		return nil, err
	}
	if err := writeAll(o.Dir, e.files); err != nil {
		return nil, err
	}
	return &Result{Files: sortedNames(e.files)}, nil
}

// resource checks the options and returns the kind as the PROJECT file will have it.
func (o *APIOptions) resource(f *project.File) (*project.Resource, error) {
	for _, err := range []error{
		project.CheckGroup(o.Group, f.Domain), project.CheckVersion(o.Version), project.CheckKind(o.Kind),
		project.CheckPlural(o.Plural), project.CheckControllerName(o.ControllerName),
	} {
		if err != nil {
			return nil, err
		}
	}
	res := &project.Resource{Group: o.Group, Domain: f.Domain, Version: o.Version, Kind: o.Kind}
	if o.Plural != "" && o.Plural != project.DefaultPlural(o.Kind) {
		res.Plural = o.Plural
	}
	res.Path = f.PackagePath(o.Group, o.Version)
	own := f.Find(o.Group, f.Domain, o.Version, o.Kind)
	if own >= 0 {
		have := f.Resources[own]
		if res.Plural == "" {
			res.Plural = have.Plural
		}
		res.Path = have.Path
	}
	if domain, core := project.CoreDomain(o.Group); core && !o.Resource && own < 0 {
		// A kind of Kubernetes itself: its type is in k8s.io/api.
		res.Core, res.Domain = true, domain
		name := strings.TrimSuffix(o.Group, ".authorization")
		res.Path = path.Join("k8s.io", "api", name, o.Version)
		return res, nil
	}
	if o.Resource {
		res.API = &project.API{CRDVersion: "v1", Namespaced: o.Namespaced}
		if err := f.CheckNew(res); err != nil {
			return nil, err
		}
		if own >= 0 && f.Resources[own].API != nil && !o.Force {
			return nil, fmt.Errorf("%s %s, kind %s, is in the project already: add `--force` to write its files anew, or `--resource=false` for a controller alone",
				res.APIGroup(), res.Version, res.Kind)
		}
	}
	return res, nil
}

// register puts the kind into the PROJECT file, or completes the entry that is there.
func (o *APIOptions) register(f *project.File, res *project.Resource) error {
	at := f.Find(res.Group, res.Domain, res.Version, res.Kind)
	if at < 0 {
		if res.API == nil && !res.Core {
			return fmt.Errorf("kind %s of %s %s is not in the project: add `--resource` to define it", res.Kind, res.APIGroup(), res.Version)
		}
		f.Resources = append(f.Resources, *res)
		at = len(f.Resources) - 1
	}
	have := &f.Resources[at]
	if res.API != nil {
		have.API, have.Plural, have.Path = res.API, res.Plural, res.Path
	}
	if o.Controller {
		if err := o.registerController(have); err != nil {
			return err
		}
	}
	*res = *have
	return nil
}

func (o *APIOptions) registerController(have *project.Resource) error {
	name := o.ControllerName
	exists := have.Controller && name == ""
	if name != "" {
		exists = slices.Contains(have.Controllers, project.Controller{Name: name})
	}
	if exists && !o.Force {
		return fmt.Errorf("kind %s has that controller already: add `--force` to write its files anew, or `--controller-name <name>` for another one", have.Kind)
	}
	switch {
	case name == "":
		have.Controller = true
	case !exists:
		have.Controllers = append(have.Controllers, project.Controller{Name: name})
	}
	return nil
}
