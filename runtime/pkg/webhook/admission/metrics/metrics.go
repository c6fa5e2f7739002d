// Package metrics counts admission requests that ended in a panic.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"kubewright.dev/runtime/pkg/metrics"
)

// WebhookPanics counts the panics of admission handlers. It has no labels.
var WebhookPanics = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "controller_runtime_webhook_panics_total",
	Help: "Total number of webhook panics",
}, nil)

func init() {
	metrics.Registry.MustRegister(WebhookPanics)
	WebhookPanics.WithLabelValues() // shown as 0 before the first one
}
