// Package recorder names what a part of an operator needs in order to tell
// users what it did through Kubernetes events.
//
// Kubernetes has two event APIs: the old one in the core group, which
// client-go's tools/record writes, and events.k8s.io/v1, which
// client-go's tools/events writes. A [Provider] hands out recorders for both.
package recorder

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// EventRecorder writes events of the events.k8s.io/v1 API.
type EventRecorder interface {
	events.EventRecorder

	// AnnotatedEventf does what Eventf does and puts annotations on the
	// event. A nil map is the same as Eventf.
	AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...interface{})
}

// Provider hands out event recorders. The name given becomes the event's
// reporting controller (its source component in the old API).
type Provider interface {
	// GetEventRecorderFor returns a recorder that writes events of the old
	// core API.
	//
	// Deprecated: this writes the old events API; use GetEventRecorder.
	GetEventRecorderFor(name string) record.EventRecorder

	// GetEventRecorder returns a recorder that writes events.k8s.io/v1 events.
	GetEventRecorder(name string) EventRecorder
}
