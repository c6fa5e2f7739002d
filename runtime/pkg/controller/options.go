package controller

import (
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/internal/queuemetrics"
	"kubewright.dev/runtime/pkg/config"
	"kubewright.dev/runtime/pkg/controller/priorityqueue"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/reconcile"
)

// TypedOptions are the settings of a controller. What is not set comes from the
// manager's settings for controllers, and else has the default given here.
type TypedOptions[request comparable] struct {
	// SkipNameValidation allows a second controller of the same name in the
	// manager. Default: false.
	SkipNameValidation *bool

	// MaxConcurrentReconciles is the number of workers. Default: 1.
	MaxConcurrentReconciles int

	// CacheSyncTimeout is how long the start waits for the sources' caches.
	// Default: 2 minutes.
	CacheSyncTimeout time.Duration

	// RecoverPanic makes a panic of the reconciler an error of that reconcile.
	// Default: true.
	RecoverPanic *bool

	// NeedLeaderElection makes only the replica with the lease run the
	// controller. Default: true.
	NeedLeaderElection *bool

	// Reconciler does the work. It must be set.
	Reconciler reconcile.TypedReconciler[request]

	// RateLimiter says how long a failed request waits. Default: 5 ms doubling up
	// to 1000 s a request; without priority queue also 10 a second over all.
	RateLimiter workqueue.TypedRateLimiter[request]

	// NewQueue makes the queue. Default: a priority queue, or client-go's.
	NewQueue func(controllerName string, rateLimiter workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request]

	// Logger is where the controller logs. Default: the manager's logger.
	Logger logr.Logger

	// LogConstructor makes the logger of a reconcile, and with nil the
	// controller's own. Default: Logger with the controller's name.
	LogConstructor func(request *request) logr.Logger

	// UsePriorityQueue lets changes overtake objects that are only listed at the
	// start or resynced. Default: true.
	UsePriorityQueue *bool

	// EnableWarmup starts the sources before this replica has the lease.
	// Default: false.
	EnableWarmup *bool

	// ReconciliationTimeout ends the context of a reconcile. Default: never.
	ReconciliationTimeout time.Duration
}

// Options are the settings of a controller that reconciles by name.
type Options = TypedOptions[reconcile.Request]

// DefaultFromConfig takes what is not set from the manager's settings.
func (o *TypedOptions[request]) DefaultFromConfig(c config.Controller) {
	if o.Logger.GetSink() == nil {
		o.Logger = c.Logger
	}
	inherit(&o.SkipNameValidation, c.SkipNameValidation)
	inherit(&o.RecoverPanic, c.RecoverPanic)
	inherit(&o.NeedLeaderElection, c.NeedLeaderElection)
	inherit(&o.UsePriorityQueue, c.UsePriorityQueue)
	inherit(&o.EnableWarmup, c.EnableWarmup)
	if o.MaxConcurrentReconciles <= 0 {
		o.MaxConcurrentReconciles = c.MaxConcurrentReconciles
	}
	if o.CacheSyncTimeout == 0 {
		o.CacheSyncTimeout = c.CacheSyncTimeout
	}
	if o.ReconciliationTimeout == 0 {
		o.ReconciliationTimeout = c.ReconciliationTimeout
	}
}

func inherit(mine **bool, general *bool) {
	if *mine == nil {
		*mine = general
	}
}

// orElse reads an optional setting.
func orElse(setting *bool, standard bool) bool {
	if setting == nil {
		return standard
	}
	return *setting
}

// complete sets the defaults of what is still not set.
func (o *TypedOptions[request]) complete(name string) {
	if o.MaxConcurrentReconciles <= 0 {
		o.MaxConcurrentReconciles = 1
	}
	if o.CacheSyncTimeout == 0 {
		o.CacheSyncTimeout = 2 * time.Minute
	}
	if o.Logger.GetSink() == nil {
		o.Logger = logf.Log
	}
	byPriority := orElse(o.UsePriorityQueue, true)
	if o.RateLimiter == nil {
		if byPriority {
			o.RateLimiter = workqueue.NewTypedItemExponentialFailureRateLimiter[request](5*time.Millisecond, 1000*time.Second)
		} else {
			o.RateLimiter = workqueue.DefaultTypedControllerRateLimiter[request]()
		}
	}
	if o.NewQueue == nil {
		o.NewQueue = plainQueue[request]
		if byPriority {
			log := o.Logger
			o.NewQueue = func(name string, limiter workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
				return priorityqueue.New(name, func(q *priorityqueue.Opts[request]) {
					q.RateLimiter = limiter
					q.Log = log.WithValues("controller", name)
				})
			}
		}
	}
	if o.LogConstructor == nil {
		log := o.Logger.WithValues("controller", name)
		o.LogConstructor = func(req *request) logr.Logger {
			if named, ok := any(req).(*reconcile.Request); ok && named != nil {
				return log.WithValues("object", named.NamespacedName, "namespace", named.Namespace, "name", named.Name)
			}
			return log
		}
	}
}

func plainQueue[request comparable](name string, limiter workqueue.TypedRateLimiter[request]) workqueue.TypedRateLimitingInterface[request] {
	return workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[request]{
		Name:            name,
		MetricsProvider: queuemetrics.Provider,
	})
}
