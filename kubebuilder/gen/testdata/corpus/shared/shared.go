// Package shared has types of another package.
// +kubebuilder:object:generate=true
package shared

// Level is a level.
// +kubebuilder:validation:Enum=low;high
type Level string

// Common is inlined.
type Common struct {
	// Zeta of common.
	// +kubebuilder:validation:MaxLength=5
	Zeta string `json:"zeta"`
	// Deep is deeper.
	Deeper `json:",inline"`
}

// Deeper docs.
type Deeper struct {
	Alpha *int32 `json:"alpha,omitempty"`
	Level Level  `json:"level"`
}

// Names docs.
type Names []string
type Dict map[string]string
