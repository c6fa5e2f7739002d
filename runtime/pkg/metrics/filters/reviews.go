package filters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	lru "k8s.io/apimachinery/pkg/util/cache"
	authenticationv1client "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"golang.org/x/sync/singleflight"
)

const (
	// remembered bounds how many answers are kept: an attacker may send any
	// number of tokens.
	remembered = 1024
	// identityTTL is how long it is believed whose token one is, or that it is
	// nobody's.
	identityTTL = time.Minute
	// allowedTTL is how long a right is believed in that may be withdrawn.
	allowedTTL = 5 * time.Minute
	// deniedTTL is how long a user to whom a right is given may wait for it.
	deniedTTL = 30 * time.Second
	// reviewTimeout is how long the API server may take to answer.
	reviewTimeout = 10 * time.Second
)

// answers keeps what the API server said, and asks it once for what several
// requests want to know at the same time.
type answers[T any] struct {
	kept   *lru.LRUExpireCache
	asking singleflight.Group
}

func newAnswers[T any]() answers[T] {
	return answers[T]{kept: lru.NewLRUExpireCache(remembered)}
}

// get returns the kept answer, or asks. ask says how long its answer may be
// kept. Whoever asked for several outlives its own request.
func (a *answers[T]) get(ctx context.Context, key string, ask func(context.Context) (T, time.Duration, error)) (T, error) {
	if kept, ok := a.kept.Get(key); ok {
		return kept.(T), nil
	}
	got, err, _ := a.asking.Do(key, func() (any, error) {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), reviewTimeout)
		defer cancel()
		answer, ttl, err := ask(asking)
		if err != nil {
			return nil, err
		}
		a.kept.Add(key, answer, ttl)
		return answer, nil
	})
	if err != nil {
		var none T
		return none, err
	}
	return got.(T), nil
}

// userReviews knows whose tokens are.
type userReviews struct {
	answers[*authenticationv1.UserInfo]
	client authenticationv1client.TokenReviewInterface
}

func newUserReviews(client authenticationv1client.TokenReviewInterface) *userReviews {
	return &userReviews{answers: newAnswers[*authenticationv1.UserInfo](), client: client}
}

// user returns whose token it is, or nil if it is not valid.
func (r *userReviews) user(ctx context.Context, token string) (*authenticationv1.UserInfo, error) {
	return r.get(ctx, digest(token), func(ctx context.Context) (*authenticationv1.UserInfo, time.Duration, error) {
		review, err := r.client.Create(ctx, &authenticationv1.TokenReview{
			Spec: authenticationv1.TokenReviewSpec{Token: token},
		}, metav1.CreateOptions{})
		switch {
		case err != nil:
			return nil, 0, fmt.Errorf("token review: %w", err)
		case review.Status.Authenticated:
			return &review.Status.User, identityTTL, nil
		default:
			// Status.Error tells why, and is set for tokens that are only
			// wrong, too: it is no failure of the review.
			return nil, identityTTL, nil
		}
	})
}

// request is what a user wants to do.
type request struct {
	verb, path string
}

// accessReviews knows what users may do.
type accessReviews struct {
	answers[authorizationv1.SubjectAccessReviewStatus]
	client authorizationv1client.SubjectAccessReviewInterface
}

func newAccessReviews(client authorizationv1client.SubjectAccessReviewInterface) *accessReviews {
	return &accessReviews{answers: newAnswers[authorizationv1.SubjectAccessReviewStatus](), client: client}
}

// verdict returns whether the user may do the request.
func (r *accessReviews) verdict(ctx context.Context, user *authenticationv1.UserInfo, wish request) (authorizationv1.SubjectAccessReviewStatus, error) {
	spec := authorizationv1.SubjectAccessReviewSpec{
		User:   user.Username,
		UID:    user.UID,
		Groups: user.Groups,
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{
			Verb: wish.verb,
			Path: wish.path,
		},
	}
	for key, values := range user.Extra {
		if spec.Extra == nil {
			spec.Extra = map[string]authorizationv1.ExtraValue{}
		}
		spec.Extra[key] = authorizationv1.ExtraValue(values)
	}
	key, err := json.Marshal(spec)
	if err != nil {
		return authorizationv1.SubjectAccessReviewStatus{}, err
	}
	return r.get(ctx, string(key), func(ctx context.Context) (authorizationv1.SubjectAccessReviewStatus, time.Duration, error) {
		review, err := r.client.Create(ctx, &authorizationv1.SubjectAccessReview{Spec: spec}, metav1.CreateOptions{})
		if err != nil {
			return authorizationv1.SubjectAccessReviewStatus{}, 0, fmt.Errorf("access review: %w", err)
		}
		status := review.Status
		switch {
		case status.Allowed && !status.Denied:
			return status, allowedTTL, nil
		case status.EvaluationError != "" && !status.Denied:
			return status, 0, errors.New("access review: " + status.EvaluationError)
		default:
			return status, deniedTTL, nil
		}
	})
}
