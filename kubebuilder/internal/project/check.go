package project

import (
	"errors"
	"fmt"
	"go/token"
	"path"
	"regexp"
	"strings"

	"golang.org/x/mod/module"
	"k8s.io/apimachinery/pkg/util/validation"
)

var apiVersion = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// CheckDomain says what is wrong with a domain.
func CheckDomain(domain string) error {
	if why := validation.IsDNS1123Subdomain(domain); len(why) > 0 {
		return fmt.Errorf("domain %q is not a DNS name: small letters, digits, dots and dashes, as in `--domain example.org`", domain)
	}
	return nil
}

// CheckRepo says what is wrong with the path of a Go module.
func CheckRepo(repo string) error {
	if err := module.CheckImportPath(repo); err != nil {
		return fmt.Errorf("repo %q is not a Go module path, as in `--repo example.org/my-operator`: %w", repo, reason(err))
	}
	return nil
}

// reason drops the sentence in which module wraps what it found.
func reason(err error) error {
	var invalid *module.InvalidPathError
	if errors.As(err, &invalid) && invalid.Err != nil {
		return invalid.Err
	}
	return err
}

// CheckName says what is wrong with the name of a project.
func CheckName(name string) error {
	// The longest name made from it is the namespace's, <name>-system; its parts are labels.
	if why := validation.IsDNS1123Label(name + "-system"); len(why) > 0 || validation.IsDNS1123Label(name) != nil {
		return fmt.Errorf("project name %q cannot start Kubernetes names: use small letters, digits and dashes, 56 at most, as in `--project-name my-operator`", name)
	}
	return nil
}

// CheckGroup says what is wrong with an API group of a project with the given domain.
func CheckGroup(group, domain string) error {
	if group == "" {
		if domain == "" {
			return errors.New("the API group is missing: add `--group <name>`, as in `--group apps`")
		}
		return nil
	}
	if why := validation.IsDNS1123Subdomain(group); len(why) > 0 {
		return fmt.Errorf("group %q is not a DNS name: small letters, digits, dots and dashes, as in `--group apps`", group)
	}
	if domain != "" {
		if why := validation.IsDNS1123Subdomain(group + "." + domain); len(why) > 0 {
			return fmt.Errorf("group %q with domain %q is longer than the 253 characters a group may have", group, domain)
		}
	}
	return nil
}

// CheckVersion says what is wrong with the version of an API group.
func CheckVersion(version string) error {
	if version == "" {
		return errors.New("the API version is missing: add `--version <version>`, as in `--version v1alpha1`")
	}
	if !apiVersion.MatchString(version) {
		return fmt.Errorf("version %q is not an API version: v and a number, then alpha or beta and a number where it is not stable: v1alpha1, v1beta2, v1", version)
	}
	return nil
}

// CheckKind says what is wrong with the name of a kind.
func CheckKind(kind string) error {
	if kind == "" {
		return errors.New("the kind is missing: add `--kind <Name>`, as in `--kind Person`")
	}
	first := strings.ToUpper(kind[:1]) + kind[1:]
	if !token.IsIdentifier(first) || len(validation.IsDNS1035Label(strings.ToLower(kind))) > 0 {
		return fmt.Errorf("kind %q is not a Go type's name: letters and digits, 63 at most, as in `--kind Person`", kind)
	}
	if kind != first {
		return fmt.Errorf("kind %q must begin with a capital letter: use `--kind %s`", kind, first)
	}
	switch kind {
	case "AddToScheme", "GroupVersion", "SchemeBuilder", "SchemeGroupVersion":
		return fmt.Errorf("kind %q is the name of a variable in each API package: choose another one", kind)
	}
	return nil
}

// CheckPlural says what is wrong with the plural of a kind; "" stands for the default.
func CheckPlural(plural string) error {
	if plural != "" && len(validation.IsDNS1035Label(plural)) > 0 {
		return fmt.Errorf("plural %q is not a resource name: small letters, digits and dashes, as in `--plural people`", plural)
	}
	return nil
}

// CheckControllerName says what is wrong with the name of a controller; "" stands for the default.
func CheckControllerName(name string) error {
	if name != "" && len(validation.IsDNS1035Label(name)) > 0 {
		return fmt.Errorf("controller name %q is not a DNS label: small letters, digits and dashes, as in `--controller-name person-backup`", name)
	}
	return nil
}

// CheckNew says why a kind cannot join the kinds that f has: its folder holds another group, or the types made for it
// would bear the names of others.
func (f *File) CheckNew(res *Resource) error {
	for i := range f.Resources {
		other := &f.Resources[i]
		if other.API == nil || other.Path != res.Path {
			continue
		}
		if other.APIGroup() != res.APIGroup() {
			return otherGroup(other, res)
		}
		if clash := sharedType(res.Kind, other.Kind); clash != "" && other.Kind != res.Kind {
			return fmt.Errorf("kind %q clashes with kind %q: both would have a Go type %s: choose another kind", res.Kind, other.Kind, clash)
		}
	}
	return nil
}

// sharedType returns the name of a Go type that the files of both kinds would declare, or "".
func sharedType(a, b string) string {
	suffixes := []string{"", "List", "Spec", "Status"}
	for _, x := range suffixes {
		for _, y := range suffixes {
			if a+x == b+y {
				return a + x
			}
		}
	}
	return ""
}

func otherGroup(other, res *Resource) error {
	return fmt.Errorf("group %q cannot join group %q in folder api/%s: a Go package holds one group and version; set `multigroup: true` in %s for a folder a group",
		res.APIGroup(), other.APIGroup(), path.Base(res.Path), Name)
}
