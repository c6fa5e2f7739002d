package conversion

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/conversion"
)

// PartialImplementationError says that some versions of a kind take part in conversion and others do not, or that
// there is not exactly one hub.
type PartialImplementationError struct {
	gvk                     schema.GroupVersionKind
	hubs, spokes, remainder []schema.GroupVersionKind
}

// Error names the versions and what they lack.
func (e PartialImplementationError) Error() string {
	switch {
	case len(e.hubs) == 0 && len(e.remainder) == 0:
		return fmt.Sprintf("%s has no hub: give one of the versions %s a method Hub()", e.gvk.GroupKind(), versions(e.spokes))
	case len(e.hubs) == 0:
		return fmt.Sprintf("%s has no hub: versions %s convert, but none of %s has a method Hub()",
			e.gvk.GroupKind(), versions(e.spokes), versions(e.remainder))
	case len(e.hubs) > 1:
		return fmt.Sprintf("%s has %d hubs, %s: only one version may have a method Hub()", e.gvk.GroupKind(), len(e.hubs), versions(e.hubs))
	}
	return fmt.Sprintf("%s is partially convertible: versions %s have no methods ConvertTo and ConvertFrom for the hub %s",
		e.gvk.GroupKind(), versions(e.remainder), versions(e.hubs))
}

func versions(gvks []schema.GroupVersionKind) string {
	names := make([]string, len(gvks))
	for i, gvk := range gvks {
		names[i] = gvk.Version
	}
	return strings.Join(names, ", ")
}

// IsConvertible tells whether the object's kind can be converted between all the versions that the scheme knows: one
// is the hub and all others are spokes. Versions that take no part at all are no error; some that do and some that do
// not are a PartialImplementationError.
func IsConvertible(scheme *runtime.Scheme, obj runtime.Object) (bool, error) {
	gvks, err := kindVersions(scheme, obj)
	if err != nil {
		return false, err
	}
	if len(gvks) == 1 {
		return false, nil // with itself
	}
	found := PartialImplementationError{gvk: gvks[0]}
	for _, gvk := range gvks {
		instance, err := scheme.New(gvk)
		if err != nil {
			return false, fmt.Errorf("make a %s: %w", gvk, err)
		}
		if _, hub := instance.(conversion.Hub); hub {
			found.hubs = append(found.hubs, gvk)
		} else if _, spoke := instance.(conversion.Convertible); spoke {
			found.spokes = append(found.spokes, gvk)
		} else {
			found.remainder = append(found.remainder, gvk)
		}
	}
	switch {
	case len(found.hubs) == 0 && len(found.spokes) == 0:
		return false, nil
	case len(found.hubs) == 1 && len(found.remainder) == 0:
		return true, nil
	}
	return false, found
}

// kindVersions returns the object's kind in all versions of the scheme. More than one kind for its Go type is an
// error, for it does not say then what to convert.
func kindVersions(scheme *runtime.Scheme, obj runtime.Object) ([]schema.GroupVersionKind, error) {
	if scheme == nil {
		return nil, errors.New("no scheme to know versions by")
	}
	own, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return nil, fmt.Errorf("find the kind of %T: %w", obj, err)
	}
	if len(own) != 1 {
		return nil, fmt.Errorf("%T is registered as %d kinds, %v: register a Go type once", obj, len(own), own)
	}
	group := own[0].GroupKind()
	var gvks []schema.GroupVersionKind
	for _, gv := range scheme.VersionsForGroupKind(group) {
		if gv.Version != runtime.APIVersionInternal {
			gvks = append(gvks, gv.WithKind(group.Kind))
		}
	}
	return gvks, nil
}

// newLike makes an empty object of the same Go type.
func newLike[T runtime.Object](obj T) (T, error) {
	t := reflect.TypeOf(obj)
	if t == nil || t.Kind() != reflect.Pointer {
		var none T
		return none, fmt.Errorf("%T is not a pointer to a struct", obj)
	}
	fresh, ok := reflect.New(t.Elem()).Interface().(T)
	if !ok {
		var none T
		return none, fmt.Errorf("make a %T", obj)
	}
	return fresh, nil
}
