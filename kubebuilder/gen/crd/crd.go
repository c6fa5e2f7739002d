// Package crd makes custom resource definitions of Go types. Every struct that embeds metav1.TypeMeta and
// metav1.ObjectMeta is a kind; its package's groupName marker and name give its group and version.
//
// A builder turns types into schemas. Schemas of named types are made once and flattened: a definition has no
// references. What markers of a field say is merged over the schema of the field's type.
package crd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// ToolVersion is the version of controller-gen whose output this package's equals; definitions carry it in an annotation.
const ToolVersion = "v0.23.0"

const versionAnnotation = "controller-gen.kubebuilder.io/version"

// Options change what definitions hold. The zero value gives full descriptions, no floats and the annotation of the
// version.
type Options struct {
	// MaxDescLen is how many bytes a description may have; nil is any number, 0 drops descriptions.
	MaxDescLen *int
	// AllowDangerousTypes permits floats.
	AllowDangerousTypes bool
	// IgnoreUnexportedFields skips fields that JSON does not see.
	IgnoreUnexportedFields bool
	// GenerateEmbeddedObjectMeta spells out the metadata of objects inside objects.
	GenerateEmbeddedObjectMeta bool
	// OmitToolVersion leaves out the annotation of the version.
	OmitToolVersion bool
	// PreserveUnknownFields sets the field of that name, as definitions converted from v1beta1 need it.
	PreserveUnknownFields *bool
}

// Definition is one custom resource definition.
type Definition struct {
	apiext.CustomResourceDefinition
	preserve *bool
}

// FileName is the file that the definition goes to: <group>_<plural>.yaml.
func (d *Definition) FileName() string {
	return d.Spec.Group + "_" + d.Spec.Names.Plural + ".yaml"
}

// Object is the definition as it is written.
func (d *Definition) Object() any {
	if d.preserve == nil {
		return d.CustomResourceDefinition
	}
	type spec struct {
		apiext.CustomResourceDefinitionSpec
		Preserve bool `json:"preserveUnknownFields"`
	}
	return struct {
		metav1.TypeMeta
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     spec              `json:"spec"`
	}{d.TypeMeta, d.ObjectMeta, spec{d.Spec, *d.preserve}}
}

// version is a kind in one version.
type version struct {
	name string
	pkg  *marker.Package
	decl *marker.Declaration
}

// Generate makes the definitions of all kinds in the packages, sorted by kind and group.
func Generate(collector *marker.Collector, packages []*marker.Package, opts Options) ([]*Definition, []*marker.Error) {
	b := newBuilder(collector, opts)
	kinds := map[[2]string][]version{}
	for _, pkg := range packages {
		if pkg.Markers.Has("kubebuilder:skip") || !mightHaveKinds(pkg) {
			continue
		}
		group, name := groupVersion(pkg)
		for _, d := range pkg.Types {
			if isKind(pkg, d) {
				key := [2]string{d.Name, group}
				kinds[key] = append(kinds[key], version{name, pkg, d})
			}
		}
	}
	keys := make([][2]string, 0, len(kinds))
	for key := range kinds {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return strings.Compare(a[0]+"."+a[1], b[0]+"."+b[1]) })
	var definitions []*Definition
	for _, key := range keys {
		if d := b.definition(key[0], key[1], kinds[key]); d != nil {
			definitions = append(definitions, d)
		}
	}
	return definitions, b.errors
}

const metaPath = "k8s.io/apimachinery/pkg/apis/meta/v1"

func mightHaveKinds(pkg *marker.Package) bool { return pkg.Import(metaPath) != nil }

func groupVersion(pkg *marker.Package) (group, version string) {
	m, ok := pkg.Markers.First("groupName")
	if !ok {
		return "", ""
	}
	version = pkg.Name
	if named, ok := pkg.Markers.First("versionName"); ok {
		version = named.Value.(string)
	}
	return m.Value.(string), version
}

// isKind says whether a type is a struct that embeds both kinds of metadata.
func isKind(pkg *marker.Package, d *marker.Declaration) bool {
	found := 0
	for _, field := range d.Fields {
		if field.Name != "" {
			continue
		}
		_, info := pkg.Check()
		if obj := namedType(info.TypeOf(field.Node.Type)); obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == metaPath {
			switch obj.Name() {
			case "TypeMeta", "ObjectMeta":
				found++
			}
		}
	}
	return found == 2
}

// definition makes the definition of one kind, or nil when all its versions are skipped.
func (b *builder) definition(kind, group string, versions []version) *Definition {
	slices.SortStableFunc(versions, func(a, b version) int { return strings.Compare(a.name, b.name) })
	plural := strings.ToLower(flect.Pluralize(kind))
	d := &Definition{preserve: b.opts.PreserveUnknownFields}
	d.TypeMeta = metav1.TypeMeta{APIVersion: apiext.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"}
	d.Spec = apiext.CustomResourceDefinitionSpec{
		Group: group,
		Names: apiext.CustomResourceDefinitionNames{
			Kind: kind, ListKind: kind + "List", Plural: plural, Singular: strings.ToLower(kind),
		},
		Scope: apiext.NamespaceScoped,
	}
	for _, v := range versions {
		if v.decl.Markers.Has("kubebuilder:skipversion") {
			continue
		}
		schema := b.declared(v.pkg, v.decl, nil).DeepCopy()
		if b.opts.MaxDescLen != nil {
			shorten(schema, *b.opts.MaxDescLen)
		}
		if _, ok := schema.Properties["metadata"]; ok {
			schema.Properties["metadata"] = apiext.JSONSchemaProps{Type: "object"}
		}
		d.Spec.Versions = append(d.Spec.Versions, apiext.CustomResourceDefinitionVersion{
			Name: v.name, Served: true, Schema: &apiext.CustomResourceValidation{OpenAPIV3Schema: schema},
		})
		b.versionMarkers(&d.CustomResourceDefinition, v)
	}
	if len(d.Spec.Versions) == 0 {
		return nil
	}
	d.Name = d.Spec.Names.Plural + "." + group
	if !b.opts.OmitToolVersion {
		if d.Annotations == nil {
			d.Annotations = map[string]string{}
		}
		d.Annotations[versionAnnotation] = ToolVersion
	}
	b.checkVersions(d, versions)
	return d
}

// checkVersions sees to it that exactly one version is stored and at least one is served.
func (b *builder) checkVersions(d *Definition, versions []version) {
	if len(d.Spec.Versions) == 1 {
		d.Spec.Versions[0].Storage = true
	}
	var stored, served []string
	for _, v := range d.Spec.Versions {
		if v.Storage {
			stored = append(stored, v.Name)
		}
		if v.Served {
			served = append(served, v.Name)
		}
	}
	first := versions[0]
	switch {
	case len(stored) == 0:
		b.fail(first.pkg, first.decl.Spec, "kind %s of group %s has no storage version: mark one of its versions with +kubebuilder:storageversion",
			first.decl.Name, d.Spec.Group)
	case len(stored) > 1:
		var where []string
		for _, v := range versions {
			if m, ok := v.decl.Markers.First("kubebuilder:storageversion"); ok {
				where = append(where, fmt.Sprintf("%s at %s", v.name, m.At))
			}
		}
		b.fail(first.pkg, first.decl.Spec, "kind %s of group %s has more than one storage version: %s; keep +kubebuilder:storageversion on one of them",
			first.decl.Name, d.Spec.Group, strings.Join(where, ", "))
	}
	if len(served) == 0 {
		b.fail(first.pkg, first.decl.Spec, "kind %s of group %s serves none of its versions: remove +kubebuilder:unservedversion from one of them",
			first.decl.Name, d.Spec.Group)
	}
}
