package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/leaderelection"
)

// leaderMetrics hands what client-go measures about leader election to the
// registry.
type leaderMetrics struct {
	master   *prometheus.GaugeVec
	slowpath *prometheus.CounterVec
}

func init() {
	m := leaderMetrics{
		master: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "leader_election_master_status",
			Help: "Whether this process holds the lease of the name: 1 if it leads, 0 if it stands by.",
		}, []string{"name"}),
		slowpath: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "leader_election_slowpath_total",
			Help: "How often a leader had to read its lease again before it could renew it.",
		}, []string{"name"}),
	}
	Registry.MustRegister(m.master, m.slowpath)
	leaderelection.SetProvider(m)
}

// NewLeaderMetric returns what an elector reports to.
func (m leaderMetrics) NewLeaderMetric() leaderelection.LeaderMetric { return m }

// On is called when the process takes the lease.
func (m leaderMetrics) On(name string) { m.master.WithLabelValues(name).Set(1) }

// Off is called when the process starts to stand by, or loses the lease.
func (m leaderMetrics) Off(name string) { m.master.WithLabelValues(name).Set(0) }

// SlowpathExercised is called when a renewal took the slow way.
func (m leaderMetrics) SlowpathExercised(name string) { m.slowpath.WithLabelValues(name).Inc() }
