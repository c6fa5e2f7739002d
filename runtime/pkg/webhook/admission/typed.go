package admission

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Defaulter fills in what an object leaves open.
type Defaulter[T runtime.Object] interface {
	// Default changes the object. An error refuses the operation; one of the API's own kind
	// (k8s.io/apimachinery/pkg/api/errors) keeps its status.
	Default(ctx context.Context, obj T) error
}

// Validator says whether an object is acceptable. Warnings go to the client whether or not there is an error; an
// error refuses the operation, and one of the API's own kind keeps its status.
type Validator[T runtime.Object] interface {
	// ValidateCreate is asked when the object is created.
	ValidateCreate(ctx context.Context, obj T) (warnings Warnings, err error)
	// ValidateUpdate is asked when the object is changed.
	ValidateUpdate(ctx context.Context, oldObj, newObj T) (warnings Warnings, err error)
	// ValidateDelete is asked when the object is deleted; obj is its last state.
	ValidateDelete(ctx context.Context, obj T) (warnings Warnings, err error)
}

// Warnings are what a client is to be told, one sentence each.
type Warnings []string

// CustomDefaulter is a Defaulter that asserts the object's type itself.
type CustomDefaulter = Defaulter[runtime.Object]

// CustomValidator is a Validator that asserts the object's type itself.
type CustomValidator = Validator[runtime.Object]

type defaulterOptions struct {
	removeUnknown bool
}

// DefaulterOption changes how the answer of a Defaulter is made.
type DefaulterOption func(*defaulterOptions)

// DefaulterRemoveUnknownOrOmitableFields makes the patch remove fields of the request's object that the Go type does
// not have, or would leave out because they are empty. By default only what the Defaulter changed is patched.
func DefaulterRemoveUnknownOrOmitableFields(o *defaulterOptions) {
	o.removeUnknown = true
}

// WithDefaulter returns a Webhook that calls the Defaulter for objects of T, a pointer to a type of the scheme.
func WithDefaulter[T runtime.Object](scheme *runtime.Scheme, defaulter Defaulter[T], opts ...DefaulterOption) *Webhook {
	return newDefaulting(scheme, newOf[T], defaulter, opts)
}

// WithCustomDefaulter returns a Webhook that calls the Defaulter for objects of the type of obj.
func WithCustomDefaulter(scheme *runtime.Scheme, obj runtime.Object, defaulter CustomDefaulter, opts ...DefaulterOption) *Webhook {
	return newDefaulting(scheme, likeObject(obj), defaulter, opts)
}

// WithValidator returns a Webhook that asks the Validator about objects of T, a pointer to a type of the scheme.
func WithValidator[T runtime.Object](scheme *runtime.Scheme, validator Validator[T]) *Webhook {
	return &Webhook{Handler: &validating[T]{decoder: NewDecoder(scheme), fresh: newOf[T], validator: validator}}
}

// WithCustomValidator returns a Webhook that asks the Validator about objects of the type of obj.
func WithCustomValidator(scheme *runtime.Scheme, obj runtime.Object, validator CustomValidator) *Webhook {
	return &Webhook{Handler: &validating[runtime.Object]{decoder: NewDecoder(scheme), fresh: likeObject(obj), validator: validator}}
}

func newOf[T runtime.Object]() (T, error) {
	var none T
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return none, fmt.Errorf("%s is not a pointer to a struct", t)
	}
	fresh, ok := reflect.New(t.Elem()).Interface().(T)
	if !ok {
		return none, fmt.Errorf("cannot make a %s", t)
	}
	return fresh, nil
}

func likeObject(obj runtime.Object) func() (runtime.Object, error) {
	return func() (runtime.Object, error) {
		if obj == nil {
			return nil, fmt.Errorf("the webhook was made without an object to tell its type")
		}
		return obj.DeepCopyObject(), nil
	}
}

type defaulting[T runtime.Object] struct {
	decoder   Decoder
	fresh     func() (T, error)
	defaulter Defaulter[T]
	options   defaulterOptions
}

func newDefaulting[T runtime.Object](scheme *runtime.Scheme, fresh func() (T, error), defaulter Defaulter[T], opts []DefaulterOption) *Webhook {
	h := &defaulting[T]{decoder: NewDecoder(scheme), fresh: fresh, defaulter: defaulter}
	for _, opt := range opts {
		opt(&h.options)
	}
	return &Webhook{Handler: h}
}

// Handle calls the Defaulter and answers with what it changed.
func (h *defaulting[T]) Handle(ctx context.Context, req Request) Response {
	if h.defaulter == nil {
		return Errored(http.StatusInternalServerError, fmt.Errorf("the webhook of %s has no defaulter", req.Kind.Kind))
	}
	if req.Operation == admissionv1.Delete {
		return Allowed("") // there is nothing left to fill in
	}
	obj, err := h.fresh()
	if err != nil {
		return Errored(http.StatusInternalServerError, err)
	}
	if err := h.decoder.Decode(req, obj); err != nil {
		return Errored(http.StatusBadRequest, err)
	}
	before, err := json.Marshal(obj)
	if err != nil {
		return Errored(http.StatusInternalServerError, err)
	}
	if err := h.defaulter.Default(NewContextWithRequest(ctx, req), obj); err != nil {
		return refused(err)
	}
	after, err := json.Marshal(obj)
	if err != nil {
		return Errored(http.StatusInternalServerError, err)
	}
	if !h.options.removeUnknown {
		if after, err = rebase(req.Object.Raw, before, after); err != nil {
			return Errored(http.StatusInternalServerError, err)
		}
	}
	return PatchResponseFromRaw(req.Object.Raw, after)
}

type validating[T runtime.Object] struct {
	decoder   Decoder
	fresh     func() (T, error)
	validator Validator[T]
}

// Handle asks the Validator about the operation. Operations other than create, update and delete are allowed.
func (h *validating[T]) Handle(ctx context.Context, req Request) Response {
	if h.validator == nil {
		return Errored(http.StatusInternalServerError, fmt.Errorf("the webhook of %s has no validator", req.Kind.Kind))
	}
	ctx = NewContextWithRequest(ctx, req)
	var (
		warnings Warnings
		verdict  error
	)
	switch req.Operation {
	case admissionv1.Connect:
		return Allowed("")
	case admissionv1.Create:
		obj, err := h.decode(req.Object)
		if err != nil {
			return Errored(http.StatusBadRequest, err)
		}
		warnings, verdict = h.validator.ValidateCreate(ctx, obj)
	case admissionv1.Update:
		obj, err := h.decode(req.Object)
		if err != nil {
			return Errored(http.StatusBadRequest, err)
		}
		old, err := h.decode(req.OldObject)
		if err != nil {
			return Errored(http.StatusBadRequest, fmt.Errorf("old object: %w", err))
		}
		warnings, verdict = h.validator.ValidateUpdate(ctx, old, obj)
	case admissionv1.Delete:
		// A delete has only the old object.
		old, err := h.decode(req.OldObject)
		if err != nil {
			return Errored(http.StatusBadRequest, fmt.Errorf("old object: %w", err))
		}
		warnings, verdict = h.validator.ValidateDelete(ctx, old)
	default:
		return Errored(http.StatusBadRequest, fmt.Errorf("unknown operation %q", req.Operation))
	}
	if verdict != nil {
		return refused(verdict).WithWarnings(warnings...)
	}
	return Allowed("").WithWarnings(warnings...)
}

func (h *validating[T]) decode(raw runtime.RawExtension) (T, error) {
	obj, err := h.fresh()
	if err != nil {
		return obj, err
	}
	return obj, h.decoder.DecodeRaw(raw, obj)
}
