package admission

import (
	"context"
	"fmt"
	"net/http"

	"gomodules.xyz/jsonpatch/v2"
	admissionv1 "k8s.io/api/admission/v1"
)

// MultiMutatingHandler returns a Handler that asks all the handlers about the same request, in order, and answers with
// all their patches. The first one that refuses ends it. They must patch by Patches, not by an encoded Patch.
func MultiMutatingHandler(handlers ...Handler) Handler {
	return HandlerFunc(func(ctx context.Context, req Request) Response {
		var patches []jsonpatch.JsonPatchOperation
		var warnings []string
		for _, handler := range handlers {
			resp := handler.Handle(ctx, req)
			warnings = append(warnings, resp.Warnings...)
			if !resp.Allowed {
				resp.Warnings = warnings
				return resp
			}
			if resp.PatchType != nil && *resp.PatchType != admissionv1.PatchTypeJSONPatch {
				return Errored(http.StatusInternalServerError, fmt.Errorf(
					"a handler answered with a patch of type %s: only %s can be joined", *resp.PatchType, admissionv1.PatchTypeJSONPatch))
			}
			patches = append(patches, resp.Patches...)
		}
		return Patched("", patches...).WithWarnings(warnings...)
	})
}

// MultiValidatingHandler returns a Handler that allows what all the handlers allow. The first one that refuses, in
// their order, ends it. All warnings until then are kept.
func MultiValidatingHandler(handlers ...Handler) Handler {
	return HandlerFunc(func(ctx context.Context, req Request) Response {
		var warnings []string
		for _, handler := range handlers {
			resp := handler.Handle(ctx, req)
			warnings = append(warnings, resp.Warnings...)
			if !resp.Allowed {
				resp.Warnings = warnings
				return resp
			}
		}
		return Allowed("").WithWarnings(warnings...)
	})
}
