// Package webhook turns kubebuilder:webhook markers into the configurations by which an API server calls the webhooks of
// an operator.
package webhook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	admission "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"kubewright.dev/kubebuilder/gen/marker"
)

// The names of the markers.
const (
	Marker              = "kubebuilder:webhook"
	ConfigurationMarker = "kubebuilder:webhookconfiguration"
)

// Configurations makes the configuration of mutating webhooks and that of validating ones, each when there are markers
// for it, with the webhooks sorted by name.
func Configurations(markers []marker.List) ([]any, []*marker.Error) {
	version := admission.SchemeGroupVersion.String()
	mutating := &admission.MutatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: version, Kind: "MutatingWebhookConfiguration"},
		ObjectMeta: metav1.ObjectMeta{Name: "mutating-webhook-configuration"},
	}
	validating := &admission.ValidatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: version, Kind: "ValidatingWebhookConfiguration"},
		ObjectMeta: metav1.ObjectMeta{Name: "validating-webhook-configuration"},
	}
	var problems []*marker.Error
	for _, list := range markers {
		for _, m := range list {
			switch {
			case m.Name == ConfigurationMarker && m.Arguments["mutating"] == true:
				mutating.Name = cmp.Or(m.String("name"), mutating.Name)
			case m.Name == ConfigurationMarker:
				validating.Name = cmp.Or(m.String("name"), validating.Name)
			case m.Name == Marker:
				if err := add(m, mutating, validating); err != nil {
					problems = append(problems, &marker.Error{At: m.At, Err: fmt.Errorf("marker +%s of %s: %w", Marker, m.String("name"), err)})
				}
			}
		}
	}
	slices.SortStableFunc(mutating.Webhooks, func(a, b admission.MutatingWebhook) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(validating.Webhooks, func(a, b admission.ValidatingWebhook) int { return strings.Compare(a.Name, b.Name) })
	var objects []any
	if len(mutating.Webhooks) > 0 {
		objects = append(objects, mutating)
	}
	if len(validating.Webhooks) > 0 {
		objects = append(objects, validating)
	}
	return objects, problems
}

func add(m marker.Marker, mutating *admission.MutatingWebhookConfiguration, validating *admission.ValidatingWebhookConfiguration) error {
	hook, err := read(m)
	if err != nil {
		return err
	}
	if m.Arguments["mutating"] != true {
		patched, err := patch(hook, m.String("patch"))
		validating.Webhooks = append(validating.Webhooks, patched)
		return err
	}
	both := admission.MutatingWebhook{
		Name: hook.Name, ClientConfig: hook.ClientConfig, Rules: hook.Rules, FailurePolicy: hook.FailurePolicy,
		MatchPolicy: hook.MatchPolicy, SideEffects: hook.SideEffects, TimeoutSeconds: hook.TimeoutSeconds,
		AdmissionReviewVersions: hook.AdmissionReviewVersions,
		ReinvocationPolicy:      word(m, "reinvocationPolicy", admission.NeverReinvocationPolicy, admission.IfNeededReinvocationPolicy),
	}
	patched, err := patch(both, m.String("patch"))
	mutating.Webhooks = append(mutating.Webhooks, patched)
	return err
}

// read makes a webhook of a marker; what both kinds of webhook share is all that a validating one has.
func read(m marker.Marker) (admission.ValidatingWebhook, error) {
	hook := admission.ValidatingWebhook{
		Name:                    m.String("name"),
		FailurePolicy:           word(m, "failurePolicy", admission.Ignore, admission.Fail),
		MatchPolicy:             word(m, "matchPolicy", admission.Exact, admission.Equivalent),
		SideEffects:             word(m, "sideEffects", admission.SideEffectClassNone, admission.SideEffectClassNoneOnDryRun),
		AdmissionReviewVersions: m.Strings("admissionReviewVersions"),
	}
	rule := admission.RuleWithOperations{Rule: admission.Rule{
		APIGroups: slices.Clone(m.Strings("groups")), APIVersions: m.Strings("versions"), Resources: m.Strings("resources"),
	}}
	for i, group := range rule.APIGroups {
		if group == "core" {
			rule.APIGroups[i] = ""
		}
	}
	for _, verb := range m.Strings("verbs") {
		rule.Operations = append(rule.Operations, admission.OperationType(strings.ToUpper(verb)))
	}
	hook.Rules = []admission.RuleWithOperations{rule}
	if seconds := int32(m.Int("timeoutSeconds")); seconds != 0 {
		hook.TimeoutSeconds = &seconds
		if seconds < 1 || seconds > 30 {
			return hook, fmt.Errorf("timeoutSeconds=%d is not between 1 and 30", seconds)
		}
	}
	for argument, missing := range map[string]bool{
		"failurePolicy": hook.FailurePolicy == nil,
		"matchPolicy":   hook.MatchPolicy == nil && m.String("matchPolicy") != "",
		"sideEffects":   hook.SideEffects == nil,
	} {
		if missing {
			return hook, fmt.Errorf("%s=%s is not a value that API servers accept", argument, m.String(argument))
		}
	}
	return hook, address(m, &hook.ClientConfig)
}

// address says where the server reaches the webhook.
func address(m marker.Marker, config *admission.WebhookClientConfig) error {
	path, url := marker.Optional[string](m, "path"), marker.Optional[string](m, "url")
	if (path == nil) == (url == nil) {
		return fmt.Errorf("give either path or url")
	}
	if url != nil {
		config.URL = url
		return nil
	}
	config.Service = &admission.ServiceReference{
		Name:      cmp.Or(m.String("serviceName"), "webhook-service"),
		Namespace: cmp.Or(m.String("serviceNamespace"), "system"),
		Path:      path,
	}
	if port := marker.Optional[int](m, "servicePort"); port != nil {
		number := int32(*port)
		config.Service.Port = &number
	}
	return nil
}

// word is an argument as one of the values allowed for it, whatever its case; nil when it is none of them.
func word[T ~string](m marker.Marker, argument string, allowed ...T) *T {
	for _, value := range allowed {
		if strings.EqualFold(m.String(argument), string(value)) {
			return &value
		}
	}
	return nil
}

// patch applies a strategic merge patch to a webhook.
func patch[T any](hook T, text string) (T, error) {
	if text == "" {
		return hook, nil
	}
	before, err := json.Marshal(hook)
	if err != nil {
		return hook, err
	}
	after, err := strategicpatch.StrategicMergePatch(before, []byte(text), hook)
	if err != nil {
		return hook, fmt.Errorf("patch: %w", err)
	}
	var patched T
	if err := json.Unmarshal(after, &patched); err != nil {
		return hook, fmt.Errorf("patch: %w", err)
	}
	return patched, nil
}
