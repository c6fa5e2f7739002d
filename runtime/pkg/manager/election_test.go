package manager_test

import (
	"strings"
	"testing"

	"kubewright.dev/runtime/pkg/leaderelection"
	"kubewright.dev/runtime/pkg/leaderelection/fake"
	"kubewright.dev/runtime/pkg/metrics"
)

func TestALockOfTheUsersOwnDecidesWhoLeads(t *testing.T) {
	made, err := fake.NewResourceLock(nil, nil, leaderelection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lock := made.(fake.ControllableResourceLockInterface)
	lock.BlockLeaderElection()
	options := electing("")
	options.LeaderElectionID = "own-lock"
	options.LeaderElectionResourceLockInterface = lock
	mgr := newManager(t, options)
	var j journal
	leader, always := j.part("leader", false), j.part("always", true)
	add(t, mgr, leader, always)

	r := start(t, mgr)
	within(t, "start of what needs no lease", always.began)
	select {
	case <-mgr.Elected():
		t.Fatal("elected without the lock")
	default:
	}
	lock.UnblockLeaderElection()
	within(t, "election", mgr.Elected())
	within(t, "start of the leader's", leader.began)
	if got := leads(t, "own-lock"); got != 1 {
		t.Errorf("leader_election_master_status is %v", got)
	}

	lock.BlockLeaderElection()
	if err := r.ended(t); err == nil || !strings.Contains(err.Error(), "leader election lost") {
		t.Errorf("got %v", err)
	}
}

// leads reads the metric of who leads.
func leads(t *testing.T, name string) float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "leader_election_master_status" {
			continue
		}
		for _, metric := range family.GetMetric() {
			if metric.GetLabel()[0].GetValue() == name {
				return metric.GetGauge().GetValue()
			}
		}
	}
	t.Fatalf("no leader_election_master_status of %s", name)
	return 0
}
