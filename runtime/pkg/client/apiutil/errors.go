package apiutil

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrResourceDiscoveryFailed says that the API server could not tell what it serves in some group and version, with the
// reason for each. It stands in the place of a "no match", since the kind may well be there. The usual cause is an
// aggregated API whose own server is down.
type ErrResourceDiscoveryFailed map[schema.GroupVersion]error

// Error names every group and version that failed, in order.
func (e *ErrResourceDiscoveryFailed) Error() string {
	var reasons []string
	for gv, err := range *e {
		reasons = append(reasons, fmt.Sprintf("%s: %v", gv, err))
	}
	slices.Sort(reasons)
	return "the API server did not say what it serves in " + strings.Join(reasons, ", ")
}

// Unwrap returns the reasons.
func (e *ErrResourceDiscoveryFailed) Unwrap() []error {
	var reasons []error
	for _, err := range *e {
		reasons = append(reasons, err)
	}
	return reasons
}
