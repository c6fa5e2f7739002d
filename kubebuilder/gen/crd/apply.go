package crd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"net/url"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// precedence orders markers that build on each other: what sets the type comes before what checks it, +default before
// +kubebuilder:default, rules in the order of the source before those that choices make.
func precedence(name string) int {
	switch strings.TrimPrefix(strings.TrimPrefix(name, marker.ItemsPrefix), marker.ValidationPrefix) {
	case "Type", "XIntOrString", "listType", "k8s:listType", "k8s:enum":
		return -2
	case "default":
		return -1
	case "AtMostOneOf":
		return 1
	case "ExactlyOneOf":
		return 2
	case "AtLeastOneOf":
		return 3
	}
	return 0
}

// apply makes a schema say what markers say about it. d is the declaration that they stand on, nil for a field.
func (b *builder) apply(s *scope, list marker.List, schema *apiext.JSONSchemaProps, d *marker.Declaration) {
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(a, b marker.Marker) int { return cmp.Compare(precedence(a.Name), precedence(b.Name)) })
	for _, items := range []bool{false, true} {
		for _, m := range ordered {
			name, isItems := strings.CutPrefix(m.Name, marker.ItemsPrefix)
			if isItems != items {
				continue
			}
			target := schema
			if isItems {
				if schema.Type != "array" || schema.Items == nil || schema.Items.Schema == nil {
					b.failAt(m.At, "marker +%s is for the items of a list, but this is %s", m.Name, typeName(schema))
					continue
				}
				target = schema.Items.Schema
			}
			name = strings.TrimPrefix(name, marker.ValidationPrefix)
			if err := b.applyOne(s, name, m, target, d); err != nil {
				b.failAt(m.At, "marker +%s: %w", m.Name, err)
			}
		}
	}
}

func typeName(schema *apiext.JSONSchemaProps) string {
	switch schema.Type {
	case "":
		return "of another type"
	case "array", "object", "integer":
		return "an " + schema.Type
	}
	return "a " + schema.Type
}

func (b *builder) applyOne(s *scope, name string, m marker.Marker, schema *apiext.JSONSchemaProps, d *marker.Declaration) error {
	switch name {
	case "Maximum", "Minimum", "MultipleOf", "ExclusiveMaximum", "ExclusiveMinimum", "k8s:maximum", "k8s:minimum":
		return applyNumber(strings.ToLower(strings.TrimPrefix(name, "k8s:")), m.Value, schema)
	case "MaxLength", "MinLength", "Pattern":
		return applyText(name, m.Value, schema)
	case "MaxItems", "MinItems", "UniqueItems", "k8s:maxItems", "listType", "k8s:listType", "listMapKey", "k8s:listMapKey":
		return applyList(strings.TrimPrefix(name, "k8s:"), m.Value, schema)
	case "MaxProperties", "MinProperties", "mapType", "structType":
		return applyObject(name, m.Value, schema)
	case "k8s:required":
		applyRequired(schema)
	case "default", "kubebuilder:default", "kubebuilder:example", "Enum":
		return applyValue(name, m.Value, schema)
	case "k8s:enum":
		return applyConstants(s, d, schema)
	case "XValidation", "k8s:immutable", "AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf":
		return applyRule(name, m, schema)
	default:
		return applyPlain(name, m, schema)
	}
	return nil
}

// applyPlain sets what stands on any type.
func applyPlain(name string, m marker.Marker, schema *apiext.JSONSchemaProps) error {
	switch name {
	case "Type":
		schema.Type = m.Value.(string)
	case "Format":
		schema.Format = m.Value.(string)
	case "nullable":
		schema.Nullable = true
	case "XEmbeddedResource", "EmbeddedResource":
		schema.XEmbeddedResource = true
	case "XIntOrString":
		schema.XIntOrString = true
	case "XPreserveUnknownFields", "kubebuilder:pruning:PreserveUnknownFields":
		yes := true
		schema.XPreserveUnknownFields = &yes
	case "kubebuilder:title":
		title, ok := m.Value.(string)
		if !ok {
			return fmt.Errorf("the title %v is not text: quote it", m.Value)
		}
		schema.Title = title
	case "kubebuilder:externalDocs":
		if _, err := url.ParseRequestURI(m.String("url")); err != nil {
			return fmt.Errorf("%q is not a URL: %w", m.String("url"), err)
		}
		schema.ExternalDocs = &apiext.ExternalDocumentation{URL: m.String("url"), Description: m.String("description")}
	}
	return nil
}

func applyNumber(name string, value any, schema *apiext.JSONSchemaProps) error {
	if schema.Type != "integer" && schema.Type != "number" {
		return fmt.Errorf("it is for numbers, but this is %s", typeName(schema))
	}
	number, _ := value.(float64)
	if schema.Type == "integer" && number != math.Trunc(number) {
		return fmt.Errorf("%v is not a whole number, but the values are", number)
	}
	switch name {
	case "maximum":
		schema.Maximum = &number
	case "minimum":
		schema.Minimum = &number
	case "multipleof":
		schema.MultipleOf = &number
	case "exclusivemaximum":
		schema.ExclusiveMaximum = value.(bool)
	case "exclusiveminimum":
		schema.ExclusiveMinimum = value.(bool)
	}
	return nil
}

func applyText(name string, value any, schema *apiext.JSONSchemaProps) error {
	if schema.Type != "string" && !schema.XIntOrString {
		return fmt.Errorf("it is for strings, but this is %s", typeName(schema))
	}
	switch name {
	case "MaxLength":
		schema.MaxLength = length(value)
	case "MinLength":
		schema.MinLength = length(value)
	case "Pattern":
		schema.Pattern = value.(string)
	}
	return nil
}

func length(value any) *int64 {
	n := int64(value.(int))
	return &n
}

func applyList(name string, value any, schema *apiext.JSONSchemaProps) error {
	if schema.Type != "array" {
		return fmt.Errorf("it is for lists, but this is %s", typeName(schema))
	}
	switch name {
	case "MaxItems", "maxItems":
		schema.MaxItems = length(value)
	case "MinItems":
		schema.MinItems = length(value)
	case "UniqueItems":
		schema.UniqueItems = value.(bool)
	case "listType":
		return oneWord(value, &schema.XListType, "map", "set", "atomic")
	case "listMapKey":
		if schema.XListType == nil || *schema.XListType != "map" {
			return fmt.Errorf("it needs +listType=map beside it")
		}
		if key := value.(string); !slices.Contains(schema.XListMapKeys, key) {
			schema.XListMapKeys = append(schema.XListMapKeys, key)
		}
	}
	return nil
}

func applyObject(name string, value any, schema *apiext.JSONSchemaProps) error {
	if schema.Type != "object" && (name != "structType" || schema.Type != "") {
		return fmt.Errorf("it is for objects, but this is %s", typeName(schema))
	}
	switch name {
	case "MaxProperties":
		schema.MaxProperties = length(value)
	case "MinProperties":
		schema.MinProperties = length(value)
	default:
		return oneWord(value, &schema.XMapType, "granular", "atomic")
	}
	return nil
}

func oneWord(value any, into **string, allowed ...string) error {
	word := value.(string)
	if !slices.Contains(allowed, word) {
		return fmt.Errorf("%q is not one of %s", word, strings.Join(allowed, ", "))
	}
	*into = &word
	return nil
}

// applyRequired forbids the empty value, which a client cannot tell from a missing one.
func applyRequired(schema *apiext.JSONSchemaProps) {
	one := int64(1)
	switch {
	case schema.Type == "string" && schema.MinLength == nil:
		schema.MinLength = &one
	case schema.Type == "array" && schema.MinItems == nil:
		schema.MinItems = &one
	case (schema.Type == "object" || schema.Type == "" && schema.Ref != nil) && schema.MinProperties == nil:
		schema.MinProperties = &one
	}
}

// applyValue sets what holds values of the type.
func applyValue(name string, value any, schema *apiext.JSONSchemaProps) error {
	if name == "Enum" {
		schema.Enum = nil
		for _, item := range value.([]any) {
			text, err := json.Marshal(item)
			if err != nil {
				return err
			}
			schema.Enum = append(schema.Enum, apiext.JSON{Raw: text})
		}
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	switch {
	case name == "kubebuilder:example":
		schema.Example = &apiext.JSON{Raw: text}
		return nil
	case name == "default" && value == nil:
		return nil
	case name == "kubebuilder:default" && schema.Type == "array" && string(text) == "{}":
		text = []byte("[]")
	}
	schema.Default = &apiext.JSON{Raw: text}
	return nil
}

// applyConstants allows the values of the type's constants.
func applyConstants(s *scope, d *marker.Declaration, schema *apiext.JSONSchemaProps) error {
	if d == nil {
		return fmt.Errorf("it stands on types, not on fields")
	}
	checked, _ := s.Check()
	obj := checked.Scope().Lookup(d.Name)
	var values []string
	for _, name := range checked.Scope().Names() {
		c, ok := checked.Scope().Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), obj.Type()) && c.Val().Kind() == constant.String {
			text, err := json.Marshal(constant.StringVal(c.Val()))
			if err != nil {
				return err
			}
			values = append(values, string(text))
		}
	}
	if len(values) == 0 {
		return fmt.Errorf("type %s has no string constants in its package", d.Name)
	}
	slices.Sort(values)
	schema.Type, schema.Enum = "string", nil
	for _, text := range slices.Compact(values) {
		schema.Enum = append(schema.Enum, apiext.JSON{Raw: []byte(text)})
	}
	return nil
}

var reasons = []apiext.FieldValueErrorReason{
	apiext.FieldValueRequired, apiext.FieldValueInvalid, apiext.FieldValueForbidden, apiext.FieldValueDuplicate,
}

// applyRule adds a rule in CEL.
func applyRule(name string, m marker.Marker, schema *apiext.JSONSchemaProps) error {
	rule := apiext.ValidationRule{
		Rule: m.String("rule"), Message: m.String("message"), MessageExpression: m.String("messageExpression"),
		FieldPath: m.String("fieldPath"), OptionalOldSelf: marker.Optional[bool](m, "optionalOldSelf"),
	}
	if text := m.String("reason"); text != "" {
		reason := apiext.FieldValueErrorReason(text)
		if !slices.Contains(reasons, reason) {
			return fmt.Errorf("the reason %s is not one of %v", reason, reasons)
		}
		rule.Reason = &reason
	}
	fields, _ := m.Value.([]string)
	switch name {
	case "k8s:immutable":
		rule.Rule, rule.Message = "self == oldSelf", "field is immutable"
	case "AtMostOneOf":
		rule.Rule, rule.Message = count(fields)+" <= 1", fmt.Sprintf("at most one of the fields in %v may be set", fields)
	case "ExactlyOneOf":
		rule.Rule, rule.Message = count(fields)+" == 1", fmt.Sprintf("exactly one of the fields in %v must be set", fields)
	case "AtLeastOneOf":
		rule.Rule, rule.Message = "has(self."+strings.Join(fields, ")||has(self.")+")", fmt.Sprintf("at least one of the fields in %v must be set", fields)
	}
	schema.XValidations = append(schema.XValidations, rule)
	return nil
}

// count is an expression for how many of the fields are set.
func count(fields []string) string {
	return "(has(self." + strings.Join(fields, ")?1:0)+(has(self.") + ")?1:0)"
}

// hasSchemaMarkers says whether markers change the schema of the type that they stand on.
func hasSchemaMarkers(list marker.List) bool {
	return slices.ContainsFunc(list, func(m marker.Marker) bool {
		return strings.HasPrefix(m.Name, marker.ValidationPrefix) || strings.HasSuffix(m.Name, "Type") ||
			strings.HasSuffix(m.Name, "listMapKey") || m.Name == "kubebuilder:title" || m.Name == "k8s:enum" ||
			m.Name == "kubebuilder:pruning:PreserveUnknownFields" || m.Name == "kubebuilder:externalDocs"
	})
}
