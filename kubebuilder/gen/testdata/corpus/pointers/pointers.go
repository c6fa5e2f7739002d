// Package pointers mentions other packages by pointers that copy themselves only: generated code must not import those.
// +kubebuilder:object:generate=true
package pointers

import "k8s.io/apimachinery/pkg/api/resource"

// Limits holds a pointer.
type Limits struct {
	Memory *resource.Quantity `json:"memory,omitempty"`
}
