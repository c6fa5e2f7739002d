package project

import (
	"path"
	"strings"
	"unicode"

	"github.com/gobuffalo/flect"
)

// Resource is a kind that the project defines, or one of elsewhere that it works on.
type Resource struct {
	// API says how the project defines the kind; nil where it is defined elsewhere.
	API *API `json:"api,omitempty"`
	// Controller is true where the project has a controller for the kind that bears the kind's name.
	Controller bool `json:"controller,omitempty"`
	// Controllers lists controllers with names of their own.
	Controllers []Controller `json:"controllers,omitempty"`
	// Core is true for a kind that Kubernetes itself defines.
	Core bool `json:"core,omitempty"`
	// Domain ends the API group.
	Domain string `json:"domain,omitempty"`
	// External is true for a kind of another project.
	External bool `json:"external,omitempty"`
	// Group is the API group without the domain.
	Group string `json:"group,omitempty"`
	// Kind is the Go type's name.
	Kind string `json:"kind"`
	// Module is the Go module of an external kind, with or without a version.
	Module string `json:"module,omitempty"`
	// Path is the import path of the Go package with the type.
	Path string `json:"path,omitempty"`
	// Plural is the resource's name in URLs; empty where it is what DefaultPlural says.
	Plural string `json:"plural,omitempty"`
	// Version is the version of the API group.
	Version string `json:"version"`
	// Webhooks says which webhooks the kind has.
	Webhooks *Webhooks `json:"webhooks,omitempty"`
}

// API says how a kind is served.
type API struct {
	// CRDVersion is the version of the CustomResourceDefinition: v1.
	CRDVersion string `json:"crdVersion,omitempty"`
	// Namespaced is true where objects of the kind live in namespaces.
	Namespaced bool `json:"namespaced,omitempty"`
	// SSA is true where apply configurations are generated for the kind.
	SSA bool `json:"ssa,omitempty"`
}

// Controller is a controller with a name of its own.
type Controller struct {
	// Name is unique among the controllers of a kind.
	Name string `json:"name,omitempty"`
}

// Webhooks says which webhooks a kind has.
type Webhooks struct {
	// Conversion is true where versions are converted by a webhook.
	Conversion bool `json:"conversion,omitempty"`
	// Defaulting is true where a webhook sets defaults.
	Defaulting bool `json:"defaulting,omitempty"`
	// DefaultingPath is the URL path of the defaulting webhook where it is not the usual one.
	DefaultingPath string `json:"defaultingPath,omitempty"`
	// Spoke lists the versions that are converted to and from this one.
	Spoke []string `json:"spoke,omitempty"`
	// Validation is true where a webhook validates.
	Validation bool `json:"validation,omitempty"`
	// ValidationPath is the URL path of the validating webhook where it is not the usual one.
	ValidationPath string `json:"validationPath,omitempty"`
	// WebhookVersion is the version of the webhook configuration: v1.
	WebhookVersion string `json:"webhookVersion,omitempty"`
}

// APIGroup is the group as the API server knows it: group and domain.
func (r *Resource) APIGroup() string {
	switch {
	case r.Domain == "":
		return r.Group
	case r.Group == "":
		return r.Domain
	}
	return r.Group + "." + r.Domain
}

// ImportAlias is the name under which Go files import the package of the kind: appsv1alpha1.
func (r *Resource) ImportAlias() string {
	group := r.Group
	if group == "" {
		group = r.Domain
	}
	if group == "meta" {
		group = "metaapi" // metav1 is what every API file calls the types of metadata
	}
	return identifier(group) + r.Version
}

// PluralName is the resource's name in URLs, in small letters.
func (r *Resource) PluralName() string {
	if r.Plural != "" {
		return r.Plural
	}
	return DefaultPlural(r.Kind)
}

// DefaultPlural is the English plural of a kind in small letters: people for Person.
func DefaultPlural(kind string) string {
	return flect.Pluralize(strings.ToLower(kind))
}

// PackagePath is the import path of the package that holds a group and version of this project.
func (f *File) PackagePath(group, version string) string {
	if f.MultiGroup && group != "" {
		return path.Join(f.Repo, "api", group, version)
	}
	return path.Join(f.Repo, "api", version)
}

// identifier drops what a Go name may not hold, and makes sure it does not begin with a digit.
func identifier(s string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
	if name != "" && unicode.IsDigit(rune(name[0])) {
		name = "g" + name
	}
	return name
}

// coreDomains are the API groups that Kubernetes itself serves, with the domain that completes their names.
var coreDomains = map[string]string{
	"admission": "k8s.io", "admissionregistration": "k8s.io", "apps": "", "auditregistration": "k8s.io",
	"apiextensions": "k8s.io", "authentication": "k8s.io", "authorization": "k8s.io", "autoscaling": "", "batch": "",
	"certificates": "k8s.io", "coordination": "k8s.io", "core": "", "discovery": "k8s.io", "events": "k8s.io",
	"extensions": "", "flowcontrol": "apiserver.k8s.io", "imagepolicy": "k8s.io", "networking": "k8s.io", "node": "k8s.io",
	"policy": "", "rbac.authorization": "k8s.io", "resource": "k8s.io", "scheduling": "k8s.io", "setting": "k8s.io",
	"storage": "k8s.io",
}

// CoreDomain returns the domain of an API group that Kubernetes itself serves, and whether group is one.
func CoreDomain(group string) (string, bool) {
	domain, ok := coreDomains[group]
	return domain, ok
}
