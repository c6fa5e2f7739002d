package webhook

import (
	"net/http"

	"kubewright.dev/runtime/pkg/webhook/internal/metrics"
)

// instrument counts and times the requests of a path.
func instrument(path string, hook http.Handler) http.Handler {
	return metrics.Instrument(path, hook)
}
