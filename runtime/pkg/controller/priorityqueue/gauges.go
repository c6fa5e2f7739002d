package priorityqueue

import (
	"time"

	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/internal/queuemetrics"
)

// workCheck is how often the gauges of work in progress are set.
const workCheck = 500 * time.Millisecond

// gauges are the metrics of one queue.
type gauges[T comparable] struct {
	depth               workqueue.GaugeMetric
	depthByPriority     queuemetrics.DepthByPriority
	adds, retries       workqueue.CounterMetric
	latency, duration   workqueue.HistogramMetric
	unfinished, longest workqueue.SettableGaugeMetric
	watching            bool
}

func newGauges[T comparable](name string, provider workqueue.MetricsProvider) *gauges[T] {
	g := &gauges[T]{
		adds:       provider.NewAddsMetric(name),
		retries:    provider.NewRetriesMetric(name),
		latency:    provider.NewLatencyMetric(name),
		duration:   provider.NewWorkDurationMetric(name),
		unfinished: provider.NewUnfinishedWorkSecondsMetric(name),
		longest:    provider.NewLongestRunningProcessorSecondsMetric(name),
	}
	if by, ok := provider.(queuemetrics.ByPriority); ok {
		g.depthByPriority = by.NewDepthByPriority(name)
	} else {
		g.depth = provider.NewDepthMetric(name)
	}
	return g
}

// entered counts an entry that is ready now; left counts it when it is not any
// more, with the priority that it entered with. So the depth is never negative.
func (g *gauges[T]) entered(e *entry[T]) {
	if g.depthByPriority != nil {
		g.depthByPriority.Inc(e.priority)
		return
	}
	g.depth.Inc()
}

func (g *gauges[T]) left(e *entry[T]) {
	if g.depthByPriority != nil {
		g.depthByPriority.Dec(e.priority)
		return
	}
	g.depth.Dec()
}

func (g *gauges[T]) waited(d time.Duration) { g.latency.Observe(d.Seconds()) }

func (g *gauges[T]) worked(d time.Duration) { g.duration.Observe(d.Seconds()) }

// watchWork keeps the gauges of work in progress current for as long as there is
// any. The queue is locked.
func (q *queue[T]) watchWork() {
	if q.gauges.watching {
		return
	}
	q.gauges.watching = true
	q.after(workCheck, q.checkWork)
}

func (q *queue[T]) checkWork() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock.Now()
	var sum, longest float64
	for _, started := range q.working {
		took := now.Sub(started).Seconds()
		sum += took
		longest = max(longest, took)
	}
	q.gauges.unfinished.Set(sum)
	q.gauges.longest.Set(longest)
	q.gauges.watching = false
	if len(q.working) > 0 && !q.closed {
		q.watchWork()
	}
}
