// Package queuemetrics measures work queues under the names that dashboards for
// Kubernetes controllers use.
package queuemetrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/pkg/metrics"
)

// DepthByPriority is the depth of a queue whose items have priorities.
type DepthByPriority interface {
	Inc(priority int)
	Dec(priority int)
}

// ByPriority is a metrics provider that can tell depths by priority.
type ByPriority interface {
	NewDepthByPriority(name string) DepthByPriority
}

// Provider makes metrics in the process-wide registry. All queues, client-go's
// included, use it unless they are told otherwise.
var Provider = newProvider(metrics.Registry)

func init() {
	workqueue.SetProvider(Provider)
}

type provider struct {
	depth, unfinished, longest *prometheus.GaugeVec
	adds, retries              *prometheus.CounterVec
	latency, duration          *prometheus.HistogramVec
}

func newProvider(registry prometheus.Registerer) *provider {
	labels := []string{"name", "controller"}
	gauge := func(key, help string, more ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: metrics.WorkQueueSubsystem, Name: key, Help: help,
		}, append(more, labels...))
	}
	counter := func(key, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{
			Subsystem: metrics.WorkQueueSubsystem, Name: key, Help: help,
		}, labels)
	}
	seconds := func(key, help string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Subsystem: metrics.WorkQueueSubsystem, Name: key, Help: help,
			Buckets: prometheus.ExponentialBuckets(1e-8, 10, 12),
		}, labels)
	}
	p := &provider{
		depth:      gauge(metrics.DepthKey, "Items that are ready and wait for a worker", "priority"),
		unfinished: gauge(metrics.UnfinishedWorkKey, "Seconds of work in progress, summed over the workers"),
		longest:    gauge(metrics.LongestRunningProcessorKey, "Seconds that the oldest work in progress has taken"),
		adds:       counter(metrics.AddsKey, "Items put into the queue"),
		retries:    counter(metrics.RetriesKey, "Items put back after a failure"),
		latency:    seconds(metrics.QueueLatencyKey, "Seconds that an item waited, once it was ready"),
		duration:   seconds(metrics.WorkDurationKey, "Seconds that a worker had an item"),
	}
	registry.MustRegister(p.depth, p.unfinished, p.longest, p.adds, p.retries, p.latency, p.duration)
	return p
}

// NewDepthMetric implements workqueue.MetricsProvider.
func (p *provider) NewDepthMetric(name string) workqueue.GaugeMetric {
	return p.depth.WithLabelValues("", name, name)
}

// NewAddsMetric implements workqueue.MetricsProvider.
func (p *provider) NewAddsMetric(name string) workqueue.CounterMetric {
	return p.adds.WithLabelValues(name, name)
}

// NewLatencyMetric implements workqueue.MetricsProvider.
func (p *provider) NewLatencyMetric(name string) workqueue.HistogramMetric {
	return p.latency.WithLabelValues(name, name)
}

// NewWorkDurationMetric implements workqueue.MetricsProvider.
func (p *provider) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	return p.duration.WithLabelValues(name, name)
}

// NewUnfinishedWorkSecondsMetric implements workqueue.MetricsProvider.
func (p *provider) NewUnfinishedWorkSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return p.unfinished.WithLabelValues(name, name)
}

// NewLongestRunningProcessorSecondsMetric implements workqueue.MetricsProvider.
func (p *provider) NewLongestRunningProcessorSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return p.longest.WithLabelValues(name, name)
}

// NewRetriesMetric implements workqueue.MetricsProvider.
func (p *provider) NewRetriesMetric(name string) workqueue.CounterMetric {
	return p.retries.WithLabelValues(name, name)
}

// NewDepthByPriority implements ByPriority.
func (p *provider) NewDepthByPriority(name string) DepthByPriority {
	return depth{vec: p.depth, name: name}
}

type depth struct {
	vec  *prometheus.GaugeVec
	name string
}

func (d depth) gauge(priority int) prometheus.Gauge {
	return d.vec.WithLabelValues(strconv.Itoa(priority), d.name, d.name)
}

func (d depth) Inc(priority int) { d.gauge(priority).Inc() }
func (d depth) Dec(priority int) { d.gauge(priority).Dec() }
