// Package metrics holds the registry that an operator's metrics are in.
//
// The metrics server serves [Registry]. The runtime puts its own metrics there;
// an operator registers its own beside them, usually in an init function:
//
//	metrics.Registry.MustRegister(paymentsFailed)
//
// The package also feeds the registry with what client-go measures: requests to
// the API server and leader election.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
)

// RegistererGatherer takes metrics in and gives them out.
type RegistererGatherer interface {
	prometheus.Registerer
	prometheus.Gatherer
}

// Registry is the process-wide registry that the metrics server serves.
var Registry RegistererGatherer = prometheus.NewRegistry()
