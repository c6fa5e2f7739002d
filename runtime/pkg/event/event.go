// Package event holds what a watch tells: an object came, changed or went.
//
// Sources make events, predicates drop those that do not matter, and handlers
// turn the rest into the names of objects to reconcile. An event says why a
// reconcile happens; the reconciler itself only sees the name and reads the
// state.
package event

import "kubewright.dev/runtime/pkg/client"

type (
	// CreateEvent is a TypedCreateEvent of any kind of object.
	CreateEvent = TypedCreateEvent[client.Object]
	// UpdateEvent is a TypedUpdateEvent of any kind of object.
	UpdateEvent = TypedUpdateEvent[client.Object]
	// DeleteEvent is a TypedDeleteEvent of any kind of object.
	DeleteEvent = TypedDeleteEvent[client.Object]
	// GenericEvent is a TypedGenericEvent of any kind of object.
	GenericEvent = TypedGenericEvent[client.Object]
)

// TypedCreateEvent says that an object came into view. That is so for new
// objects, and for all that exist when a watch starts.
type TypedCreateEvent[object any] struct {
	// Object is the object as the watch saw it. It belongs to the cache.
	Object object
	// IsInInitialList is true for objects that were there when the watch
	// started.
	IsInInitialList bool
}

// TypedUpdateEvent says that an object changed, or that a resync repeats it; in
// the latter case both objects have the same resource version.
type TypedUpdateEvent[object any] struct {
	// ObjectOld is the object as last seen before.
	ObjectOld object
	// ObjectNew is the object now.
	ObjectNew object
}

// TypedDeleteEvent says that an object is gone.
type TypedDeleteEvent[object any] struct {
	// Object is the last state of the object that is known.
	Object object
	// DeleteStateUnknown is true when the watch missed the deletion itself and
	// found out later; Object may then be older than the object's last state.
	DeleteStateUnknown bool
}

// TypedGenericEvent comes from outside the watches: a webhook call, a timer, a
// message from another system.
type TypedGenericEvent[object any] struct {
	// Object is what the event is about.
	Object object
}
