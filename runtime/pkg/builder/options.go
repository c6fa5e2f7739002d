package builder

import "kubewright.dev/runtime/pkg/predicate"

// ForOption changes the watch of the kind that a controller is for.
type ForOption interface {
	// ApplyToFor does so.
	ApplyToFor(*ForInput)
}

// OwnsOption changes the watch of an owned kind.
type OwnsOption interface {
	// ApplyToOwns does so.
	ApplyToOwns(*OwnsInput)
}

// WatchesOption changes any other watch of a kind.
type WatchesOption interface {
	// ApplyToWatches does so.
	ApplyToWatches(untypedWatchesInput)
}

// untypedWatchesInput is a WatchesInput of whatever type of request.
type untypedWatchesInput interface {
	addPredicates(predicates []predicate.Predicate)
	project(as projectAs)
}

// Predicates are predicates as an option of a watch.
type Predicates struct {
	predicates []predicate.Predicate
}

// WithPredicates lets only events pass that all of the predicates pass.
func WithPredicates(predicates ...predicate.Predicate) Predicates {
	return Predicates{predicates: predicates}
}

// ApplyToFor implements ForOption.
func (p Predicates) ApplyToFor(in *ForInput) { in.predicates = p.predicates }

// ApplyToOwns implements OwnsOption.
func (p Predicates) ApplyToOwns(in *OwnsInput) { in.predicates = p.predicates }

// ApplyToWatches implements WatchesOption.
func (p Predicates) ApplyToWatches(in untypedWatchesInput) { in.addPredicates(p.predicates) }

// projectAs is the form in which objects are asked of the server.
type projectAs int

const (
	wholeObjects projectAs = iota
	metadataOnly
)

// OnlyMetadata makes a watch ask the server for the objects' metadata only, which
// saves memory. Read these objects as metav1.PartialObjectMetadata too: reading
// them by their type would start a second watch, of the whole objects.
var OnlyMetadata = metadataOnly

// ApplyToFor implements ForOption.
func (p projectAs) ApplyToFor(in *ForInput) { in.as = p }

// ApplyToOwns implements OwnsOption.
func (p projectAs) ApplyToOwns(in *OwnsInput) { in.as = p }

// ApplyToWatches implements WatchesOption.
func (p projectAs) ApplyToWatches(in untypedWatchesInput) { in.project(p) }

type matchEveryOwner struct{}

// MatchEveryOwner makes Owns react to all owner references to the controller's
// kind, also to those that do not have controller: true.
var MatchEveryOwner = &matchEveryOwner{}

// ApplyToOwns implements OwnsOption.
func (*matchEveryOwner) ApplyToOwns(in *OwnsInput) { in.everyOwner = true }

var (
	_ ForOption     = Predicates{}
	_ OwnsOption    = Predicates{}
	_ WatchesOption = Predicates{}
	_ ForOption     = OnlyMetadata
	_ OwnsOption    = OnlyMetadata
	_ WatchesOption = OnlyMetadata
	_ OwnsOption    = MatchEveryOwner
)
