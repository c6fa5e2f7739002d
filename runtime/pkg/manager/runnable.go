package manager

import "context"

// Runnable is something that the manager runs: a controller, a server, a cache,
// or a loop of the operator's own.
type Runnable interface {
	// Start runs until the context ends or it can not go on. It must return
	// when the context ends, and it must not return before it is done. An error
	// stops the manager; returning nil early does not.
	Start(ctx context.Context) error
}

// RunnableFunc makes a Runnable of a function. It needs the lease, as do all
// runnables that do not say otherwise.
type RunnableFunc func(ctx context.Context) error

// Start calls the function.
func (f RunnableFunc) Start(ctx context.Context) error { return f(ctx) }

// LeaderElectionRunnable is a Runnable, or part of one, that knows whether it
// needs the lease.
type LeaderElectionRunnable interface {
	// NeedLeaderElection is true for what only the leader may run. The manager
	// asks once, when the runnable is added.
	NeedLeaderElection() bool
}
