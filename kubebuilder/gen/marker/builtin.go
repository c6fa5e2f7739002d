package marker

import "strings"

// The markers of the generators. A line gives what the marker may describe (p package, t type, f field), its name, and
// the kind of its value or its named arguments, optional ones with a question mark.
const objectMarkers = `
pt kubebuilder:object:generate bool
t  kubebuilder:object:root bool
pt k8s:deepcopy-gen raw
t  k8s:deepcopy-gen:interfaces raw
`

const rbacMarkers = `
p  kubebuilder:rbac groups?=strings namespace?=string resourceNames?=strings resources?=strings roleName?=string urls?=strings verbs=strings
`

const webhookMarkers = `
p  kubebuilder:webhook admissionReviewVersions=strings failurePolicy=string groups=strings matchPolicy?=string mutating=bool name=string patch?=string path?=string reinvocationPolicy?=string resources=strings serviceName?=string serviceNamespace?=string servicePort?=int sideEffects?=string timeoutSeconds?=int url?=string verbs=strings versions=strings webhookVersions?=strings
p  kubebuilder:webhookconfiguration mutating=bool name?=string
`

const applyConfigurationMarkers = `
pt kubebuilder:ac:generate bool
p  kubebuilder:ac:output:package string
`

const crdMarkers = `
p  groupName string
p  versionName string
p  kubebuilder:skip
pf kubebuilder:validation:Optional
pf kubebuilder:validation:Required
f  optional
f  required
f  nullable
f  default json
f  kubebuilder:default any
f  kubebuilder:example any
ft kubebuilder:title any
ft kubebuilder:externalDocs description?=string url=string
ft kubebuilder:pruning:PreserveUnknownFields
f  kubebuilder:validation:EmbeddedResource
f  kubebuilder:validation:Schemaless
t  kubebuilder:validation:AtLeastOneOf strings
t  kubebuilder:validation:AtMostOneOf strings
t  kubebuilder:validation:ExactlyOneOf strings
t  kubebuilder:resource categories?=strings path?=string scope?=string shortName?=strings singular?=string
t  kubebuilder:printcolumn JSONPath=string description?=string format?=string name=string priority?=int type=string
t  kubebuilder:selectablefield JSONPath=string
t  kubebuilder:metadata annotations?=strings labels?=strings
t  kubebuilder:deprecatedversion warning?=string
t  kubebuilder:skipversion
t  kubebuilder:storageversion
t  kubebuilder:unservedversion
t  kubebuilder:subresource:status
t  kubebuilder:subresource:scale selectorpath?=string specpath=string statuspath=string
ft listMapKey string
ft listType string
ft mapType string
ft structType string
ft k8s:listMapKey string
ft k8s:listType string
t  k8s:enum
f  k8s:immutable
f  k8s:maxItems int
f  k8s:maximum number
f  k8s:minimum number
f  k8s:optional
f  k8s:required
`

// Each of these stands on fields and types, alone and, after items:, for the items of a list.
const validationMarkers = `
Enum anys
ExclusiveMaximum bool
ExclusiveMinimum bool
Format string
MaxItems int
MaxLength int
MaxProperties int
Maximum number
MinItems int
MinLength int
MinProperties int
Minimum number
MultipleOf number
Pattern string
Type string
UniqueItems bool
XEmbeddedResource
XIntOrString
XPreserveUnknownFields
XValidation fieldPath?=string message?=string messageExpression?=string optionalOldSelf?=bool reason?=string rule=string
`

// ValidationPrefix begins the names of validation markers, ItemsPrefix those that are about a list's items.
const (
	ValidationPrefix = "kubebuilder:validation:"
	ItemsPrefix      = ValidationPrefix + "items:"
)

// Builtin makes a registry of every marker that the generators of this module understand.
func Builtin() *Registry {
	var text strings.Builder
	text.WriteString(objectMarkers + rbacMarkers + webhookMarkers + applyConfigurationMarkers + crdMarkers)
	for line := range strings.Lines(strings.TrimSpace(validationMarkers)) {
		line = strings.TrimSpace(line)
		text.WriteString("ft " + ValidationPrefix + line + "\nft " + ItemsPrefix + line + "\n")
	}
	return NewRegistry(parseDefinitions(text.String())...)
}
