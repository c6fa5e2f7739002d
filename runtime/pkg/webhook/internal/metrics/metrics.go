// Package metrics counts and times the requests to webhooks.
package metrics

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kubewright.dev/runtime/pkg/metrics"
)

var (
	// RequestLatency is how long a webhook took to answer.
	RequestLatency = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "controller_runtime_webhook_latency_seconds",
		Help: "Histogram of the latency of processing admission requests",
		// A native histogram for servers that understand it, with the usual buckets for others.
		Buckets:                        prometheus.DefBuckets,
		NativeHistogramBucketFactor:    1.1,
		NativeHistogramMaxBucketNumber: 100,
	}, []string{"webhook"})

	// RequestTotal counts requests by the status of their answer.
	RequestTotal = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "controller_runtime_webhook_requests_total",
		Help: "Total number of admission requests by HTTP status code.",
	}, []string{"webhook", "code"})

	// RequestInFlight is how many requests are being answered.
	RequestInFlight = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "controller_runtime_webhook_requests_in_flight",
		Help: "Current number of admission requests being served.",
	}, []string{"webhook"})
)

func init() {
	metrics.Registry.MustRegister(RequestLatency, RequestTotal, RequestInFlight)
}

// Instrument returns the handler with all three kept under the path.
func Instrument(path string, next http.Handler) http.Handler {
	label := prometheus.Labels{"webhook": path}
	total := RequestTotal.MustCurryWith(label)
	for _, code := range []int{http.StatusOK, http.StatusInternalServerError} {
		total.WithLabelValues(strconv.Itoa(code)) // a series that is 0 can be told from one that is missing
	}
	next = promhttp.InstrumentHandlerDuration(RequestLatency.MustCurryWith(label), next)
	next = promhttp.InstrumentHandlerCounter(total, next)
	return promhttp.InstrumentHandlerInFlight(RequestInFlight.With(label), next)
}
