package controllerutil

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"kubewright.dev/runtime/pkg/client"
)

// OperationResult says what CreateOrUpdate or CreateOrPatch did.
type OperationResult string

const (
	// OperationResultNone means that the object was right already.
	OperationResultNone OperationResult = "unchanged"
	// OperationResultCreated means that the object is new.
	OperationResultCreated OperationResult = "created"
	// OperationResultUpdated means that the object, not its status, was changed.
	OperationResultUpdated OperationResult = "updated"
	// OperationResultUpdatedStatus means that the object and its status were
	// changed.
	OperationResultUpdatedStatus OperationResult = "updatedStatus"
	// OperationResultUpdatedStatusOnly means that only the status was changed.
	OperationResultUpdatedStatusOnly OperationResult = "updatedStatusOnly"
)

// MutateFn changes the object, which the caller holds, to what is wanted. It must
// not change its name or namespace.
type MutateFn func() error

// CreateOrUpdate reads the object, lets f change it, and creates or updates it if
// need be. The object holds the outcome. Status is not written where it is a
// subresource. If another writer was faster, the error is a Conflict: return it
// from the reconciler, which is then called again.
func CreateOrUpdate(ctx context.Context, c client.Client, obj client.Object, f MutateFn) (OperationResult, error) {
	before, err := readOrCreate(ctx, c, obj, f)
	if err != nil {
		return OperationResultNone, err
	}
	if before == nil {
		return OperationResultCreated, nil
	}
	if equality.Semantic.DeepEqual(before, obj) {
		return OperationResultNone, nil
	}
	if err := c.Update(ctx, obj); err != nil {
		return OperationResultNone, err
	}
	return OperationResultUpdated, nil
}

// CreateOrPatch is CreateOrUpdate that sends merge patches of what f changed, the
// status too, by its subresource. It does not notice other writers.
func CreateOrPatch(ctx context.Context, c client.Client, obj client.Object, f MutateFn) (OperationResult, error) {
	before, err := readOrCreate(ctx, c, obj, f)
	if err != nil {
		return OperationResultNone, err
	}
	if before == nil {
		return OperationResultCreated, nil
	}
	wanted, err := split(obj)
	if err != nil {
		return OperationResultNone, err
	}
	had, err := split(before)
	if err != nil {
		return OperationResultNone, err
	}
	result := OperationResultNone
	want := obj.DeepCopyObject().(client.Object)
	if !equality.Semantic.DeepEqual(had.rest, wanted.rest) {
		if err := c.Patch(ctx, obj, client.MergeFrom(before)); err != nil {
			return result, err
		}
		result = OperationResultUpdated
	}
	if equality.Semantic.DeepEqual(had.status, wanted.status) {
		return result, nil
	}
	// The first answer replaced the status in obj by the stored one.
	want.SetResourceVersion(obj.GetResourceVersion())
	base := before.DeepCopyObject().(client.Object)
	base.SetResourceVersion(obj.GetResourceVersion())
	if err := c.Status().Patch(ctx, want, client.MergeFrom(base)); err != nil {
		return result, err
	}
	reflect.ValueOf(obj).Elem().Set(reflect.ValueOf(want).Elem())
	if result == OperationResultUpdated {
		return OperationResultUpdatedStatus, nil
	}
	return OperationResultUpdatedStatusOnly, nil
}

// readOrCreate reads the object and applies f to it. It returns a copy of the
// object as it was, or nil if it had to be created.
func readOrCreate(ctx context.Context, c client.Client, obj client.Object, f MutateFn) (client.Object, error) {
	key := client.ObjectKeyFromObject(obj)
	err := c.Get(ctx, key, obj)
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	exists := err == nil
	before := obj.DeepCopyObject().(client.Object)
	if f != nil {
		if err := f(); err != nil {
			return nil, err
		}
		if now := client.ObjectKeyFromObject(obj); now != key {
			return nil, fmt.Errorf("MutateFn cannot mutate object name and/or object namespace: %s became %s", key, now)
		}
	}
	if exists {
		return before, nil
	}
	return nil, c.Create(ctx, obj)
}

// parts is an object cut into its status and all else.
type parts struct {
	rest   map[string]any
	status any
}

func split(obj client.Object) (parts, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return parts{}, fmt.Errorf("compare %T %s: %w", obj, client.ObjectKeyFromObject(obj), err)
	}
	rest := make(map[string]any, len(content))
	for k, v := range content {
		if k != "status" {
			rest[k] = v
		}
	}
	return parts{rest: rest, status: content["status"]}, nil
}
