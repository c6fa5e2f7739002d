package leaderelection_test

import (
	"context"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"kubewright.dev/runtime/pkg/leaderelection"
	"kubewright.dev/runtime/pkg/leaderelection/fake"
	"kubewright.dev/runtime/pkg/recorder"
)

// provider drops all events.
type provider struct{ recorder.Provider }

func (provider) GetEventRecorderFor(string) record.EventRecorder { return record.NewFakeRecorder(1) }

func TestALockIsMadeAsTheOptionsSay(t *testing.T) {
	config := &rest.Config{Host: "http://127.0.0.1:1", UserAgent: "operator"}
	complete := leaderelection.Options{LeaderElection: true, LeaderElectionID: "the-lease", LeaderElectionNamespace: "shop"}
	for _, tc := range []struct {
		name   string
		change func(*leaderelection.Options)
		want   string // of the lock, or of the error
	}{
		{"in a namespace", func(*leaderelection.Options) {}, "shop/the-lease"},
		{"without a name", func(o *leaderelection.Options) { o.LeaderElectionID = "" }, "LeaderElectionID"},
		{"outside a cluster without a namespace", func(o *leaderelection.Options) { o.LeaderElectionNamespace = "" }, "LeaderElectionNamespace"},
		{"of a kind that is gone", func(o *leaderelection.Options) { o.LeaderElectionResourceLock = "configmaps" }, "configmaps"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			options := complete
			tc.change(&options)
			lock, err := leaderelection.NewResourceLock(config, provider{}, options)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = lock.Describe()
			}
			if !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	if config.UserAgent != "operator" || config.Timeout != 0 {
		t.Errorf("the caller's configuration was changed: %+v", config)
	}

	lock, err := leaderelection.NewResourceLock(config, provider{}, leaderelection.Options{})
	if lock != nil || err != nil {
		t.Errorf("without election: %v, %v", lock, err)
	}
}

func TestTheFakeLockCanBeHeldUp(t *testing.T) {
	made, err := fake.NewResourceLock(nil, nil, leaderelection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lock, ctx := made.(fake.ControllableResourceLockInterface), context.Background()
	want := resourcelock.LeaderElectionRecord{HolderIdentity: lock.Identity()}
	if err := lock.Create(ctx, want); err != nil {
		t.Fatal(err)
	}
	if got, _, err := lock.Get(ctx); err != nil || got.HolderIdentity != want.HolderIdentity {
		t.Errorf("got %v, %v", got, err)
	}
	lock.BlockLeaderElection()
	if err := lock.Update(ctx, want); err == nil {
		t.Error("a blocked lock was renewed")
	}
	lock.UnblockLeaderElection()
	if err := lock.Update(ctx, want); err != nil {
		t.Error(err)
	}
}
