package crd

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// instance is a declared type with what its parameters stand for.
type instance struct {
	key   string
	scope *scope
}

// declared makes the flattened schema of a declared type, once.
func (b *builder) declared(pkg *marker.Package, d *marker.Declaration, i *instance) *apiext.JSONSchemaProps {
	if i == nil {
		i = &instance{key: pkg.Path + "." + d.Name, scope: &scope{Package: pkg}}
	}
	if done := b.flat[i.key]; done != nil {
		return done
	}
	before := b.at
	b.open, b.at = append(b.open, i.key), pkg.Position(d.Spec)
	schema := b.declaration(i.scope, d)
	b.open, b.at = b.open[:len(b.open)-1], before
	b.flat[i.key] = schema
	return schema
}

func (b *builder) declaration(s *scope, d *marker.Declaration) *apiext.JSONSchemaProps {
	checked, _ := s.Check()
	if obj := checked.Scope().Lookup(d.Name); obj != nil {
		switch {
		case implements(obj.Type(), jsonMarshaler):
			schema := &apiext.JSONSchemaProps{}
			if m, ok := d.Markers.First(marker.ValidationPrefix + "Type"); ok && m.Value != "" {
				b.apply(s, d.Markers, schema, d)
				return schema
			}
		case implements(obj.Type(), textMarshaler):
			schema := &apiext.JSONSchemaProps{Type: "string"}
			b.apply(s, d.Markers, schema, d)
			if schema.Type != "string" {
				b.fail(s.Package, d.Spec, "type %s implements encoding.TextMarshaler, so its JSON is a string, but a marker says %s", d.Name, schema.Type)
			}
			return schema
		}
	}
	if _, ok := d.Spec.Type.(*ast.StructType); ok {
		schema := b.structure(s, d)
		schema.Description = d.Doc
		b.apply(s, d.Markers, schema, d)
		b.embed(schema)
		return schema
	}
	schema := b.expr(s, d.Spec.Type)
	schema.Description = d.Doc
	b.apply(s, d.Markers, schema, d)
	b.settle(schema)
	return schema
}

// member is a field as JSON sees it.
type member struct {
	name             string
	inline, omitted  bool // omitted says that an empty value is left out
	required, choice bool // choice says that it is one of several of which some must be set
}

// structure makes the schema of a struct. Embedded structs stand in allOf until embed merges them.
func (b *builder) structure(s *scope, d *marker.Declaration) *apiext.JSONSchemaProps {
	schema := &apiext.JSONSchemaProps{Type: "object", Properties: map[string]apiext.JSONSchemaProps{}}
	choices := b.choices(d)
	var frozen []string
	for _, field := range d.Fields {
		if field.Name != "" && b.opts.IgnoreUnexportedFields && !ast.IsExported(field.Name) {
			continue
		}
		m, ok := b.member(s, d, field)
		if !ok {
			continue
		}
		m.choice = choices[m.name]
		if b.required(s, field, &m); m.required {
			schema.Required = append(schema.Required, m.name)
		}
		property := &apiext.JSONSchemaProps{}
		if !field.Markers.Has("kubebuilder:validation:Schemaless") {
			property = b.expr(s, field.Node.Type)
		}
		property.Description = field.Doc
		b.at = s.Position(field.Node)
		b.apply(s, field.Markers, property, nil)
		b.settle(property)
		if m.inline {
			schema.AllOf = append(schema.AllOf, *property)
			continue
		}
		if field.Markers.Has("k8s:immutable") && !m.required {
			frozen = append(frozen, m.name)
		}
		schema.Properties[m.name] = *property
	}
	slices.Sort(schema.Required)
	for _, name := range frozen {
		schema.XValidations = append(schema.XValidations, apiext.ValidationRule{
			Rule: "!has(oldSelf." + name + ") || has(self." + name + ")", Message: "field " + name + " is immutable once set",
		})
	}
	return schema
}

// choices are the fields that markers of the type offer a choice of.
func (b *builder) choices(d *marker.Declaration) map[string]bool {
	found := map[string]bool{}
	for _, m := range d.Markers {
		switch strings.TrimPrefix(m.Name, marker.ValidationPrefix) {
		case "AtMostOneOf", "AtLeastOneOf", "ExactlyOneOf":
			for _, name := range m.Value.([]string) {
				if strings.Contains(name, ".") {
					b.failAt(m.At, "%s is a field of a field: choose among the fields of %s itself", name, d.Name)
				}
				found[name] = true
			}
		}
	}
	return found
}

// member reads a field's json tag. It is not ok when JSON leaves the field out or the tag is missing.
func (b *builder) member(s *scope, d *marker.Declaration, field marker.Field) (m member, ok bool) {
	tag, tagged := field.Tag.Lookup("json")
	if !tagged {
		name := field.Name
		if name == "" {
			name = types.ExprString(field.Node.Type)
		}
		b.fail(s.Package, field.Node, "field %s of type %s has no json tag: add one, or `json:\"-\"` to leave the field out", name, d.Name)
		return m, false
	}
	if tag == "-" {
		return m, false
	}
	words := strings.Split(tag, ",")
	m.name = words[0]
	m.inline = m.name == "" || slices.Contains(words[1:], "inline")
	m.omitted = slices.Contains(words[1:], "omitempty") || slices.Contains(words[1:], "omitzero")
	return m, true
}

// required decides whether a field must be set: its own markers say so, or its package's, or its tag.
func (b *builder) required(s *scope, field marker.Field, m *member) {
	explicit := false
	switch {
	case field.Markers.Has("kubebuilder:validation:Optional"):
	case field.Markers.Has("kubebuilder:validation:Required"):
		m.required, explicit = true, true
	case field.Markers.Has("optional", "k8s:optional"):
	case field.Markers.Has("required", "k8s:required"):
		m.required, explicit = true, true
	case !s.Markers.Has("kubebuilder:validation:Optional"):
		m.required = !m.inline && !m.omitted
	}
	if m.required && m.choice {
		remedy := "give it the json option omitempty or omitzero"
		if explicit {
			remedy = "remove its marker"
		}
		b.fail(s.Package, field.Node, "field %s is required although it is one of several to choose from: %s", m.name, remedy)
	}
}
