package scaffold

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kubewright.dev/kubebuilder/internal/gosource"
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

// apiValues is what templates of a kind see.
type apiValues struct {
	values
	Res              *project.Resource
	APIGroup         string // group and domain
	Plural           string
	Lower            string // the kind in small letters
	Alias            string // the name of the kind's package in imports
	HasAPI           bool   // the project defines the kind itself
	ObjectNamespaced bool   // objects of the kind live in namespaces
	ResourceMarker   string // arguments of +kubebuilder:resource, or ""
	MarkerGroup      string // APIGroup as an rbac marker has it
	MarkerNamespace  string // the namespace of rbac markers, or ""
	RolePrefix       string // starts the names of roles for the kind
	SampleFile       string
	Reconciler       string // the reconciler's type
	ControllerName   string // as the manager knows it
	ControllerFile   string // starts the names of the controller's files
	UpToRoot         string // Go strings that lead from the controller's folder to the root
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

func (o *APIOptions) values(f *project.File, res *project.Resource, header string) *apiValues {
	v := &apiValues{
		values: newValues(f, header), Res: res, APIGroup: res.APIGroup(), Plural: res.PluralName(),
		Lower: strings.ToLower(res.Kind), Alias: res.ImportAlias(), HasAPI: res.API != nil,
		ObjectNamespaced: res.API == nil || res.API.Namespaced, UpToRoot: `"..", ".."`,
	}
	if v.Res.Core && v.Res.Group == "core" {
		v.APIGroup = ""
	}
	v.MarkerGroup = v.APIGroup
	if v.MarkerGroup == "" {
		v.MarkerGroup = `""`
	}
	if f.Namespaced {
		v.MarkerNamespace = "namespace=" + v.Name + "-system,"
	}
	var marker []string
	if res.Plural != "" {
		marker = append(marker, "path="+res.Plural)
	}
	if !v.ObjectNamespaced {
		marker = append(marker, "scope=Cluster")
	}
	v.ResourceMarker = strings.Join(marker, ",")
	v.SampleFile = strings.TrimPrefix(res.Group+"_"+res.Version+"_"+v.Lower+".yaml", "_")
	v.Reconciler, v.ControllerName, v.ControllerFile = res.Kind+"Reconciler", v.Lower, v.Lower
	if name := o.ControllerName; name != "" && name != v.Lower {
		v.Reconciler, v.ControllerName, v.ControllerFile = camel(name)+"Reconciler", name, strings.ReplaceAll(name, "-", "_")
	}
	v.RolePrefix = v.Lower
	if f.MultiGroup && res.Group != "" {
		v.RolePrefix = res.Group + "-" + v.Lower
		v.ControllerName = res.Group + "-" + v.ControllerName
		v.UpToRoot += `, ".."`
	}
	return v
}

// camel makes a Go type's name of words between dashes.
func camel(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		if word != "" {
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}

// place maps a template's path to the file's.
func (v *apiValues) place(name string) string {
	if v.MultiGroup && v.Res.Group != "" {
		name = strings.Replace(name, "api/VERSION", "api/GROUP/VERSION", 1)
		name = strings.Replace(name, "internal/controller/", "internal/controller/GROUP/", 1)
		name = strings.Replace(name, "config/rbac/KIND", "config/rbac/GROUP_KIND", 1)
	}
	name = strings.Replace(name, "GROUP_VERSION_KIND.yaml", v.SampleFile, 1)
	return strings.NewReplacer("GROUP", v.Res.Group, "VERSION", v.Res.Version, "KIND", v.Lower, "CONTROLLER", v.ControllerFile).Replace(name)
}

// controllerPackage is the folder of the kind's controller, and the name under which main.go imports it.
func (v *apiValues) controllerPackage() (folder, alias string) {
	if v.MultiGroup && v.Res.Group != "" {
		group := *v.Res
		group.Version = ""
		return path.Join("internal", "controller", v.Res.Group), group.ImportAlias() + "controller"
	}
	return path.Join("internal", "controller"), "controller"
}

// edition gathers the files that a command writes: fresh ones and edited ones.
type edition struct {
	dir   string
	files map[string][]byte
	force bool
}

// text returns what a file says: as edited so far, or as it lies in the project.
func (e *edition) text(name string) ([]byte, error) {
	if text, ok := e.files[name]; ok {
		return text, nil
	}
	return os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(name)))
}

func (e *edition) has(name string) bool {
	_, err := e.text(name)
	return err == nil
}

// add takes fresh files. Those named in shared belong to more than one kind and stay as they are where they exist; any
// other one that exists is an error unless files may be written anew.
func (e *edition) add(fresh map[string][]byte, shared ...string) error {
	for _, name := range sortedNames(fresh) {
		if !e.has(name) {
			continue
		}
		if slices.Contains(shared, name) {
			delete(fresh, name)
		} else if !e.force {
			return fmt.Errorf("%s is there already: move it away, or add `--force` to write it anew", name)
		}
	}
	maps.Copy(e.files, fresh)
	return nil
}

func (e *edition) addResource(v *apiValues) error {
	fresh, err := render("api/resource", v, v.place)
	if err != nil {
		return err
	}
	crds, samples := "config/crd/kustomization.yaml", "config/samples/kustomization.yaml"
	group := path.Join(path.Dir(v.place("api/VERSION/x")), "groupversion_info.go")
	if err := e.add(fresh, crds, "config/crd/kustomizeconfig.yaml", samples, group); err != nil {
		return err
	}
	var roles []string
	for _, who := range []string{"admin", "editor", "viewer"} {
		roles = append(roles, path.Base(v.place("config/rbac/KIND_"+who+"_role.yaml")))
	}
	for _, edit := range []struct {
		name, marker string
		entries      []string
	}{
		{crds, "crdkustomizeresource", []string{"bases/" + v.APIGroup + "_" + v.Plural + ".yaml"}},
		{samples, "manifestskustomizesamples", []string{v.SampleFile}},
		{"config/rbac/kustomization.yaml", "", roles},
		{"config/default/kustomization.yaml", "", []string{"../crd"}},
	} {
		if err := e.editKustomization(edit.name, edit.marker, edit.entries); err != nil {
			return err
		}
	}
	return nil
}

func (e *edition) editKustomization(name, marker string, entries []string) error {
	text, err := e.text(name)
	if err != nil {
		return fmt.Errorf("add %s to a kustomization: %w", strings.Join(entries, ", "), err)
	}
	edited, err := addResources(name, text, marker, entries...)
	if err == nil && !bytes.Equal(edited, text) {
		e.files[name] = edited
	}
	return err
}

func (e *edition) addController(v *apiValues) error {
	fresh, err := render("api/controller", v, v.place)
	if err != nil {
		return err
	}
	folder, _ := v.controllerPackage()
	suite := path.Join(folder, "suite_test.go")
	old := e.has(suite)
	if err := e.add(fresh, suite); err != nil {
		return err
	}
	if !old || !v.HasAPI {
		return nil
	}
	return e.editGo(suite, func(f *gosource.File) error {
		alias, err := f.AddImport(v.Alias, v.Res.Path)
		if err != nil {
			return err
		}
		return f.AddToScheme(alias)
	})
}

// editMain makes the manager know the kind and run its controller.
func (e *edition) editMain(v *apiValues, controller bool) error {
	return e.editGo("cmd/main.go", func(f *gosource.File) error {
		if v.HasAPI {
			alias, err := f.AddImport(v.Alias, v.Res.Path)
			if err != nil {
				return err
			}
			if err := f.AddToScheme(alias); err != nil {
				return err
			}
		}
		if !controller {
			return nil
		}
		folder, alias := v.controllerPackage()
		alias, err := f.AddImport(alias, path.Join(v.Repo, folder))
		if err != nil {
			return err
		}
		return f.AddController(gosource.Controller{Package: alias, Reconciler: v.Reconciler, Name: v.ControllerName})
	})
}

func (e *edition) editGo(name string, edit func(*gosource.File) error) error {
	text, err := e.text(name)
	if err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	f, err := gosource.Parse(name, text)
	if err != nil {
		return err
	}
	if err := edit(f); err != nil {
		return err
	}
	edited, err := f.Source()
	if err == nil && !bytes.Equal(edited, text) {
		e.files[name] = edited
	}
	return err
}
