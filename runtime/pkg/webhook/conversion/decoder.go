package conversion

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Decoder reads objects of a scheme's types from JSON, and leaves their version as it is.
type Decoder struct {
	codecs serializer.CodecFactory
}

// NewDecoder returns a Decoder. Without a scheme there is nothing to decode into: it is nil then.
func NewDecoder(scheme *runtime.Scheme) *Decoder {
	if scheme == nil {
		return nil
	}
	return &Decoder{codecs: serializer.NewCodecFactory(scheme)}
}

var errNoScheme = errors.New("the decoder was made without a scheme")

// Decode reads an object of the type that its content names.
func (d *Decoder) Decode(content []byte) (runtime.Object, *schema.GroupVersionKind, error) {
	if d == nil {
		return nil, nil, errNoScheme
	}
	return d.codecs.UniversalDeserializer().Decode(content, nil, nil)
}

// DecodeInto reads the content into the object, which is of the right type.
func (d *Decoder) DecodeInto(content []byte, into runtime.Object) error {
	if d == nil {
		return errNoScheme
	}
	return runtime.DecodeInto(d.codecs.UniversalDeserializer(), content, into)
}
