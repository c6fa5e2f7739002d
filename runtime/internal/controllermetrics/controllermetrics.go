// Package controllermetrics measures what controllers do, under the names that
// dashboards for Kubernetes controllers use.
package controllermetrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"kubewright.dev/runtime/pkg/metrics"
)

// The values of the label result of controller_runtime_reconcile_total.
const (
	ResultSuccess      = "success"
	ResultError        = "error"
	ResultRequeue      = "requeue"
	ResultRequeueAfter = "requeue_after"
)

var (
	reconciles = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "controller_runtime_reconcile_total",
		Help: "Reconciles, by how they ended",
	}, []string{"controller", "result"})
	failures = counter("controller_runtime_reconcile_errors_total", "Reconciles that ended with an error")
	terminal = counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that ended with an error that is not tried again")
	panics   = counter("controller_runtime_reconcile_panics_total", "Reconciles that panicked")
	timeouts = counter("controller_runtime_reconcile_timeouts_total", "Reconciles that ran into the time-out")
	seconds  = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "controller_runtime_reconcile_time_seconds",
		Help: "Seconds that a reconcile took",
		Buckets: []float64{
			0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0,
			1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
		},
		NativeHistogramBucketFactor:     1.1,
		NativeHistogramMaxBucketNumber:  100,
		NativeHistogramMinResetDuration: time.Hour,
	}, []string{"controller"})
	maxWorkers    = gauge("controller_runtime_max_concurrent_reconciles", "Workers that a controller has")
	activeWorkers = gauge("controller_runtime_active_workers", "Workers that are in a reconcile")
)

func counter(name, help string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"controller"})
}

func gauge(name, help string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"controller"})
}

func init() {
	metrics.Registry.MustRegister(
		reconciles, failures, terminal, panics, timeouts, seconds, maxWorkers, activeWorkers,
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector(),
	)
}

// Controller are the metrics of one controller. Two controllers of the same name
// share them.
type Controller struct {
	name string
	// Errors counts reconciles that failed.
	Errors prometheus.Counter
	// TerminalErrors counts those of them that are not tried again.
	TerminalErrors prometheus.Counter
	// Panics counts reconciles that panicked.
	Panics prometheus.Counter
	// Timeouts counts reconciles that ran into the time-out.
	Timeouts prometheus.Counter
	// Seconds is how long reconciles take.
	Seconds prometheus.Observer
	// Workers is the number of workers.
	Workers prometheus.Gauge
	// Active is the number of workers in a reconcile.
	Active prometheus.Gauge
}

// For returns the metrics of a controller. All of them exist from then on, with
// the value 0, so that rates over them see the first event too.
func For(name string) *Controller {
	for _, result := range []string{ResultSuccess, ResultError, ResultRequeue, ResultRequeueAfter} {
		reconciles.WithLabelValues(name, result)
	}
	return &Controller{
		name:           name,
		Errors:         failures.WithLabelValues(name),
		TerminalErrors: terminal.WithLabelValues(name),
		Panics:         panics.WithLabelValues(name),
		Timeouts:       timeouts.WithLabelValues(name),
		Seconds:        seconds.WithLabelValues(name),
		Workers:        maxWorkers.WithLabelValues(name),
		Active:         activeWorkers.WithLabelValues(name),
	}
}

// Ended counts a reconcile by how it ended.
func (c *Controller) Ended(result string) { reconciles.WithLabelValues(c.name, result).Inc() }
