package apiutil

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// schemaless negotiates as keepKind, with decoders that make unstructured values of all kinds, registered or not, where
// the caller gives no value to decode into: the events of a watch.
type schemaless struct {
	serializer.WithoutConversionCodecFactory
}

// DecoderToVersion returns a decoder that needs no scheme.
func (schemaless) DecoderToVersion(s runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return unstructuredDecoder{s}
}

type unstructuredDecoder struct{ runtime.Decoder }

// Decode makes an unstructured value of data, and a status of a status: that is what errors are made of.
func (d unstructuredDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if into != nil {
		return d.Decoder.Decode(data, defaults, into)
	}
	obj, gvk, err := unstructured.UnstructuredJSONScheme.Decode(data, defaults, nil)
	if err != nil || gvk == nil || *gvk != (schema.GroupVersionKind{Version: "v1", Kind: "Status"}) {
		return obj, gvk, err
	}
	status := &metav1.Status{}
	return status, gvk, json.Unmarshal(data, status)
}
