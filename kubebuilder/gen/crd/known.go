package crd

import apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// known are the types of Kubernetes whose JSON form their Go form does not show.
func known(embeddedMeta bool) map[string]*apiext.JSONSchemaProps {
	yes := true
	text := &apiext.JSONSchemaProps{Type: "string"}
	moment := &apiext.JSONSchemaProps{Type: "string", Format: "date-time"}
	object := &apiext.JSONSchemaProps{Type: "object"}
	anything := &apiext.JSONSchemaProps{XPreserveUnknownFields: &yes}
	numberOrText := []apiext.JSONSchemaProps{{Type: "integer"}, {Type: "string"}}
	types := map[string]*apiext.JSONSchemaProps{
		metaPath + ".ObjectMeta": object,
		metaPath + ".Time":       moment,
		metaPath + ".MicroTime":  moment,
		metaPath + ".Duration":   text,
		metaPath + ".Fields":     {Type: "object", AdditionalProperties: &apiext.JSONSchemaPropsOrBool{Allows: true}},

		metaPath + "/unstructured.Unstructured":           object,
		"k8s.io/apimachinery/pkg/runtime.RawExtension":    {Type: "object", XPreserveUnknownFields: &yes},
		"k8s.io/apimachinery/pkg/util/intstr.IntOrString": {XIntOrString: true, AnyOf: numberOrText},
		"k8s.io/apimachinery/pkg/api/resource.Quantity":   {XIntOrString: true, AnyOf: numberOrText, Pattern: quantityPattern},

		"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":      anything,
		"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON": anything,
	}
	if embeddedMeta {
		texts := apiext.JSONSchemaProps{Type: "object", AdditionalProperties: &apiext.JSONSchemaPropsOrBool{Allows: true, Schema: text}}
		types[metaPath+".ObjectMeta"] = &apiext.JSONSchemaProps{Type: "object", Properties: map[string]apiext.JSONSchemaProps{
			"name": *text, "namespace": *text, "labels": texts, "annotations": texts,
			"finalizers": {Type: "array", Items: &apiext.JSONSchemaPropsOrArray{Schema: text}},
		}}
	}
	return types
}
