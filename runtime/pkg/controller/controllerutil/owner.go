// Package controllerutil has what reconcilers often do: bring an object into a
// state, say who owns it, hold its deletion up with a finalizer.
package controllerutil

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/client/apiutil"
)

// AlreadyOwnedError says that an object has another controller.
type AlreadyOwnedError struct {
	// Object is the object that was to be owned.
	Object metav1.Object
	// Owner is its controller.
	Owner metav1.OwnerReference
}

// Error names the object and its controller.
func (e *AlreadyOwnedError) Error() string {
	return fmt.Sprintf("Object %s/%s is already owned by another %s controller %s",
		e.Object.GetNamespace(), e.Object.GetName(), e.Owner.Kind, e.Owner.Name)
}

// OwnerReferenceOption changes an owner reference before it is set.
type OwnerReferenceOption func(*metav1.OwnerReference)

// WithBlockOwnerDeletion says whether the owner, when it is deleted in the
// foreground, stays until the object is gone.
func WithBlockOwnerDeletion(blockOwnerDeletion bool) OwnerReferenceOption {
	return func(ref *metav1.OwnerReference) { ref.BlockOwnerDeletion = &blockOwnerDeletion }
}

// SetControllerReference makes owner the controller of controlled: it is then
// garbage collected with the owner, and its events reach the owner's controller
// by Owns. An object has one controller; if it has another, the error is an
// AlreadyOwnedError. A reference to the same owner is updated, also one at
// another version. Deletion of the owner in the foreground waits for the object,
// unless an option says otherwise.
func SetControllerReference(owner, controlled metav1.Object, scheme *runtime.Scheme, opts ...OwnerReferenceOption) error {
	ref, err := referenceTo(owner, controlled, scheme)
	if err != nil {
		return err
	}
	ref.Controller = new(true)
	ref.BlockOwnerDeletion = new(true)
	for _, opt := range opts {
		opt(&ref)
	}
	if current := metav1.GetControllerOf(controlled); current != nil && !sameOwner(*current, ref) {
		return &AlreadyOwnedError{Object: controlled, Owner: *current}
	}
	put(controlled, ref)
	return nil
}

// SetOwnerReference makes owner one of the owners of object, which is garbage
// collected when its last owner is gone. A reference to the same owner is
// updated.
func SetOwnerReference(owner, object metav1.Object, scheme *runtime.Scheme, opts ...OwnerReferenceOption) error {
	ref, err := referenceTo(owner, object, scheme)
	if err != nil {
		return err
	}
	for _, opt := range opts {
		opt(&ref)
	}
	put(object, ref)
	return nil
}

// RemoveOwnerReference removes the reference to owner from object. It is an error
// if there is none.
func RemoveOwnerReference(owner, object metav1.Object, scheme *runtime.Scheme) error {
	ref, err := plainReference(owner, scheme)
	if err != nil {
		return err
	}
	return drop(object, ref)
}

// RemoveControllerReference removes the reference to owner from object if owner
// is its controller. It is an error if it is not.
func RemoveControllerReference(owner, object metav1.Object, scheme *runtime.Scheme) error {
	ref, err := plainReference(owner, scheme)
	if err != nil {
		return err
	}
	current := metav1.GetControllerOf(object)
	if current == nil {
		return fmt.Errorf("%s does not have a controller reference", naming(object))
	}
	if !sameOwner(*current, ref) {
		return fmt.Errorf("%s does not control %s: its controller is %s %s", owner.GetName(), naming(object), current.Kind, current.Name)
	}
	return drop(object, ref)
}

// HasControllerReference says whether the object has a controller.
func HasControllerReference(object metav1.Object) bool {
	return metav1.GetControllerOfNoCopy(object) != nil
}

// HasOwnerReference says whether one of the references is to the object, at
// whatever version.
func HasOwnerReference(ownerRefs []metav1.OwnerReference, obj client.Object, scheme *runtime.Scheme) (bool, error) {
	gvk, err := apiutil.GVKForObject(obj, scheme)
	if err != nil {
		return false, err
	}
	want := metav1.OwnerReference{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind, Name: obj.GetName()}
	return slices.ContainsFunc(ownerRefs, func(ref metav1.OwnerReference) bool { return sameOwner(ref, want) }), nil
}

// plainReference is a reference to owner without flags.
func plainReference(owner metav1.Object, scheme *runtime.Scheme) (metav1.OwnerReference, error) {
	typed, ok := owner.(runtime.Object)
	if !ok {
		return metav1.OwnerReference{}, fmt.Errorf("owner %s of type %T is not a runtime.Object: pass the API object itself", owner.GetName(), owner)
	}
	gvk, err := apiutil.GVKForObject(typed, scheme)
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("owner %s: %w", owner.GetName(), err)
	}
	return metav1.OwnerReference{
		APIVersion: gvk.GroupVersion().String(),
		Kind:       gvk.Kind,
		Name:       owner.GetName(),
		UID:        owner.GetUID(),
	}, nil
}

// referenceTo is plainReference, after checking what the garbage collector asks
// for: an owner is in the same namespace, or in none.
func referenceTo(owner, object metav1.Object, scheme *runtime.Scheme) (metav1.OwnerReference, error) {
	if ns := owner.GetNamespace(); ns != "" {
		switch object.GetNamespace() {
		case ns:
		case "":
			return metav1.OwnerReference{}, fmt.Errorf("cluster-scoped resource must not have a namespace-scoped owner, owner's namespace %s", ns)
		default:
			return metav1.OwnerReference{}, fmt.Errorf("cross-namespace owner references are disallowed, owner's namespace %s, obj's namespace %s", ns, object.GetNamespace())
		}
	}
	return plainReference(owner, scheme)
}

// sameOwner says whether two references are to the same owner, at whatever
// versions of its kind.
func sameOwner(a, b metav1.OwnerReference) bool {
	groupA, errA := schema.ParseGroupVersion(a.APIVersion)
	groupB, errB := schema.ParseGroupVersion(b.APIVersion)
	return errA == nil && errB == nil && groupA.Group == groupB.Group && a.Kind == b.Kind && a.Name == b.Name
}

// put sets the reference in the place of one to the same owner, or last.
func put(object metav1.Object, ref metav1.OwnerReference) {
	refs := slices.Clone(object.GetOwnerReferences())
	at := slices.IndexFunc(refs, func(r metav1.OwnerReference) bool { return sameOwner(r, ref) })
	if at < 0 {
		refs = append(refs, ref)
	} else {
		refs[at] = ref
	}
	object.SetOwnerReferences(refs)
}

func drop(object metav1.Object, ref metav1.OwnerReference) error {
	refs := object.GetOwnerReferences()
	kept := slices.DeleteFunc(slices.Clone(refs), func(r metav1.OwnerReference) bool { return sameOwner(r, ref) })
	if len(kept) == len(refs) {
		return fmt.Errorf("%s does not have an owner reference for %s %s", naming(object), ref.Kind, ref.Name)
	}
	object.SetOwnerReferences(kept)
	return nil
}

func naming(object metav1.Object) string {
	if object.GetNamespace() == "" {
		return object.GetName()
	}
	return object.GetNamespace() + "/" + object.GetName()
}
