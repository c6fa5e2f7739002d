package admission_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gomodules.xyz/jsonpatch/v2"
	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"kubewright.dev/runtime/pkg/webhook/admission"
)

type setDeployment func(context.Context, *appsv1.Deployment) error

func (f setDeployment) Default(ctx context.Context, d *appsv1.Deployment) error { return f(ctx, d) }

func request(op admissionv1.Operation, object, old string) admission.Request {
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		UID: "one", Operation: op,
		Object: runtime.RawExtension{Raw: []byte(object)}, OldObject: runtime.RawExtension{Raw: []byte(old)},
	}}
}

func TestADefaultersPatchHasWhatItChangedAndNothingElse(t *testing.T) {
	const head = `"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"}`
	replicas := setDeployment(func(_ context.Context, d *appsv1.Deployment) error {
		two := int32(2)
		d.Spec.Replicas = &two
		return nil
	})
	policy := setDeployment(func(_ context.Context, d *appsv1.Deployment) error {
		containers := d.Spec.Template.Spec.Containers
		containers[0].ImagePullPolicy = corev1.PullIfNotPresent
		d.Spec.Template.Spec.Containers = append(containers, corev1.Container{Name: "side"})
		return nil
	})
	unpause := setDeployment(func(_ context.Context, d *appsv1.Deployment) error {
		d.Spec.Paused = false
		return nil
	})
	tests := map[string]struct {
		object    string
		defaulter setDeployment
		options   []admission.DefaulterOption
		want      []jsonpatch.JsonPatchOperation
	}{
		"unknown fields stay": {
			object: `{` + head + `,"spec":{"fromTheFuture":{"a":1}}}`, defaulter: replicas,
			want: []jsonpatch.JsonPatchOperation{{Operation: "add", Path: "/spec/replicas", Value: 2.0}},
		},
		"unknown fields of list elements stay": {
			object:    `{` + head + `,"spec":{"template":{"spec":{"containers":[{"name":"c","fromTheFuture":true}]}}}}`,
			defaulter: policy,
			want: []jsonpatch.JsonPatchOperation{
				{Operation: "add", Path: "/spec/template/spec/containers/1", Value: map[string]any{"name": "side", "resources": map[string]any{}}},
				{Operation: "add", Path: "/spec/template/spec/containers/0/imagePullPolicy", Value: "IfNotPresent"},
			},
		},
		"a field that the defaulter empties is removed": {
			object: `{` + head + `,"spec":{"paused":true,"minReadySeconds":0}}`, defaulter: unpause,
			want: []jsonpatch.JsonPatchOperation{{Operation: "remove", Path: "/spec/paused"}},
		},
		"nothing changed": {
			object: `{` + head + `,"spec":{"minReadySeconds":0}}`, defaulter: unpause,
		},
		"unknown fields go where asked": {
			object:    `{` + head + `,"spec":{"fromTheFuture":1,"selector":null,"strategy":{},"template":{"metadata":{},"spec":{"containers":null}}},"status":{}}`,
			defaulter: replicas,
			options:   []admission.DefaulterOption{admission.DefaulterRemoveUnknownOrOmitableFields},
			want: []jsonpatch.JsonPatchOperation{
				{Operation: "add", Path: "/spec/replicas", Value: 2.0}, {Operation: "remove", Path: "/spec/fromTheFuture"},
			},
		},
	}
	byPath := func(ops []jsonpatch.JsonPatchOperation) map[string]any {
		m := map[string]any{}
		for _, op := range ops {
			m[op.Operation+" "+op.Path] = op.Value
		}
		return m
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			hook := admission.WithDefaulter[*appsv1.Deployment](scheme.Scheme, test.defaulter, test.options...)
			resp := hook.Handle(t.Context(), request(admissionv1.Create, test.object, ""))
			if !resp.Allowed {
				t.Fatalf("refused: %v", resp.Result)
			}
			if diff := cmp.Diff(byPath(test.want), byPath(resp.Patches)); diff != "" {
				t.Errorf("patches (-want +got):\n%s", diff)
			}
		})
	}
}

type recorder struct {
	called string
	object *corev1.Pod
	err    error
}

func (r *recorder) ValidateCreate(_ context.Context, p *corev1.Pod) (admission.Warnings, error) {
	r.called, r.object = "create", p
	return admission.Warnings{"careful"}, r.err
}

func (r *recorder) ValidateUpdate(_ context.Context, _, p *corev1.Pod) (admission.Warnings, error) {
	r.called, r.object = "update", p
	return nil, r.err
}

func (r *recorder) ValidateDelete(ctx context.Context, p *corev1.Pod) (admission.Warnings, error) {
	r.called, r.object = "delete", p
	if _, err := admission.RequestFromContext(ctx); err != nil {
		return nil, err
	}
	return nil, r.err
}

const podA = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`

func TestAValidatorIsAskedAboutTheRightObject(t *testing.T) {
	for op, req := range map[string]admission.Request{
		"create": request(admissionv1.Create, podA, ""),
		"update": request(admissionv1.Update, podA, podA),
		"delete": request(admissionv1.Delete, "", podA),
	} {
		r := &recorder{}
		resp := admission.WithValidator[*corev1.Pod](scheme.Scheme, r).Handle(t.Context(), req)
		if !resp.Allowed || r.called != op || r.object.Name != "a" {
			t.Errorf("%s: allowed %v, called %q with %v", op, resp.Allowed, r.called, r.object)
		}
	}
}

func TestAValidatorsErrorKeepsItsStatusAndWarnings(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		code int32
	}{
		"plain":  {errors.New("no"), http.StatusForbidden},
		"status": {apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Pod").GroupKind(), "a", nil), http.StatusUnprocessableEntity},
	} {
		resp := admission.WithValidator[*corev1.Pod](scheme.Scheme, &recorder{err: test.err}).Handle(t.Context(), request(admissionv1.Create, podA, ""))
		if resp.Allowed || resp.Result.Code != test.code || len(resp.Warnings) != 1 {
			t.Errorf("%s: %+v", name, resp.AdmissionResponse)
		}
	}
}

func TestAPanicIsAnswered(t *testing.T) {
	hook := &admission.Webhook{Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { panic("ouch") })}
	resp := hook.Handle(t.Context(), request(admissionv1.Create, podA, ""))
	if resp.Allowed || resp.Result.Code != http.StatusInternalServerError || resp.UID != "one" {
		t.Errorf("got %+v", resp.AdmissionResponse)
	}
}

func TestHTTPAnswersInTheVersionOfTheReview(t *testing.T) {
	hook := &admission.Webhook{Handler: admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { return admission.Allowed("fine") })}
	for name, test := range map[string]struct {
		contentType, body, version string
		code                       int32
	}{
		"v1":          {"application/json", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"one"}}`, "admission.k8s.io/v1", 200},
		"v1beta1":     {"application/json; charset=utf-8", `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","request":{"uid":"one"}}`, "admission.k8s.io/v1beta1", 200},
		"no JSON":     {"application/json", `{`, "admission.k8s.io/v1", 400},
		"no body":     {"application/json", ``, "admission.k8s.io/v1", 400},
		"no request":  {"application/json", `{}`, "admission.k8s.io/v1", 400},
		"other media": {"text/plain", `{}`, "admission.k8s.io/v1", 400},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewBufferString(test.body))
		r.Header.Set("Content-Type", test.contentType)
		w := httptest.NewRecorder()
		hook.ServeHTTP(w, r)
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusOK || review.APIVersion != test.version || review.Response.Result.Code != test.code {
			t.Errorf("%s: HTTP %d, %s", name, w.Code, w.Body)
		}
	}
}

func TestHandlersAreJoinedUntilOneRefuses(t *testing.T) {
	answer := func(r admission.Response) admission.Handler {
		return admission.HandlerFunc(func(context.Context, admission.Request) admission.Response { return r })
	}
	op := jsonpatch.JsonPatchOperation{Operation: "remove", Path: "/a"}
	resp := admission.MultiMutatingHandler(answer(admission.Patched("", op)), answer(admission.Patched("", op).WithWarnings("w"))).
		Handle(t.Context(), admission.Request{})
	if !resp.Allowed || len(resp.Patches) != 2 || len(resp.Warnings) != 1 {
		t.Errorf("mutating: %+v", resp)
	}
	resp = admission.MultiValidatingHandler(answer(admission.Allowed("").WithWarnings("w")), answer(admission.Denied("no"))).
		Handle(t.Context(), admission.Request{})
	if resp.Allowed || resp.Result.Message != "no" || len(resp.Warnings) != 1 {
		t.Errorf("validating: %+v", resp)
	}
}
