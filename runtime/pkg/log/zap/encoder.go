package zap

import (
	"reflect"

	"go.uber.org/zap/buffer"
	"go.uber.org/zap/zapcore"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// KubeAwareEncoder writes Kubernetes objects by their kind, namespace and name,
// and leaves all else to the encoder within.
type KubeAwareEncoder struct {
	// Encoder writes the lines.
	zapcore.Encoder

	// Verbose writes objects in full.
	Verbose bool
}

// Clone returns a copy that adds fields of its own.
func (k *KubeAwareEncoder) Clone() zapcore.Encoder {
	return &KubeAwareEncoder{Encoder: k.Encoder.Clone(), Verbose: k.Verbose}
}

// AddReflected adds a value, by its name if it is an object.
func (k *KubeAwareEncoder) AddReflected(key string, value any) error {
	if short := k.shorten(value); short != nil {
		return k.AddObject(key, short)
	}
	return k.Encoder.AddReflected(key, value)
}

// EncodeEntry writes a line.
func (k *KubeAwareEncoder) EncodeEntry(entry zapcore.Entry, fields []zapcore.Field) (*buffer.Buffer, error) {
	return k.Encoder.EncodeEntry(entry, k.shortenAll(fields))
}

// shortenAll returns the fields with objects' names in the place of objects.
func (k *KubeAwareEncoder) shortenAll(fields []zapcore.Field) []zapcore.Field {
	var changed []zapcore.Field
	for i, field := range fields {
		// Types made from protobuf have a String method, which zap would use.
		if field.Type != zapcore.StringerType && field.Type != zapcore.ReflectType {
			continue
		}
		short := k.shorten(field.Interface)
		if short == nil {
			continue
		}
		if changed == nil {
			// The slice is the caller's, who may write it to other cores too.
			changed = append(changed, fields...)
		}
		changed[i] = zapcore.Field{Key: field.Key, Type: zapcore.ObjectMarshalerType, Interface: short}
	}
	if changed == nil {
		return fields
	}
	return changed
}

// namingCore shortens the objects that a logger carries along, too: those reach
// the encoder one by one, as strings already.
type namingCore struct {
	zapcore.Core
	encoder *KubeAwareEncoder
}

// With returns a core that adds the fields to its lines.
func (c namingCore) With(fields []zapcore.Field) zapcore.Core {
	return namingCore{Core: c.Core.With(c.encoder.shortenAll(fields)), encoder: c.encoder}
}

// shorten returns what to write instead of the value, or nil for the value
// itself.
func (k *KubeAwareEncoder) shorten(value any) zapcore.ObjectMarshaler {
	if k.Verbose {
		return nil
	}
	switch known := value.(type) {
	case runtime.Object:
		return objectName{known}
	case types.NamespacedName:
		return keyName(known)
	default:
		return nil
	}
}

// keyName writes an object's key.
type keyName types.NamespacedName

func (n keyName) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	addNamed(enc, "namespace", n.Namespace)
	enc.AddString("name", n.Name)
	return nil
}

// objectName writes which object one is.
type objectName struct{ object runtime.Object }

func (n objectName) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	if v := reflect.ValueOf(n.object); v.Kind() == reflect.Pointer && v.IsNil() {
		enc.AddString("object", "nil")
		return nil
	}
	gvk := n.object.GetObjectKind().GroupVersionKind()
	if gvk.Version != "" {
		enc.AddString("apiVersion", gvk.GroupVersion().String())
		enc.AddString("kind", gvk.Kind)
	}
	named, err := meta.Accessor(n.object)
	if err != nil {
		// A list has no name.
		return enc.AddReflected("object", n.object)
	}
	addNamed(enc, "namespace", named.GetNamespace())
	enc.AddString("name", named.GetName())
	return nil
}

func addNamed(enc zapcore.ObjectEncoder, key, value string) {
	if value != "" {
		enc.AddString(key, value)
	}
}
