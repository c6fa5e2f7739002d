// Package conversion answers the requests by which an API server has objects of a CRD converted between versions.
//
// [NewWebhookHandler] is the HTTP handler, by convention at the path /convert. Each object is converted by the
// [Converter] that the [Registry] has for its kind, else by the methods of its Go types (package conversion of the
// runtime: one hub, the other versions spokes). A conversion that fails or panics is an answer as well: the request as
// a whole fails, as the API demands, and the API server tells its client why.
package conversion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/webhook/conversion/metrics"
)

// NewWebhookHandler returns a handler of ConversionReviews for the kinds of the scheme. The registry may be nil.
func NewWebhookHandler(scheme *runtime.Scheme, registry Registry) http.Handler {
	if registry == nil {
		registry = NewRegistry()
	}
	return &webhook{scheme: scheme, registry: registry, decoder: NewDecoder(scheme)}
}

type webhook struct {
	scheme   *runtime.Scheme
	registry Registry
	decoder  *Decoder
}

func (wh *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	logger := log.FromContext(r.Context()).WithName("conversion-webhook")
	review := &apiextensionsv1.ConversionReview{}
	if err := json.NewDecoder(r.Body).Decode(review); err != nil {
		logger.Error(err, "Reading a ConversionReview failed")
		http.Error(w, "the body is no ConversionReview: "+err.Error(), http.StatusBadRequest)
		return
	}
	if review.Request == nil {
		http.Error(w, "the ConversionReview has no request", http.StatusBadRequest)
		return
	}
	response, err := wh.convertAll(r.Context(), review.Request)
	if err != nil {
		logger.Error(err, "Conversion failed", "request", review.Request.UID, "desiredAPIVersion", review.Request.DesiredAPIVersion)
		response = &apiextensionsv1.ConversionResponse{Result: metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}}
	}
	response.UID = review.Request.UID
	review.Request, review.Response = nil, response

	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(review); err != nil {
		logger.Error(err, "Writing a ConversionReview failed", "request", response.UID)
	}
}

// convertAll converts all objects of the request, or none. A panic of a converter is an error.
func (wh *webhook) convertAll(ctx context.Context, req *apiextensionsv1.ConversionRequest) (_ *apiextensionsv1.ConversionResponse, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			metrics.WebhookPanics.WithLabelValues().Inc()
			log.FromContext(ctx).WithName("conversion-webhook").Info("A converter panicked", "panic", fmt.Sprint(reason), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v [recovered]", reason)
		}
	}()
	desired, err := schema.ParseGroupVersion(req.DesiredAPIVersion)
	if err != nil {
		return nil, fmt.Errorf("desiredAPIVersion %q: %w", req.DesiredAPIVersion, err)
	}
	converted := make([]runtime.RawExtension, 0, len(req.Objects))
	for i, raw := range req.Objects {
		dst, err := wh.convert(ctx, raw.Raw, desired)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		converted = append(converted, runtime.RawExtension{Object: dst})
	}
	return &apiextensionsv1.ConversionResponse{
		ConvertedObjects: converted,
		Result:           metav1.Status{Status: metav1.StatusSuccess},
	}, nil
}

func (wh *webhook) convert(ctx context.Context, raw []byte, desired schema.GroupVersion) (runtime.Object, error) {
	src, gvk, err := wh.decoder.Decode(raw)
	if err != nil {
		return nil, err
	}
	want := desired.WithKind(gvk.Kind)
	if want.Group != gvk.Group {
		return nil, fmt.Errorf("%s cannot become %s: another group", gvk, want)
	}
	if want == *gvk {
		return nil, errors.New("the object has the desired version " + want.GroupVersion().String() + " already")
	}
	dst, err := wh.scheme.New(want)
	if err != nil {
		return nil, err
	}
	converter, registered := wh.registry.GetConverter(gvk.GroupKind())
	if !registered {
		converter = byMethods{scheme: wh.scheme}
	}
	if err := converter.ConvertObject(ctx, src, dst); err != nil {
		return nil, fmt.Errorf("convert %s to %s: %w", gvk, want.Version, err)
	}
	// Conversions copy what a type declares, which its kind and version seldom are part of.
	dst.GetObjectKind().SetGroupVersionKind(want)
	return dst, nil
}
