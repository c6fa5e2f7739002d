package admission

import (
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Decoder reads the objects of requests.
type Decoder interface {
	// Decode reads the request's object into the given one. For a delete there is no object: decode OldObject with
	// DecodeRaw.
	Decode(req Request, into runtime.Object) error
	// DecodeRaw reads an object of a request into the given one.
	DecodeRaw(rawObj runtime.RawExtension, into runtime.Object) error
}

// NewDecoder returns a Decoder for the types of the scheme, and for unstructured objects of any kind.
func NewDecoder(scheme *runtime.Scheme) Decoder {
	if scheme == nil {
		scheme = runtime.NewScheme()
	}
	return &decoder{codecs: serializer.NewCodecFactory(scheme)}
}

type decoder struct {
	codecs serializer.CodecFactory
}

func (d *decoder) Decode(req Request, into runtime.Object) error {
	if len(req.Object.Raw) == 0 {
		return fmt.Errorf("there is no content to decode: a %s request has no object", req.Operation)
	}
	return d.DecodeRaw(req.Object, into)
}

func (d *decoder) DecodeRaw(rawObj runtime.RawExtension, into runtime.Object) error {
	if len(rawObj.Raw) == 0 {
		return errors.New("there is no content to decode")
	}
	switch target := into.(type) {
	case runtime.Unstructured:
		var content unstructured.Unstructured
		if err := content.UnmarshalJSON(rawObj.Raw); err != nil {
			return err
		}
		target.SetUnstructuredContent(content.Object)
		return nil
	case *metav1.PartialObjectMetadata:
		return json.Unmarshal(rawObj.Raw, target)
	}
	return runtime.DecodeInto(d.codecs.UniversalDeserializer(), rawObj.Raw, into)
}
