package scaffold

import (
	"path"
	"strings"

	"kubewright.dev/kubebuilder/internal/project"
)

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
