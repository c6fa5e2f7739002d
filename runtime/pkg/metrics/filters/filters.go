// Package filters decides who may read an operator's metrics.
//
// It asks the API server: a TokenReview tells who a bearer token belongs to, a
// SubjectAccessReview whether that user may do the request, as a verb on a
// non-resource URL:
//
//	rules:
//	- nonResourceURLs: ["/metrics"]
//	  verbs: ["get"]
//
// The operator's own service account needs to create both reviews, as the
// scaffolded role metrics-auth-role lets it.
package filters

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	authenticationv1client "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/metrics/server"
)

// WithAuthenticationAndAuthorization returns a filter that lets a request
// through if its bearer token is a user's that may do it. Without a valid token
// the answer is 401, without the right 403, and 500 when the API server could
// not be asked. The API server's answers are remembered for a short time.
func WithAuthenticationAndAuthorization(config *rest.Config, httpClient *http.Client) (server.Filter, error) {
	authentication, err := authenticationv1client.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("client for token reviews: %w", err)
	}
	authorization, err := authorizationv1client.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("client for access reviews: %w", err)
	}
	// All paths of a server share what is known about tokens and users.
	guard := &guard{
		who: newUserReviews(authentication.TokenReviews()),
		may: newAccessReviews(authorization.SubjectAccessReviews()),
	}
	return func(log logr.Logger, handler http.Handler) (http.Handler, error) {
		return guard.protect(log, handler), nil
	}, nil
}

// guard stands before handlers.
type guard struct {
	who *userReviews
	may *accessReviews
}

func (g *guard) protect(log logr.Logger, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(resp http.ResponseWriter, req *http.Request) {
		token, ok := bearerToken(req)
		if !ok {
			http.Error(resp, "Unauthorized", http.StatusUnauthorized)
			return
		}
		user, err := g.who.user(req.Context(), token)
		if err != nil {
			log.Error(err, "could not ask the API server whose token this is")
			http.Error(resp, "Authentication failed", http.StatusInternalServerError)
			return
		}
		if user == nil {
			http.Error(resp, "Unauthorized", http.StatusUnauthorized)
			return
		}

		wish := request{verb: strings.ToLower(req.Method), path: req.URL.Path}
		verdict, err := g.may.verdict(req.Context(), user, wish)
		if err != nil {
			log.Error(err, "could not ask the API server for the user's rights", "user", user.Username)
			http.Error(resp, fmt.Sprintf("Authorization for user %s failed", user.Username), http.StatusInternalServerError)
			return
		}
		if !verdict.Allowed || verdict.Denied {
			log.V(4).Info("refused", "user", user.Username, "verb", wish.verb, "reason", verdict.Reason)
			http.Error(resp, fmt.Sprintf("Authorization denied for user %s", user.Username), http.StatusForbidden)
			return
		}
		handler.ServeHTTP(resp, req)
	})
}

// bearerToken reads the token of the Authorization header.
func bearerToken(req *http.Request) (string, bool) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(req.Header.Get("Authorization")), " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// digest stands for a secret in memory that is kept.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return string(sum[:])
}
