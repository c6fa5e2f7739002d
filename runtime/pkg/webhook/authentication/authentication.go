// Package authentication answers the requests by which an API server asks who the bearer of a token is.
//
// A [Handler] turns a [Request], a TokenReview with a token, into a [Response], the same with a status. A [Webhook]
// serves it over HTTP, for the API server's flag --authentication-token-webhook-config-file.
package authentication

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"

	"kubewright.dev/runtime/pkg/log"
)

// maxBody bounds a request: tokens are short.
const maxBody = 1 << 20

// Request asks about the token in its spec.
type Request struct {
	authenticationv1.TokenReview
}

// Response has the answer in its status.
type Response struct {
	authenticationv1.TokenReview
}

// Complete fills in what each answer has: the request's UID.
func (r *Response) Complete(req Request) error {
	r.UID = req.UID
	return nil
}

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

// Authenticated answers that the token is this user's.
func Authenticated(reason string, user authenticationv1.UserInfo) Response {
	return ReviewResponse(true, user, reason)
}

// Unauthenticated answers that the token is nobody's.
func Unauthenticated(reason string, user authenticationv1.UserInfo) Response {
	return ReviewResponse(false, user, reason)
}

// Errored answers that the token could not be looked at.
func Errored(err error) Response {
	return ReviewResponse(false, authenticationv1.UserInfo{}, fmt.Sprint(err))
}

// ReviewResponse answers whether the token is this user's, why not, and for which audiences of those asked about.
func ReviewResponse(authenticated bool, user authenticationv1.UserInfo, err string, audiences ...string) Response {
	return Response{TokenReview: authenticationv1.TokenReview{Status: authenticationv1.TokenReviewStatus{
		Authenticated: authenticated, User: user, Audiences: audiences, Error: err,
	}}}
}

// Webhook serves a Handler over HTTP: it reads TokenReviews of v1 and v1beta1 and answers in the same version.
type Webhook struct {
	// Handler answers the requests.
	Handler Handler
	// WithContextFunc, if set, makes the context that the Handler gets, of the request's own and the HTTP request.
	WithContextFunc func(context.Context, *http.Request) context.Context
}

var _ http.Handler = &Webhook{}

// Handle lets the Handler answer and completes the answer.
func (wh *Webhook) Handle(ctx context.Context, req Request) Response {
	if wh.Handler == nil {
		return Errored(errors.New("the webhook has no handler"))
	}
	resp := wh.Handler.Handle(ctx, req)
	if err := resp.Complete(req); err != nil {
		log.FromContext(ctx).WithName("authentication").Error(err, "Completing a token review failed")
		return Errored(err)
	}
	return resp
}

// ServeHTTP answers one TokenReview.
func (wh *Webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if wh.WithContextFunc != nil {
		ctx = wh.WithContextFunc(ctx, r)
	}
	logger := log.FromContext(ctx).WithName("authentication")
	req := Request{}
	var resp Response
	if err := readReview(w, r, &req.TokenReview); err != nil {
		logger.Error(err, "Reading a TokenReview failed")
		resp = Errored(err)
		// What was read says nothing that could be trusted.
		req = Request{}
	} else {
		resp = wh.Handle(ctx, req)
	}
	resp.SetGroupVersionKind(authenticationv1.SchemeGroupVersion.WithKind("TokenReview"))
	if req.APIVersion != "" {
		resp.APIVersion = req.APIVersion
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(&resp.TokenReview); err != nil {
		logger.Error(err, "Writing a TokenReview failed", "requestID", resp.UID)
	}
}

// readReview reads the body; v1beta1 has the same fields as v1.
func readReview(w http.ResponseWriter, r *http.Request, into *authenticationv1.TokenReview) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return fmt.Errorf("contentType=%s, expected application/json", r.Header.Get("Content-Type"))
	}
	if r.Body == nil || r.Body == http.NoBody {
		return errors.New("request body is empty")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return fmt.Errorf("read the request body: %w", err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("the body is no TokenReview: %w", err)
	}
	switch {
	case into.Kind != "" && into.Kind != "TokenReview":
		return fmt.Errorf("the body is a %s, not a TokenReview", into.Kind)
	case into.APIVersion != "" && into.APIVersion != "authentication.k8s.io/v1" && into.APIVersion != "authentication.k8s.io/v1beta1":
		return fmt.Errorf("TokenReview of %s is unknown: it must be authentication.k8s.io/v1 or v1beta1", into.APIVersion)
	case into.Spec.Token == "":
		return errors.New("token is empty")
	}
	return nil
}
