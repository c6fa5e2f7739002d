package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/klog/v2"

	"kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/webhook/admission/metrics"
	webhookmetrics "kubewright.dev/runtime/pkg/webhook/internal/metrics"
)

// maxBody bounds a request. An object may have three megabytes in etcd, and an update carries two.
const maxBody = 7 << 20

// Handler answers requests.
type Handler interface {
	// Handle answers the request.
	Handle(context.Context, Request) Response
}

// HandlerFunc is a Handler that is a function.
type HandlerFunc func(context.Context, Request) Response

// Handle calls the function.
func (f HandlerFunc) Handle(ctx context.Context, req Request) Response {
	return f(ctx, req)
}

// Webhook serves a Handler over HTTP: it reads AdmissionReviews of v1 and v1beta1 and answers in the same version.
type Webhook struct {
	// Handler answers the requests.
	Handler Handler
	// RecoverPanic makes a panic of the Handler an answer with status 500. True if nil.
	RecoverPanic *bool
	// WithContextFunc, if set, makes the context that the Handler gets, of the request's own and the HTTP request.
	WithContextFunc func(context.Context, *http.Request) context.Context
	// LogConstructor makes the logger that the Handler finds in its context. DefaultLogConstructor if nil. The
	// request is nil where none could be read.
	LogConstructor func(base logr.Logger, req *Request) logr.Logger

	base *logr.Logger // of a standalone webhook
}

var _ http.Handler = &Webhook{}

// WithRecoverPanic sets RecoverPanic and returns the same Webhook.
func (wh *Webhook) WithRecoverPanic(recoverPanic bool) *Webhook {
	wh.RecoverPanic = &recoverPanic
	return wh
}

// Handle lets the Handler answer and completes the answer.
func (wh *Webhook) Handle(ctx context.Context, req Request) (response Response) {
	logger := wh.logger(&req)
	if wh.RecoverPanic == nil || *wh.RecoverPanic {
		defer func() {
			if reason := recover(); reason != nil {
				metrics.WebhookPanics.WithLabelValues().Inc()
				logger.Info("An admission handler panicked", "panic", fmt.Sprint(reason), "stack", string(debug.Stack()))
				response = Errored(http.StatusInternalServerError, fmt.Errorf("panic: %v [recovered]", reason))
				response.UID = req.UID
			}
		}()
	}
	if wh.Handler == nil {
		response = Errored(http.StatusInternalServerError, errors.New("the webhook has no handler"))
	} else {
		response = wh.Handler.Handle(log.IntoContext(ctx, logger), req)
	}
	if err := response.Complete(req); err != nil {
		logger.Error(err, "Completing an admission response failed")
		response = Errored(http.StatusInternalServerError, err)
		response.UID = req.UID
	}
	return response
}

func (wh *Webhook) logger(req *Request) logr.Logger {
	base := log.Log.WithName("admission")
	if wh.base != nil {
		base = *wh.base
	}
	if wh.LogConstructor != nil {
		return wh.LogConstructor(base, req)
	}
	return DefaultLogConstructor(base, req)
}

// DefaultLogConstructor returns the logger with the object, resource, user and UID of the request as values.
func DefaultLogConstructor(base logr.Logger, req *Request) logr.Logger {
	if req == nil {
		return base
	}
	return base.WithValues(
		"object", klog.KRef(req.Namespace, req.Name),
		"namespace", req.Namespace, "name", req.Name,
		"resource", req.Resource, "user", req.UserInfo.Username,
		"requestID", req.UID,
	)
}

// ServeHTTP answers one AdmissionReview. What cannot be read as one is answered with an AdmissionReview as well, whose
// response says why: that is what an API server shows its client.
func (wh *Webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if wh.WithContextFunc != nil {
		ctx = wh.WithContextFunc(ctx, r)
	}
	review, err := readReview(w, r)
	var response Response
	if err != nil {
		wh.logger(nil).Error(err, "Reading an AdmissionReview failed")
		response = Errored(http.StatusBadRequest, err)
	} else {
		response = wh.Handle(ctx, Request{AdmissionRequest: *review.Request})
	}
	review.Request, review.Response = nil, &response.AdmissionResponse
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(review); err != nil {
		wh.logger(nil).Error(err, "Writing an AdmissionReview failed", "requestID", response.UID)
	}
}

// readReview reads the body. The review that it returns, even with an error, has the kind and version to answer in;
// v1beta1 has the same fields as v1.
func readReview(w http.ResponseWriter, r *http.Request) (*admissionv1.AdmissionReview, error) {
	answer := &admissionv1.AdmissionReview{}
	answer.SetGroupVersionKind(admissionv1.SchemeGroupVersion.WithKind("AdmissionReview"))
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return answer, fmt.Errorf("contentType=%s, expected application/json", r.Header.Get("Content-Type"))
	}
	if r.Body == nil || r.Body == http.NoBody {
		return answer, errors.New("request body is empty")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return answer, fmt.Errorf("read the request body: %w", err)
	}
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, review); err != nil {
		return answer, fmt.Errorf("the body is no AdmissionReview: %w", err)
	}
	if review.Kind != "" && review.Kind != "AdmissionReview" {
		return answer, fmt.Errorf("the body is a %s, not an AdmissionReview", review.Kind)
	}
	switch review.APIVersion {
	case "admission.k8s.io/v1", "admission.k8s.io/v1beta1":
		answer.APIVersion = review.APIVersion
	case "":
	default:
		return answer, fmt.Errorf("AdmissionReview of %s is unknown: it must be admission.k8s.io/v1 or v1beta1", review.APIVersion)
	}
	if review.Request == nil {
		return answer, errors.New("the AdmissionReview has no request")
	}
	answer.Request = review.Request
	return answer, nil
}

// StandaloneOptions are the settings of a webhook that is served without a Server.
type StandaloneOptions struct {
	// Logger is the base of the loggers that handlers get. The process's logger by default.
	Logger logr.Logger
	// MetricsPath is the path under which requests are counted. They are not if it is empty.
	MetricsPath string
}

// StandaloneWebhook returns the webhook as an HTTP handler for a server of the caller's own.
func StandaloneWebhook(hook *Webhook, opts StandaloneOptions) (http.Handler, error) {
	if hook == nil {
		return nil, errors.New("no webhook to serve")
	}
	if opts.Logger.GetSink() != nil {
		hook.base = &opts.Logger
	}
	if opts.MetricsPath == "" {
		return hook, nil
	}
	return webhookmetrics.Instrument(opts.MetricsPath, hook), nil
}
