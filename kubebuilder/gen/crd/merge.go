package crd

import (
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// clash is the merge of one schema into another. Where both say something different about the same thing, both must
// hold: what each says moves to a branch of allOf.
type clash struct {
	into, from         *apiext.JSONSchemaProps
	intoRest, fromRest apiext.JSONSchemaProps
	found              bool
}

// take merges one field of a schema, which empty says is not set. Pointers to equal values are different.
func take[T any](c *clash, field func(*apiext.JSONSchemaProps) *T, empty func(T) bool, same func(a, b T) bool) {
	into, from := field(c.into), field(c.from)
	switch {
	case empty(*from):
	case empty(*into):
		*into = *from
	case same(*into, *from):
	default:
		*field(&c.intoRest), *field(&c.fromRest) = *into, *from
		var none T
		*into = none
		c.found = true
	}
}

func takeValue[T comparable](c *clash, field func(*apiext.JSONSchemaProps) *T) {
	var none T
	take(c, field, func(v T) bool { return v == none }, func(a, b T) bool { return a == b })
}

func takeList[T any](c *clash, field func(*apiext.JSONSchemaProps) *[]T) {
	take(c, field, func(v []T) bool { return v == nil }, func(_, _ []T) bool { return false })
}

func sameNumber(a, b *int64) bool { return *a == *b }

func noNumber(n *int64) bool { return n == nil }

// merge makes a schema demand what another one demands too. Documentation is not merged.
func (b *builder) merge(into *apiext.JSONSchemaProps, from apiext.JSONSchemaProps) {
	for _, branch := range from.AllOf {
		b.merge(into, branch)
	}
	c := &clash{into: into, from: &from}
	b.mergeStructure(into, from)
	takeValue(c, func(p *apiext.JSONSchemaProps) *string { return &p.Format })
	takeValue(c, func(p *apiext.JSONSchemaProps) *string { return &p.Pattern })
	takeValue(c, func(p *apiext.JSONSchemaProps) **float64 { return &p.Maximum })
	takeValue(c, func(p *apiext.JSONSchemaProps) **float64 { return &p.Minimum })
	takeValue(c, func(p *apiext.JSONSchemaProps) **float64 { return &p.MultipleOf })
	takeValue(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MaxLength })
	takeValue(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MinLength })
	takeValue(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MaxItems })
	takeValue(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MinItems })
	take(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MaxProperties }, noNumber, sameNumber)
	take(c, func(p *apiext.JSONSchemaProps) **int64 { return &p.MinProperties }, noNumber, sameNumber)
	takeValue(c, func(p *apiext.JSONSchemaProps) **apiext.JSON { return &p.Default })
	takeValue(c, func(p *apiext.JSONSchemaProps) **apiext.JSONSchemaPropsOrArray { return &p.Items })
	takeList(c, func(p *apiext.JSONSchemaProps) *[]apiext.JSONSchemaProps { return &p.AnyOf })
	takeList(c, func(p *apiext.JSONSchemaProps) *[]apiext.JSONSchemaProps { return &p.OneOf })
	for _, flag := range []func(*apiext.JSONSchemaProps) *bool{
		func(p *apiext.JSONSchemaProps) *bool { return &p.ExclusiveMaximum },
		func(p *apiext.JSONSchemaProps) *bool { return &p.ExclusiveMinimum },
		func(p *apiext.JSONSchemaProps) *bool { return &p.UniqueItems },
		func(p *apiext.JSONSchemaProps) *bool { return &p.Nullable },
		func(p *apiext.JSONSchemaProps) *bool { return &p.XEmbeddedResource },
		func(p *apiext.JSONSchemaProps) *bool { return &p.XIntOrString },
	} {
		*flag(into) = *flag(into) || *flag(&from)
	}
	if c.found {
		into.AllOf = append(into.AllOf, c.intoRest, c.fromRest)
	}
}

// mergeStructure merges what has a rule of its own: what holds other schemas, and what the later one decides.
func (b *builder) mergeStructure(into *apiext.JSONSchemaProps, from apiext.JSONSchemaProps) {
	if from.Type != "" && into.Type != "" && from.Type != into.Type {
		b.failAt(b.at, "a value cannot be of type %s and of type %s: remove the +kubebuilder:validation:Type marker, or mark the Go type with it", into.Type, from.Type)
	}
	if into.Type == "" {
		into.Type = from.Type
	}
	if len(into.Enum) == 0 {
		into.Enum = slices.Clone(from.Enum)
	}
	if len(from.Required) > 0 {
		into.Required = append(into.Required, from.Required...)
	}
	if len(into.Required) > 0 {
		slices.Sort(into.Required)
		into.Required = slices.Compact(into.Required)
	}
	if len(from.Properties) > 0 && into.Properties == nil {
		into.Properties = make(map[string]apiext.JSONSchemaProps, len(from.Properties))
	}
	for name, property := range from.Properties {
		if have, both := into.Properties[name]; both {
			b.merge(&have, property)
			property = have
		}
		into.Properties[name] = property
	}
	b.mergeAdditional(into, from.AdditionalProperties)
	into.XValidations = append(slices.Clone(from.XValidations), into.XValidations...)
	if from.XPreserveUnknownFields != nil {
		into.XPreserveUnknownFields = from.XPreserveUnknownFields
	}
	if from.XMapType != nil {
		into.XMapType = from.XMapType
	}
	if from.XListType != nil {
		into.XListType = from.XListType
	}
	if len(from.XListMapKeys) > 0 {
		into.XListMapKeys = from.XListMapKeys
	}
}

func (b *builder) mergeAdditional(into *apiext.JSONSchemaProps, from *apiext.JSONSchemaPropsOrBool) {
	switch {
	case from == nil:
	case into.AdditionalProperties == nil:
		into.AdditionalProperties = from
	case from.Schema != nil:
		if into.AdditionalProperties.Schema == nil {
			into.AdditionalProperties.Schema = &apiext.JSONSchemaProps{}
		}
		b.merge(into.AdditionalProperties.Schema, *from.Schema)
	}
}

// embed makes the properties of embedded structs, which stand in allOf, properties of the schema itself.
func (b *builder) embed(schema *apiext.JSONSchemaProps) {
	embedded := schema.AllOf
	schema.AllOf = nil
	for _, part := range embedded {
		b.merge(schema, part)
	}
}

// settle flattens the schema of a type expression, from the inside out: references to named types become those types'
// schemas, with what stands beside the reference merged over them.
func (b *builder) settle(schema *apiext.JSONSchemaProps) {
	children(schema, b.settle)
	if schema.Ref == nil {
		return
	}
	target := b.flat[*schema.Ref].DeepCopy()
	beside := *schema
	beside.Ref = nil
	*schema = apiext.JSONSchemaProps{
		Description: beside.Description, Title: beside.Title, Example: beside.Example, ExternalDocs: beside.ExternalDocs,
	}
	if schema.Description == "" {
		schema.Description = target.Description
	}
	if schema.Title == "" {
		schema.Title = target.Title
	}
	if schema.ExternalDocs == nil {
		schema.ExternalDocs = target.ExternalDocs
	}
	b.merge(schema, *target)
	b.merge(schema, beside)
}
