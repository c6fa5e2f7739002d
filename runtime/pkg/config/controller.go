// Package config holds the settings that a manager gives to all of its controllers.
package config

import (
	"time"

	"github.com/go-logr/logr"
)

// Controller are the defaults for the controllers of a manager. A controller's own options win over them.
type Controller struct {
	// SkipNameValidation allows two controllers of the same name, whose metrics then cannot be told apart. Default:
	// false.
	SkipNameValidation *bool

	// GroupKindConcurrency is the number of objects that a controller works on at once, by the kind that it is for, as
	// kind.group: "ReplicaSet.apps", or "Pod" in the core group. Only controllers made by the builder for a kind look
	// at it.
	GroupKindConcurrency map[string]int

	// MaxConcurrentReconciles is the number of objects that a controller works on at once. Default: 1. An object is
	// never worked on twice at once.
	MaxConcurrentReconciles int

	// CacheSyncTimeout is how long a controller waits at its start for the caches that it watches. Default: 2 minutes.
	CacheSyncTimeout time.Duration

	// RecoverPanic turns a panic of a reconciler into an error of that reconcile. Default: true.
	RecoverPanic *bool

	// NeedLeaderElection says whether a controller runs only in the replica that has the lease. Default: true.
	NeedLeaderElection *bool

	// EnableWarmup makes a controller that waits for the lease start its sources already, so that it has its caches
	// full and its queue ready when it gets the lease. Default: false.
	EnableWarmup *bool

	// UsePriorityQueue says whether a controller's queue lets changes overtake the objects that are there at the start
	// and those that are only resynced. Default: true.
	UsePriorityQueue *bool

	// Logger is the log of the controllers. Default: the manager's.
	Logger logr.Logger

	// ReconciliationTimeout is the time after which the context of a reconcile ends. Default: none.
	ReconciliationTimeout time.Duration
}
