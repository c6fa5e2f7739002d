package webhook

import (
	"gomodules.xyz/jsonpatch/v2"

	"kubewright.dev/runtime/pkg/webhook/admission"
)

type (
	// Admission serves an admission handler over HTTP.
	Admission = admission.Webhook
	// AdmissionHandler answers admission requests.
	AdmissionHandler = admission.Handler
	// AdmissionDecoder reads the objects of admission requests.
	AdmissionDecoder = admission.Decoder
	// AdmissionRequest is what the API server asks.
	AdmissionRequest = admission.Request
	// AdmissionResponse is the answer.
	AdmissionResponse = admission.Response
	// CustomDefaulter fills in what an object leaves open.
	CustomDefaulter = admission.CustomDefaulter
	// CustomValidator says whether an object is acceptable.
	CustomValidator = admission.CustomValidator
	// JSONPatchOp is one step of a JSON patch.
	JSONPatchOp = jsonpatch.Operation
)

var (
	// Allowed lets the operation go on.
	Allowed = admission.Allowed
	// Denied refuses the operation.
	Denied = admission.Denied
	// Patched lets the operation go on with the object changed.
	Patched = admission.Patched
	// Errored refuses the operation because the webhook failed.
	Errored = admission.Errored
)
