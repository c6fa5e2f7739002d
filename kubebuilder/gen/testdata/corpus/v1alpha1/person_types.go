package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EDIT THIS FILE!  THIS IS SCAFFOLDING FOR YOU TO OWN!
// NOTE: json tags are required.  Any new fields you add must have json tags for the fields to be serialized.

// PersonSpec defines the desired state of Person
type PersonSpec struct {
	// INSERT ADDITIONAL SPEC FIELDS - desired state of cluster
	// The following markers will use OpenAPI v3 schema to validate the value

	// firstname is the first name
	// +optional
	FirstName  string `json:"firstname,omitempty"`
	SecondName string `json:"secondname,omitempty"`

	// foo is an example field of Person. Edit person_types.go to remove/update
	// +optional
	Foo *string `json:"foo,omitempty"`
}

// PersonStatus defines the observed state of Person.
type PersonStatus struct {
	// conditions represent the current state of the Person resource.
	// Each condition has a unique type.
	//
	// Standard condition types include:
	// - "Available": the resource is fully functional
	//
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Person is the Schema for the people API
type Person struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is a standard object metadata
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec defines the desired state of Person
	// +required
	Spec PersonSpec `json:"spec"`

	// status defines the observed state of Person
	// +optional
	Status PersonStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// PersonList contains a list of Person
type PersonList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Person `json:"items"`
}
