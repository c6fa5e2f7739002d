package metrics_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	clientmetrics "k8s.io/client-go/tools/metrics"

	"kubewright.dev/runtime/pkg/metrics"
)

// report does what client-go does for a request.
func report() {
	ctx, server := context.Background(), url.URL{Host: "api:6443"}
	clientmetrics.RequestResult.Increment(ctx, "200", "GET", server.Host)
	clientmetrics.RequestRetry.IncrementRetry(ctx, "429", "GET", server.Host)
	clientmetrics.RequestLatency.Observe(ctx, "GET", server, 20*time.Millisecond)
	clientmetrics.RateLimiterLatency.Observe(ctx, "GET", server, time.Millisecond)
	clientmetrics.ResolverLatency.Observe(ctx, server.Host, time.Millisecond)
	clientmetrics.RequestSize.Observe(ctx, "GET", server.Host, 100)
	clientmetrics.ResponseSize.Observe(ctx, "GET", server.Host, 1000)
}

func count(t *testing.T, name string) int {
	t.Helper()
	n, err := testutil.GatherAndCount(metrics.Registry, name)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOnlyResultsOfRequestsAreMeasuredUntilMoreIsRegistered(t *testing.T) {
	more := []string{
		"rest_client_request_duration_seconds", "rest_client_dns_resolution_duration_seconds",
		"rest_client_request_size_bytes", "rest_client_response_size_bytes",
		"rest_client_rate_limiter_duration_seconds", "rest_client_request_retries_total",
	}
	report()
	if err := testutil.GatherAndCompare(metrics.Registry, strings.NewReader(`
# HELP rest_client_requests_total Requests to the API server, by the code of the answer, method and host.
# TYPE rest_client_requests_total counter
rest_client_requests_total{code="200",host="api:6443",method="GET"} 1
`), "rest_client_requests_total"); err != nil {
		t.Error(err)
	}
	for _, name := range more {
		if count(t, name) != 0 {
			t.Errorf("%s is measured unasked", name)
		}
	}

	metrics.RegisterRESTClientMetricsWithOptions(metrics.RESTClientMetricsOptions{DurationBuckets: []float64{1}}, metrics.MetricRequestLatency)
	metrics.RegisterRESTClientMetrics(metrics.MetricRequestLatency, metrics.MetricDNSResolutionLatency, metrics.MetricRequestSize,
		metrics.MetricResponseSize, metrics.MetricRateLimiterLatency, metrics.MetricRequestRetry, metrics.RESTClientMetric(99))
	report()
	for _, name := range more {
		if count(t, name) != 1 {
			t.Errorf("%s is not measured", name)
		}
	}
}
