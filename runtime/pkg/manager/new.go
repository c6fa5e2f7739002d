package manager

import (
	"errors"
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"kubewright.dev/runtime/internal/eventrecorder"
	"kubewright.dev/runtime/pkg/cluster"
	leaselock "kubewright.dev/runtime/pkg/leaderelection"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
	"kubewright.dev/runtime/pkg/webhook"
	"kubewright.dev/runtime/pkg/webhook/conversion"
)

// New makes a manager for the cluster of the config. It opens the addresses of
// the health and profile endpoints, but runs nothing until Start.
func New(config *rest.Config, options Options) (Manager, error) {
	if config == nil {
		return nil, errors.New("no configuration of the API server was given: a manager needs a *rest.Config, as config.GetConfig returns it")
	}
	options = options.withDefaults()
	if err := options.checkElection(); err != nil {
		return nil, err
	}

	home, err := cluster.New(config, options.forCluster)
	if err != nil {
		return nil, err
	}
	metrics, err := metricsserver.NewServer(options.Metrics, home.GetConfig(), home.GetHTTPClient())
	if err != nil {
		return nil, fmt.Errorf("metrics server: %w", err)
	}
	options.BaseContext = contextWithLogger(options.BaseContext, options.Logger)
	election, err := newElection(home, options)
	if err != nil {
		return nil, err
	}

	r := &runner{
		Cluster:       home,
		logger:        options.Logger,
		controller:    options.Controller,
		converters:    conversion.NewRegistry(),
		grace:         *options.GracefulShutdownTimeout,
		metrics:       metrics,
		election:      election,
		elected:       make(chan struct{}),
		webhookServer: options.WebhookServer,
	}
	if r.webhookServer == nil {
		r.webhookServer = webhook.NewServer(webhook.Options{})
	}
	r.stages = newStages(options.BaseContext, r.fail)
	if err := r.Add(home); err != nil {
		return nil, err
	}

	if r.probes, err = newProbes(options); err != nil {
		return nil, err
	}
	if r.profiles, err = newProfiles(options); err != nil {
		if r.probes != nil {
			err = errors.Join(err, r.probes.listener.Close())
		}
		return nil, err
	}
	return r, nil
}

// forCluster hands the options that concern the cluster on to it.
func (o Options) forCluster(c *cluster.Options) {
	c.Scheme = o.Scheme
	c.MapperProvider = o.MapperProvider
	c.Logger = o.Logger
	c.NewCache = o.NewCache
	c.NewClient = o.NewClient
	c.Cache = o.Cache
	c.Client = o.Client
	c.EventBroadcaster = o.EventBroadcaster //nolint:staticcheck // Offered for compatibility.
}

// newElection makes the lock to compete for, or returns nil without election.
func newElection(home cluster.Cluster, options Options) (*election, error) {
	if !options.LeaderElection {
		return nil, nil
	}
	lock, stopEvents, err := newLock(home, options)
	if err != nil {
		return nil, err
	}
	return &election{
		lock:          &heldLock{Interface: lock},
		name:          options.LeaderElectionID,
		leaseDuration: *options.LeaseDuration,
		renewDeadline: *options.RenewDeadline,
		retryPeriod:   *options.RetryPeriod,
		release:       options.LeaderElectionReleaseOnCancel,
		base:          options.BaseContext,
		closeRecorder: stopEvents,
	}, nil
}

// newLock returns the lock and what ends the sending of its events. They have
// a recorder of their own, since they are sent after the cluster's has stopped.
func newLock(home cluster.Cluster, options Options) (resourcelock.Interface, func(), error) {
	if given := options.LeaderElectionResourceLockInterface; given != nil {
		return given, func() {}, nil
	}
	config, httpClient := home.GetConfig(), home.GetHTTPClient()
	if options.LeaderElectionConfig != nil {
		config = rest.CopyConfig(options.LeaderElectionConfig)
		var err error
		if httpClient, err = rest.HTTPClientFor(config); err != nil {
			return nil, nil, fmt.Errorf("leader election: %w", err)
		}
	}
	events, err := eventrecorder.New(config, httpClient, home.GetScheme(), options.Logger.WithName("events"), nil)
	if err != nil {
		return nil, nil, err
	}
	lock, err := leaselock.NewResourceLock(config, events, leaselock.Options{
		LeaderElection:             true,
		LeaderElectionResourceLock: options.LeaderElectionResourceLock,
		LeaderElectionNamespace:    options.LeaderElectionNamespace,
		LeaderElectionID:           options.LeaderElectionID,
		RenewDeadline:              *options.RenewDeadline,
		LeaderLabels:               options.LeaderElectionLabels,
	})
	if err != nil {
		return nil, nil, err
	}
	return lock, events.Stop, nil
}
