package metrics

import (
	"context"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	clientmetrics "k8s.io/client-go/tools/metrics"
)

// RESTClientMetric is a measurement of client-go's REST client that is off
// until it is registered, because its series are many.
type RESTClientMetric int

// What can be registered beyond rest_client_requests_total, which always is.
const (
	// MetricRequestLatency is rest_client_request_duration_seconds, by verb and host.
	MetricRequestLatency = 1
	// MetricDNSResolutionLatency is rest_client_dns_resolution_duration_seconds, by host.
	MetricDNSResolutionLatency = 2
	// MetricRequestSize is rest_client_request_size_bytes, by verb and host.
	MetricRequestSize = 3
	// MetricResponseSize is rest_client_response_size_bytes, by verb and host.
	MetricResponseSize = 4
	// MetricRateLimiterLatency is rest_client_rate_limiter_duration_seconds, by verb and host.
	MetricRateLimiterLatency = 5
	// MetricRequestRetry is rest_client_request_retries_total, by code, verb and host.
	MetricRequestRetry = 6
)

// RESTClientMetricsOptions change how REST client metrics are kept.
type RESTClientMetricsOptions struct {
	// DurationBuckets are the upper bounds, in seconds, of the buckets of the
	// metrics that measure durations. Default: from 5 ms to 60 s. A metric that
	// is registered already keeps the buckets it has.
	DurationBuckets []float64
}

// RegisterRESTClientMetrics starts to measure the given metrics, with default
// buckets. Metrics that are measured already, and unknown ones, are passed over.
func RegisterRESTClientMetrics(metrics ...RESTClientMetric) {
	RegisterRESTClientMetricsWithOptions(RESTClientMetricsOptions{}, metrics...)
}

// RegisterRESTClientMetricsWithOptions is RegisterRESTClientMetrics with options.
func RegisterRESTClientMetricsWithOptions(opts RESTClientMetricsOptions, metrics ...RESTClientMetric) {
	seconds := opts.DurationBuckets
	if len(seconds) == 0 {
		seconds = []float64{.005, .025, .1, .25, .5, 1, 2, 4, 8, 15, 30, 60}
	}
	// Powers of four from 64 bytes to 16 MiB, with 512 bytes for the many small ones.
	bytes := []float64{64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}

	for _, metric := range metrics {
		switch metric {
		case MetricRequestLatency:
			turnOn(&restClient.requestSeconds, histogram("request_duration_seconds",
				"Seconds from sending a request to the API server to its answer.", seconds, "verb", "host"))
		case MetricDNSResolutionLatency:
			turnOn(&restClient.resolverSeconds, histogram("dns_resolution_duration_seconds",
				"Seconds that resolving the API server's host name took.", seconds, "host"))
		case MetricRequestSize:
			turnOn(&restClient.requestBytes, histogram("request_size_bytes",
				"Bytes of the bodies sent to the API server.", bytes, "verb", "host"))
		case MetricResponseSize:
			turnOn(&restClient.responseBytes, histogram("response_size_bytes",
				"Bytes of the bodies that the API server answered.", bytes, "verb", "host"))
		case MetricRateLimiterLatency:
			turnOn(&restClient.limiterSeconds, histogram("rate_limiter_duration_seconds",
				"Seconds that requests waited for the client's own rate limiter.", seconds, "verb", "host"))
		case MetricRequestRetry:
			turnOn(&restClient.retries, prometheus.NewCounterVec(prometheus.CounterOpts{
				Name: "rest_client_request_retries_total",
				Help: "Requests to the API server that were sent again.",
			}, []string{"code", "verb", "host"}))
		}
	}
}

// restClient is what client-go reports to. A pointer is nil while its metric
// is off.
var restClient struct {
	results         *prometheus.CounterVec
	requestSeconds  atomic.Pointer[prometheus.HistogramVec]
	resolverSeconds atomic.Pointer[prometheus.HistogramVec]
	requestBytes    atomic.Pointer[prometheus.HistogramVec]
	responseBytes   atomic.Pointer[prometheus.HistogramVec]
	limiterSeconds  atomic.Pointer[prometheus.HistogramVec]
	retries         atomic.Pointer[prometheus.CounterVec]
}

func init() {
	restClient.results = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "rest_client_requests_total",
		Help: "Requests to the API server, by the code of the answer, method and host.",
	}, []string{"code", "method", "host"})
	Registry.MustRegister(restClient.results)

	clientmetrics.Register(clientmetrics.RegisterOpts{
		RequestResult:      countResult(func(code, method, host string) { restClient.results.WithLabelValues(code, method, host).Inc() }),
		RequestLatency:     urlSeconds{&restClient.requestSeconds},
		ResolverLatency:    hostSeconds{&restClient.resolverSeconds},
		RequestSize:        hostBytes{&restClient.requestBytes},
		ResponseSize:       hostBytes{&restClient.responseBytes},
		RateLimiterLatency: urlSeconds{&restClient.limiterSeconds},
		RequestRetry: countResult(func(code, verb, host string) {
			if vec := restClient.retries.Load(); vec != nil {
				vec.WithLabelValues(code, verb, host).Inc()
			}
		}),
	})
}

// turnOn registers the metric and lets client-go's reports through to it,
// unless another one was there first.
func turnOn[Vec any, P interface {
	*Vec
	prometheus.Collector
}](slot *atomic.Pointer[Vec], metric P) {
	if slot.CompareAndSwap(nil, (*Vec)(metric)) {
		Registry.MustRegister(metric)
	}
}

// histogram makes a histogram that is also offered as a native one, with a
// resolution of ten per cent and at most a hundred buckets.
func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Subsystem:                       "rest_client",
		Name:                            name,
		Help:                            help,
		Buckets:                         buckets,
		NativeHistogramBucketFactor:     1.1,
		NativeHistogramMaxBucketNumber:  100,
		NativeHistogramMinResetDuration: time.Hour,
	}, labels)
}

// countResult counts by the three labels that client-go gives.
type countResult func(code, verb, host string)

func (count countResult) Increment(_ context.Context, code, method, host string) {
	count(code, method, host)
}

func (count countResult) IncrementRetry(_ context.Context, code, method, host string) {
	count(code, method, host)
}

type urlSeconds struct {
	vec *atomic.Pointer[prometheus.HistogramVec]
}

func (s urlSeconds) Observe(_ context.Context, verb string, u url.URL, took time.Duration) {
	if vec := s.vec.Load(); vec != nil {
		vec.WithLabelValues(verb, u.Host).Observe(took.Seconds())
	}
}

type hostSeconds struct {
	vec *atomic.Pointer[prometheus.HistogramVec]
}

func (s hostSeconds) Observe(_ context.Context, host string, took time.Duration) {
	if vec := s.vec.Load(); vec != nil {
		vec.WithLabelValues(host).Observe(took.Seconds())
	}
}

type hostBytes struct {
	vec *atomic.Pointer[prometheus.HistogramVec]
}

func (s hostBytes) Observe(_ context.Context, verb, host string, size float64) {
	if vec := s.vec.Load(); vec != nil {
		vec.WithLabelValues(verb, host).Observe(size)
	}
}
