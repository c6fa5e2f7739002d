package crd

import (
	"strings"
	"unicode"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// versionMarkers applies the markers of a kind that are about the definition: to its last version, or as a whole.
func (b *builder) versionMarkers(d *apiext.CustomResourceDefinition, v version) {
	at := &d.Spec.Versions[len(d.Spec.Versions)-1]
	subresources := func() *apiext.CustomResourceSubresources {
		if at.Subresources == nil {
			at.Subresources = &apiext.CustomResourceSubresources{}
		}
		return at.Subresources
	}
	for _, m := range v.decl.Markers {
		switch strings.TrimPrefix(m.Name, "kubebuilder:") {
		case "subresource:status":
			subresources().Status = &apiext.CustomResourceSubresourceStatus{}
		case "subresource:scale":
			subresources().Scale = &apiext.CustomResourceSubresourceScale{
				SpecReplicasPath:   m.String("specpath"),
				StatusReplicasPath: m.String("statuspath"),
				LabelSelectorPath:  marker.Optional[string](m, "selectorpath"),
			}
		case "printcolumn":
			subresources()
			at.AdditionalPrinterColumns = append(at.AdditionalPrinterColumns, apiext.CustomResourceColumnDefinition{
				Name: m.String("name"), Type: m.String("type"), JSONPath: m.String("JSONPath"),
				Description: m.String("description"), Format: m.String("format"), Priority: int32(m.Int("priority")),
			})
		case "selectablefield":
			at.SelectableFields = append(at.SelectableFields, apiext.SelectableField{JSONPath: m.String("JSONPath")})
		case "storageversion":
			at.Storage = true
		case "unservedversion":
			at.Served = false
		case "deprecatedversion":
			at.Deprecated, at.DeprecationWarning = true, marker.Optional[string](m, "warning")
		case "resource":
			names(&d.Spec, m)
		case "metadata":
			d.Annotations = b.pairs(d.Annotations, m, "annotations")
			d.Labels = b.pairs(d.Labels, m, "labels")
		}
	}
}

func names(spec *apiext.CustomResourceDefinitionSpec, m marker.Marker) {
	if plural := m.String("path"); plural != "" {
		spec.Names.Plural = plural
	}
	if singular := m.String("singular"); singular != "" {
		spec.Names.Singular = singular
	}
	spec.Names.ShortNames, spec.Names.Categories = m.Strings("shortName"), m.Strings("categories")
	spec.Scope = apiext.NamespaceScoped
	if scope := m.String("scope"); scope != "" {
		spec.Scope = apiext.ResourceScope(scope)
	}
}

func (b *builder) pairs(into map[string]string, m marker.Marker, argument string) map[string]string {
	for _, pair := range m.Strings(argument) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			b.failAt(m.At, "%q in %s is not of the form key=value", pair, argument)
			continue
		}
		if into == nil {
			into = map[string]string{}
		}
		into[key] = value
	}
	return into
}

// shorten cuts the descriptions in a schema to limit bytes.
func shorten(schema *apiext.JSONSchemaProps, limit int) {
	if limit < 0 {
		return
	}
	schema.Description = cut(schema.Description, limit)
	children(schema, func(child *apiext.JSONSchemaProps) { shorten(child, limit) })
}

// cut ends a text at the last sentence, or else the last word, within limit.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if limit == 0 {
		return ""
	}
	if end := strings.LastIndexFunc(text, func(r rune) bool { return unicode.Is(unicode.STerm, r) }); end > 0 {
		return text[:end+1]
	}
	if end := strings.LastIndexFunc(text, unicode.IsSpace); end > 0 {
		text = text[:end]
	}
	return text + "..."
}

// children calls visit for each schema directly inside another.
func children(schema *apiext.JSONSchemaProps, visit func(*apiext.JSONSchemaProps)) {
	for name, property := range schema.Properties {
		visit(&property)
		schema.Properties[name] = property
	}
	if schema.Items != nil && schema.Items.Schema != nil {
		visit(schema.Items.Schema)
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		visit(schema.AdditionalProperties.Schema)
	}
	for _, list := range [][]apiext.JSONSchemaProps{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for i := range list {
			visit(&list[i])
		}
	}
}
