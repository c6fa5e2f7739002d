// Package conversion names the two sides of a conversion between the versions of a kind.
//
// One version is the hub. Every other version, a spoke, converts to the hub and from it, so that n versions need n
// conversions and not n². An API server asks a webhook to convert; package webhook/conversion answers it by way of the
// hub.
package conversion

import "k8s.io/apimachinery/pkg/runtime"

// Convertible is a spoke: a version that converts to and from its hub.
type Convertible interface {
	runtime.Object
	// ConvertTo writes this object into dst, which is of the hub's type.
	ConvertTo(dst Hub) error
	// ConvertFrom reads this object from src, which is of the hub's type.
	ConvertFrom(src Hub) error
}

// Hub is the version that all others of its kind convert to and from. It is not necessarily the version that is
// stored.
type Hub interface {
	runtime.Object
	// Hub marks the type and does nothing.
	Hub()
}
