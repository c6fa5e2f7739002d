package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"gomodules.xyz/jsonpatch/v2"
	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// Request is what the API server asks: the operation, who wants it, the object and the one that it replaces.
type Request struct {
	admissionv1.AdmissionRequest
}

// Response is the answer: whether the operation may go on, and what to change in the object before.
type Response struct {
	// Patches change the object; only answers to mutating webhooks have any. Complete writes them into Patch.
	Patches []jsonpatch.JsonPatchOperation
	// AdmissionResponse is the answer as the API server reads it.
	admissionv1.AdmissionResponse
}

// Complete fills in what each answer has: the request's UID, a status code, and the patches in their encoded form.
func (r *Response) Complete(req Request) error {
	r.UID = req.UID
	if r.Result == nil {
		r.Result = &metav1.Status{}
	}
	if r.Result.Code == 0 {
		r.Result.Code = http.StatusOK
	}
	if len(r.Patches) == 0 {
		return nil
	}
	patch, err := json.Marshal(r.Patches)
	if err != nil {
		return fmt.Errorf("encode the patch: %w", err)
	}
	r.Patch = patch
	r.PatchType = ptr.To(admissionv1.PatchTypeJSONPatch)
	return nil
}

// WithWarnings returns the response with warnings added, which the API server hands on to its client. Keep each below
// 120 characters, as longer ones may be cut.
func (r Response) WithWarnings(warnings ...string) Response {
	r.Warnings = append(r.Warnings, warnings...)
	return r
}

// Allowed lets the operation go on.
func Allowed(message string) Response {
	return ValidationResponse(true, message)
}

// Denied refuses the operation, with status 403 Forbidden and the message as the reason.
func Denied(message string) Response {
	return ValidationResponse(false, message)
}

// Patched lets the operation go on with the object changed.
func Patched(message string, patches ...jsonpatch.JsonPatchOperation) Response {
	response := Allowed(message)
	response.Patches = patches
	return response
}

// Errored refuses the operation because the webhook itself failed, with an HTTP status code.
func Errored(code int32, err error) Response {
	message := "unknown error"
	if err != nil {
		message = err.Error()
	}
	return Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &metav1.Status{Code: code, Message: message}}}
}

// ValidationResponse is Allowed or Denied.
func ValidationResponse(allowed bool, message string) Response {
	result := &metav1.Status{Code: http.StatusOK, Message: message}
	if !allowed {
		result.Code, result.Reason = http.StatusForbidden, metav1.StatusReasonForbidden
	}
	return Response{AdmissionResponse: admissionv1.AdmissionResponse{Allowed: allowed, Result: result}}
}

// PatchResponseFromRaw lets the operation go on with the object changed from the first JSON document to the second.
func PatchResponseFromRaw(original, current []byte) Response {
	patches, err := jsonpatch.CreatePatch(original, current)
	if err != nil {
		return Errored(http.StatusInternalServerError, err)
	}
	return Response{
		Patches: patches,
		AdmissionResponse: admissionv1.AdmissionResponse{
			Allowed:   true,
			PatchType: ptr.To(admissionv1.PatchTypeJSONPatch),
		},
	}
}

// refused answers with the error of a Defaulter or Validator. Errors of the API's own kind keep their status.
func refused(err error) Response {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		result := status.Status()
		return Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &result}}
	}
	return Denied(err.Error())
}

type requestKey struct{}

// NewContextWithRequest returns a context from which RequestFromContext gets the request.
func NewContextWithRequest(ctx context.Context, req Request) context.Context {
	return context.WithValue(ctx, requestKey{}, req)
}

// RequestFromContext returns the request that a Defaulter or Validator is being called for, for what the object does
// not say: the user, the operation, whether it is a dry run.
func RequestFromContext(ctx context.Context) (Request, error) {
	if req, ok := ctx.Value(requestKey{}).(Request); ok {
		return req, nil
	}
	return Request{}, errors.New("the context has no admission request")
}
