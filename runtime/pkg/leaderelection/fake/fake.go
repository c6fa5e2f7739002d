// Package fake is a lock for tests that elects whom the test wants, without a
// server.
package fake

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"kubewright.dev/runtime/pkg/leaderelection"
	"kubewright.dev/runtime/pkg/recorder"
)

// ControllableResourceLockInterface is a lock that a test can hold up.
type ControllableResourceLockInterface interface {
	resourcelock.Interface

	// BlockLeaderElection makes every attempt to take or renew the lock fail.
	BlockLeaderElection()

	// UnblockLeaderElection lets attempts succeed again.
	UnblockLeaderElection()
}

// NewResourceLock makes a lock in memory that only its maker competes for. It is
// a [ControllableResourceLockInterface] and has the signature of
// leaderelection.NewResourceLock.
func NewResourceLock(*rest.Config, recorder.Provider, leaderelection.Options) (resourcelock.Interface, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return &lock{identity: host + "_" + string(uuid.NewUUID())}, nil
}

type lock struct {
	identity string

	mu      sync.Mutex
	record  *resourcelock.LeaderElectionRecord
	blocked bool
}

var _ ControllableResourceLockInterface = (*lock)(nil)

// errBlocked is what attempts end with while the lock is blocked.
var errBlocked = errors.New("the test blocks the leader election")

func (l *lock) BlockLeaderElection()   { l.block(true) }
func (l *lock) UnblockLeaderElection() { l.block(false) }

func (l *lock) block(blocked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blocked = blocked
}

// Get returns the record, and its encoded form.
func (l *lock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.blocked {
		return nil, nil, errBlocked
	}
	if l.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}, l.Describe())
	}
	encoded, err := json.Marshal(l.record)
	if err != nil {
		return nil, nil, err
	}
	record := *l.record
	return &record, encoded, nil
}

// Create keeps the first record.
func (l *lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.Update(ctx, record)
}

// Update keeps the record.
func (l *lock) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.blocked {
		return errBlocked
	}
	l.record = &record
	return nil
}

// RecordEvent drops the event.
func (*lock) RecordEvent(string) {}

// Identity is that of the lock's maker.
func (l *lock) Identity() string { return l.identity }

// Describe names the lock in messages.
func (*lock) Describe() string { return "fake lock" }
