package manager

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// errLeaseLost ends the run of a leader that could not renew its lease.
var errLeaseLost = errors.New("leader election lost")

// election competes for the lease, and holds it until its end.
type election struct {
	lock          *heldLock
	name          string
	leaseDuration time.Duration
	renewDeadline time.Duration
	retryPeriod   time.Duration
	release       bool
	base          BaseContextFunc
	// closeRecorder ends the sending of the election's own events.
	closeRecorder func()

	mu     sync.Mutex
	cancel context.CancelFunc
	done   chan struct{}
}

// heldLock is a lock that can be kept from being given back.
type heldLock struct {
	resourcelock.Interface
	keep atomic.Bool
}

// Update changes the lock's record, unless that gives back a lock to be kept.
func (l *heldLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if record.HolderIdentity == "" && l.keep.Load() {
		return errors.New("runnables of the leader are still running: the lease is left to run out")
	}
	return l.Interface.Update(ctx, record)
}

// start competes in the background. When this replica wins it calls lead, and
// when it loses the lease afterwards, or lead fails, it calls fail.
func (e *election) start(run context.Context, lead func(context.Context) error, fail func(error)) error {
	// The lease must outlive the run: the runnables of the leader stop first.
	competing, cancel := context.WithCancel(e.base())
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            e.lock,
		Name:            e.name,
		LeaseDuration:   e.leaseDuration,
		RenewDeadline:   e.renewDeadline,
		RetryPeriod:     e.retryPeriod,
		ReleaseOnCancel: e.release,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				if err := lead(run); err != nil {
					fail(err)
				}
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		cancel()
		return err
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	e.cancel, e.done = cancel, make(chan struct{})
	done := e.done
	go func() {
		defer close(done)
		elector.Run(competing)
		if competing.Err() == nil {
			fail(errLeaseLost)
		}
	}()
	return nil
}

// end gives up the lease, if it is held, and waits until that is done or the
// context ends. The lease is given back early only if nothing that needs it
// runs any more.
func (e *election) end(ctx context.Context, leadersGone bool) {
	e.lock.keep.Store(!leadersGone)
	e.mu.Lock()
	cancel, done := e.cancel, e.done
	e.mu.Unlock()
	if cancel != nil {
		cancel()
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	e.closeRecorder()
}
