// Package scheme registers the Go types of an API group and version with a scheme.
//
// An API package declares a [Builder] for its group and version, and each file with a type registers it:
//
//	var (
//		GroupVersion  = schema.GroupVersion{Group: "apps.example.com", Version: "v1"}
//		SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
//		AddToScheme   = SchemeBuilder.AddToScheme
//	)
//
//	func init() {
//		SchemeBuilder.Register(&Person{}, &PersonList{})
//	}
//
// A program then calls AddToScheme with the scheme it gives to its manager or client.
package scheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Builder collects the Go types of one group and version. A kind is named as its Go type is.
type Builder struct {
	// GroupVersion is the group and version of the types.
	GroupVersion schema.GroupVersion
	// SchemeBuilder holds what is to be called on a scheme.
	runtime.SchemeBuilder
}

// Register adds types, given as pointers to values of them, and returns the builder.
func (b *Builder) Register(objects ...runtime.Object) *Builder {
	b.SchemeBuilder.Register(func(s *runtime.Scheme) error {
		s.AddKnownTypes(b.GroupVersion, objects...)
		// The options and events of requests are known a group and version, too.
		metav1.AddToGroupVersion(s, b.GroupVersion)
		return nil
	})
	return b
}

// RegisterAll adds all that another builder has, and returns the builder.
func (b *Builder) RegisterAll(other *Builder) *Builder {
	b.SchemeBuilder = append(b.SchemeBuilder, other.SchemeBuilder...)
	return b
}

// AddToScheme adds the types to s.
func (b *Builder) AddToScheme(s *runtime.Scheme) error {
	return b.SchemeBuilder.AddToScheme(s)
}

// Build returns a new scheme with the types and nothing else.
func (b *Builder) Build() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	if err := b.AddToScheme(s); err != nil {
		return nil, err
	}
	return s, nil
}
