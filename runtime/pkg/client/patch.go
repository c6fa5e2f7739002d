package client

import (
	"encoding/json"
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Patch says how a stored object is to be changed.
type Patch interface {
	// Type is the patch's format.
	Type() types.PatchType
	// Data returns the patch itself. It may be computed from obj, the object that the caller has.
	Data(obj Object) ([]byte, error)
}

var (
	// Apply is the patch that sends the whole object as a server-side apply.
	//
	// Deprecated: use [Writer.Apply], which sends just the fields that were set.
	Apply Patch = wholeObject{types.ApplyPatchType}

	// Merge is the patch that sends the whole object as a JSON merge patch, so it overwrites all fields that the object
	// has, its status apart.
	Merge Patch = wholeObject{types.MergePatchType}
)

// wholeObject is a patch whose data is the object.
type wholeObject struct{ format types.PatchType }

func (p wholeObject) Type() types.PatchType           { return p.format }
func (p wholeObject) Data(obj Object) ([]byte, error) { return json.Marshal(obj) }

// RawPatch is a patch of the given format whose data is known.
func RawPatch(patchType types.PatchType, data []byte) Patch { return rawPatch{patchType, data} }

type rawPatch struct {
	format types.PatchType
	data   []byte
}

func (p rawPatch) Type() types.PatchType       { return p.format }
func (p rawPatch) Data(Object) ([]byte, error) { return p.data, nil }

// MergeFromOption changes how a patch is computed from two states of an object.
type MergeFromOption interface {
	// ApplyToMergeFrom sets the option in the given options.
	ApplyToMergeFrom(*MergeFromOptions)
}

// MergeFromOptions are the options of a patch that is computed from two states of an object.
type MergeFromOptions struct {
	// OptimisticLock makes the patch conflict when the object has been changed since its first state was read.
	OptimisticLock bool
}

// MergeFromWithOptimisticLock makes a patch conflict when the object has been changed since its first state was read.
// Without it the last writer of a field wins, which is right for fields that one party alone writes, and wrong for
// lists in a merge patch, as they are replaced as a whole.
type MergeFromWithOptimisticLock struct{}

// ApplyToMergeFrom sets the lock in the given options.
func (MergeFromWithOptimisticLock) ApplyToMergeFrom(o *MergeFromOptions) { o.OptimisticLock = true }

// MergeFrom is the JSON merge patch that leads from obj to the object given to the patch request: take a copy of an
// object, change the object, and patch it with MergeFrom(copy).
func MergeFrom(obj Object) Patch { return MergeFromWithOptions(obj) }

// MergeFromWithOptions is [MergeFrom] with options.
func MergeFromWithOptions(obj Object, opts ...MergeFromOption) Patch {
	return newDifference(types.MergePatchType, mergeDifference, obj, opts)
}

// StrategicMergeFrom is the strategic merge patch that leads from obj to the object given to the patch request. It
// merges lists item by item where the Go type says what identifies an item. The API server takes such patches for built-in
// kinds only.
func StrategicMergeFrom(obj Object, opts ...MergeFromOption) Patch {
	return newDifference(types.StrategicMergePatchType, strategicDifference, obj, opts)
}

// difference is a patch from one state of an object to another.
type difference struct {
	format types.PatchType
	diff   func(from, to []byte, kind Object) ([]byte, error)
	from   Object
	opts   MergeFromOptions
}

func newDifference(format types.PatchType, diff func(from, to []byte, kind Object) ([]byte, error), from Object, opts []MergeFromOption) Patch {
	d := &difference{format: format, diff: diff, from: from}
	for _, opt := range opts {
		opt.ApplyToMergeFrom(&d.opts)
	}
	return d
}

func (d *difference) Type() types.PatchType { return d.format }

func (d *difference) Data(obj Object) ([]byte, error) {
	from, to := d.from, obj
	if d.opts.OptimisticLock {
		version := from.GetResourceVersion()
		if version == "" {
			return nil, fmt.Errorf("patch of %s/%s with an optimistic lock: the object to compute it from has no resource version; read it from the server first",
				from.GetNamespace(), from.GetName())
		}
		// The server checks the version that a patch carries, and a difference carries just what differs.
		from, to = withResourceVersion(from, ""), withResourceVersion(to, version)
	}
	fromJSON, err := json.Marshal(from)
	if err != nil {
		return nil, err
	}
	toJSON, err := json.Marshal(to)
	if err != nil {
		return nil, err
	}
	return d.diff(fromJSON, toJSON, obj)
}

func withResourceVersion(obj Object, version string) Object {
	out := obj.DeepCopyObject().(Object)
	out.SetResourceVersion(version)
	return out
}

func mergeDifference(from, to []byte, _ Object) ([]byte, error) {
	return jsonpatch.CreateMergePatch(from, to)
}

func strategicDifference(from, to []byte, kind Object) ([]byte, error) {
	return strategicpatch.CreateTwoWayMergePatch(from, to, kind)
}
