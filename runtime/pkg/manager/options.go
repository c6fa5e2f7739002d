package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/config"
	"kubewright.dev/runtime/pkg/log"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
	"kubewright.dev/runtime/pkg/webhook"
)

// BaseContextFunc makes the context that the contexts of all runnables derive
// from.
type BaseContextFunc func() context.Context

// Options say how a manager is made. The zero value is a manager for a single
// replica that serves metrics on port 8080 and no health endpoints.
type Options struct {
	// Scheme maps Go types to kinds. Default: client-go's scheme, with all
	// built-in kinds.
	Scheme *runtime.Scheme

	// MapperProvider makes what maps kinds to resources. Default: a mapper that
	// asks the server when a kind is first needed.
	MapperProvider func(c *rest.Config, httpClient *http.Client) (meta.RESTMapper, error)

	// Cache are the options of the cache: what it holds, of which namespaces.
	Cache cache.Options

	// NewCache makes the cache. Default: cache.New.
	NewCache cache.NewCacheFunc

	// Client are the options of the client: what it reads from the cache.
	Client client.Options

	// NewClient makes the client. Default: client.New.
	NewClient client.NewClientFunc

	// Logger is the manager's logger. Default: log.Log.
	Logger logr.Logger

	// LeaderElection lets only one of all replicas run the runnables that need
	// the lease.
	LeaderElection bool

	// LeaderElectionResourceLock is the kind of the lock. Default: "leases".
	LeaderElectionResourceLock string

	// LeaderElectionNamespace is where the lease is. Default: the pod's
	// namespace. It has to be given outside a cluster.
	LeaderElectionNamespace string

	// LeaderElectionID is the lease's name. It has to be given when
	// LeaderElection is on.
	LeaderElectionID string

	// LeaderElectionConfig is the configuration that the election's requests are
	// made with. Default: the manager's.
	LeaderElectionConfig *rest.Config

	// LeaderElectionReleaseOnCancel gives the lease back once all runnables have
	// stopped, so that the next replica need not wait for it to run out. It
	// requires that the process exits right after Start returned.
	LeaderElectionReleaseOnCancel bool

	// LeaderElectionLabels are put on the lease by the leader.
	LeaderElectionLabels map[string]string

	// LeaderElectionResourceLockInterface is a lock to use instead of a lease of
	// the manager's making.
	LeaderElectionResourceLockInterface resourcelock.Interface

	// LeaseDuration is how long a replica that does not lead waits after the
	// leader's last renewal before it takes the lease. Default: 15 seconds.
	LeaseDuration *time.Duration

	// RenewDeadline is how long the leader tries to renew the lease before it
	// gives up. It must be below LeaseDuration. Default: 10 seconds.
	RenewDeadline *time.Duration

	// RetryPeriod is how long replicas wait between two tries. Default: 2 seconds.
	RetryPeriod *time.Duration

	// Metrics are the options of the metrics server. Its BindAddress "0" turns
	// the server off.
	Metrics metricsserver.Options

	// HealthProbeBindAddress is the address of the liveness and readiness
	// endpoints. Default, and with "0": they are not served.
	HealthProbeBindAddress string

	// ReadinessEndpointName is the path of readiness. Default: "/readyz".
	ReadinessEndpointName string

	// LivenessEndpointName is the path of liveness. Default: "/healthz".
	LivenessEndpointName string

	// PprofBindAddress is the address of Go's profiles. Default, and with "0":
	// they are not served. They tell much about the process: keep them local.
	PprofBindAddress string

	// WebhookServer is the server for webhooks. Default: one on port 9443.
	WebhookServer webhook.Server

	// BaseContext makes the context that runnables get, cancelled when it is
	// their turn to stop. Default: context.Background.
	BaseContext BaseContextFunc

	// EventBroadcaster sends the events of the old events API.
	//
	// Deprecated: it leaks a goroutine of each manager that shares it.
	EventBroadcaster record.EventBroadcaster

	// GracefulShutdownTimeout is how long Start waits for runnables to stop.
	// Zero does not wait, a negative value waits for ever. Default: 30 seconds.
	GracefulShutdownTimeout *time.Duration

	// Controller holds the defaults of controllers.
	Controller config.Controller
}

// withDefaults returns the options with every unset field that has a default
// set to it.
func (o Options) withDefaults() Options {
	if o.Logger.GetSink() == nil {
		o.Logger = log.Log
	}
	if o.BaseContext == nil {
		o.BaseContext = context.Background
	}
	o.ReadinessEndpointName = cmp.Or(o.ReadinessEndpointName, "/readyz")
	o.LivenessEndpointName = cmp.Or(o.LivenessEndpointName, "/healthz")
	defaultTo(&o.LeaseDuration, 15*time.Second)
	defaultTo(&o.RenewDeadline, 10*time.Second)
	defaultTo(&o.RetryPeriod, 2*time.Second)
	defaultTo(&o.GracefulShutdownTimeout, 30*time.Second)
	if o.Controller.Logger.GetSink() == nil {
		o.Controller.Logger = o.Logger
	}
	return o
}

func defaultTo[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// checkElection finds options with which an election could not work.
func (o Options) checkElection() error {
	if !o.LeaderElection {
		return nil
	}
	lease, deadline, retry := *o.LeaseDuration, *o.RenewDeadline, *o.RetryPeriod
	var problems []error
	if retry <= 0 {
		problems = append(problems, fmt.Errorf("RetryPeriod %s must be above zero", retry))
	}
	if lease <= deadline {
		problems = append(problems, fmt.Errorf("LeaseDuration %s must be above RenewDeadline %s: two replicas could lead at once", lease, deadline))
	}
	if longest := time.Duration(leaderelection.JitterFactor * float64(retry)); deadline <= longest {
		problems = append(problems, fmt.Errorf("RenewDeadline %s must be above %g times RetryPeriod, %s: a single failed renewal would cost the lead",
			deadline, leaderelection.JitterFactor, longest))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("leader election: %w", err)
	}
	return nil
}
