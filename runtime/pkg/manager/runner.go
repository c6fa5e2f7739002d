package manager

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/cluster"
	"kubewright.dev/runtime/pkg/config"
	"kubewright.dev/runtime/pkg/healthz"
	"kubewright.dev/runtime/pkg/log"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
	"kubewright.dev/runtime/pkg/webhook"
	"kubewright.dev/runtime/pkg/webhook/conversion"
)

// runner is the Manager.
type runner struct {
	cluster.Cluster

	logger     logr.Logger
	controller config.Controller
	converters conversion.Registry
	grace      time.Duration

	metrics  metricsserver.Server // nil: not served
	probes   *probes              // nil: not served
	profiles *Server              // nil: not served
	election *election            // nil: no election
	elected  chan struct{}

	webhookServer webhook.Server
	addWebhooks   sync.Once

	stages stages

	mu      sync.Mutex
	started bool
	// run ends when the manager is to stop, and stop ends it for the reason
	// given. They are nil until Start.
	run  context.Context
	stop context.CancelCauseFunc
}

// stages are the runnables in the order in which they start.
type stages struct {
	servers, webhooks, caches, others, leaders *stage
}

func newStages(base BaseContextFunc, fail func(error)) stages {
	return stages{
		servers:  newStage("servers", base, fail),
		webhooks: newStage("webhooks", base, fail),
		caches:   newStage("caches", base, fail),
		others:   newStage("runnables that need no lease", base, fail),
		leaders:  newStage("runnables of the leader", base, fail),
	}
}

// beforeElection are the stages that every replica runs.
func (s stages) beforeElection() []*stage {
	return []*stage{s.servers, s.webhooks, s.caches, s.others}
}

// reversed are all stages in the order in which they stop.
func (s stages) reversed() []*stage {
	return []*stage{s.leaders, s.others, s.caches, s.webhooks, s.servers}
}

// warmer is a runnable that needs the lease but has work that does not, such as
// a controller that can fill its queue while it stands by.
type warmer interface {
	Warmup(ctx context.Context) error
}

// Add takes the runnable into the stage that it belongs to.
func (r *runner) Add(runnable Runnable) error {
	switch known := runnable.(type) {
	case *Server:
		if !known.NeedLeaderElection() {
			return r.stages.servers.add(task{Runnable: known})
		}
		return r.stages.leaders.add(task{Runnable: known})
	case interface{ GetCache() cache.Cache }:
		return r.stages.caches.add(task{Runnable: runnable, ready: synced(known.GetCache())})
	case webhook.Server:
		return r.stages.webhooks.add(task{Runnable: known, ready: answering(known)})
	}

	if warm, ok := runnable.(warmer); ok {
		if err := r.stages.others.add(task{Runnable: RunnableFunc(warm.Warmup)}); err != nil {
			return err
		}
	}
	if chooses, ok := runnable.(LeaderElectionRunnable); ok && !chooses.NeedLeaderElection() {
		return r.stages.others.add(task{Runnable: runnable})
	}
	return r.stages.leaders.add(task{Runnable: runnable})
}

// synced waits until the cache is filled.
func synced(c cache.Cache) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.WaitForCacheSync(ctx) {
			return nil
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return errors.New("the cache could not be filled")
	}
}

// answering waits until the webhook server takes requests.
func answering(server webhook.Server) func(context.Context) error {
	return func(ctx context.Context) error {
		answers := server.StartedChecker()
		return wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
			return answers(nil) == nil, nil
		})
	}
}

// AddMetricsServerExtraHandler serves one more path on the metrics server.
func (r *runner) AddMetricsServerExtraHandler(path string, handler http.Handler) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.started {
		return fmt.Errorf("cannot serve %s on the metrics server: the manager has started", path)
	}
	if r.metrics == nil {
		r.logger.Info("the metrics server is off: the handler added to it will not be served", "path", path)
		return nil
	}
	if err := r.metrics.AddExtraHandler(path, handler); err != nil {
		return err
	}
	r.logger.V(2).Info("serving one more path on the metrics server", "path", path)
	return nil
}

// AddHealthzCheck adds a check to the liveness endpoint.
func (r *runner) AddHealthzCheck(name string, check healthz.Checker) error {
	return r.addCheck("liveness", name, check, func(p *probes) map[string]healthz.Checker { return p.liveness })
}

// AddReadyzCheck adds a check to the readiness endpoint.
func (r *runner) AddReadyzCheck(name string, check healthz.Checker) error {
	return r.addCheck("readiness", name, check, func(p *probes) map[string]healthz.Checker { return p.readiness })
}

func (r *runner) addCheck(endpoint, name string, check healthz.Checker, checks func(*probes) map[string]healthz.Checker) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.started {
		return fmt.Errorf("cannot add %s check %q: the manager has started", endpoint, name)
	}
	if r.probes != nil {
		checks(r.probes)[name] = check
	}
	return nil
}

// Elected is closed when this replica leads.
func (r *runner) Elected() <-chan struct{} { return r.elected }

// GetWebhookServer returns the webhook server, and adds it the first time.
func (r *runner) GetWebhookServer() webhook.Server {
	r.addWebhooks.Do(func() {
		if err := r.Add(r.webhookServer); err != nil {
			r.logger.Error(err, "the webhook server will not be started")
		}
	})
	return r.webhookServer
}

// GetLogger returns the manager's logger.
func (r *runner) GetLogger() logr.Logger { return r.logger }

// GetControllerOptions returns the defaults of controllers.
func (r *runner) GetControllerOptions() config.Controller { return r.controller }

// GetConverterRegistry returns where conversions are registered.
func (r *runner) GetConverterRegistry() conversion.Registry { return r.converters }

// Start runs the manager.
func (r *runner) Start(ctx context.Context) error {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := r.engage(run, stop); err != nil {
		return err
	}

	if err := r.startUp(run); err != nil {
		stop(err)
	}
	<-run.Done()
	failure := context.Cause(run)
	if ctx.Err() != nil && errors.Is(failure, context.Cause(ctx)) {
		failure = nil
	}
	return errors.Join(failure, r.shutDown(errors.Is(failure, errLeaseLost)))
}

// engage marks the manager as started and puts its own servers first.
func (r *runner) engage(run context.Context, stop context.CancelCauseFunc) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.started {
		return errors.New("the manager has been started already")
	}
	r.started, r.run, r.stop = true, run, stop

	servers := r.stages.servers
	if r.metrics != nil {
		// Its type is an interface that others may implement too: Add would
		// take it for any runnable that needs no lease.
		if err := servers.add(task{Runnable: r.metrics}); err != nil {
			return err
		}
	}
	if r.probes != nil {
		if err := servers.add(task{Runnable: r.probes.server()}); err != nil {
			return err
		}
	}
	if r.profiles != nil {
		return servers.add(task{Runnable: r.profiles})
	}
	return nil
}

// startUp begins stage after stage. It returns once the last that needs no
// lease has begun; the rest follows when this replica leads.
func (r *runner) startUp(run context.Context) error {
	for _, s := range r.stages.beforeElection() {
		if err := s.begin(run); err != nil {
			if run.Err() != nil {
				return nil // The run ended meanwhile, for a reason of its own.
			}
			return err
		}
	}
	if r.election == nil {
		return r.lead(run)
	}
	return r.election.start(run, r.lead, r.fail)
}

// lead begins what only the leader runs.
func (r *runner) lead(run context.Context) error {
	if run.Err() != nil {
		return nil
	}
	if err := r.stages.leaders.begin(run); err != nil {
		return err
	}
	close(r.elected)
	return nil
}

// fail ends the run because of the error. Errors that come while the manager
// stops already are only told.
func (r *runner) fail(err error) {
	r.mu.Lock()
	run, stop := r.run, r.stop
	r.mu.Unlock()
	if run.Err() != nil {
		if !errors.Is(err, context.Canceled) {
			r.logger.Error(err, "a runnable failed while the manager was stopping")
		}
		return
	}
	stop(err)
}

// shutDown ends the stages, last first. Without the lease there is no time for
// that: another replica may lead already, so everything ends at once.
func (r *runner) shutDown(lostLease bool) error {
	grace := r.grace
	if lostLease {
		grace = 0
	}
	waiting := context.Background()
	if grace >= 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(waiting, grace)
		defer cancel()
	}

	var late []string
	for _, s := range r.stages.reversed() {
		r.logger.V(1).Info("stopping", "stage", s.name)
		done := s.end()
		select {
		case <-done:
			continue
		case <-waiting.Done():
		}
		if grace > 0 {
			late = append(late, s.stragglers()...)
		}
	}
	if r.election != nil {
		leadersGone := len(r.stages.leaders.stragglers()) == 0
		r.election.end(waiting, leadersGone)
	}
	if len(late) > 0 {
		return fmt.Errorf("stopped waiting after %s for runnables that ignore the end of their context: %s: %w",
			grace, strings.Join(late, ", "), context.DeadlineExceeded)
	}
	r.logger.Info("the manager has stopped")
	return nil
}

// contextWithLogger lets runnables find the manager's logger in their context.
func contextWithLogger(base BaseContextFunc, logger logr.Logger) BaseContextFunc {
	return func() context.Context {
		ctx := base()
		if _, err := logr.FromContext(ctx); err == nil {
			return ctx
		}
		return log.IntoContext(ctx, logger)
	}
}
