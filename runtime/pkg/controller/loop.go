package controller

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"

	"kubewright.dev/runtime/internal/causes"
	"kubewright.dev/runtime/internal/controllermetrics"
	"kubewright.dev/runtime/pkg/controller/priorityqueue"
	logf "kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/source"
)

// loop implements TypedController. Its life: sources are collected; they start,
// at Start or before at Warmup, and fill the queue; workers empty it.
type loop[request comparable] struct {
	name    string
	options TypedOptions[request]
	metrics *controllermetrics.Controller
	causes  causes.Ledger[request]

	mu      sync.Mutex
	started bool
	// pending are the sources that wait for the start.
	pending []source.TypedSource[request]
	// running is the context of the sources once they have started.
	running context.Context
	// filling is the one start of the sources, which Warmup and Start share.
	filling *filling
	queue   workqueue.TypedRateLimitingInterface[request]
}

// filling is the start of the sources, as a result that many can wait for.
type filling struct {
	done chan struct{}
	err  error
}

func newLoop[request comparable](name string, options TypedOptions[request]) *loop[request] {
	return &loop[request]{name: name, options: options, metrics: controllermetrics.For(name)}
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (l *loop[request]) NeedLeaderElection() bool { return orElse(l.options.NeedLeaderElection, true) }

// GetLogger implements TypedController.
func (l *loop[request]) GetLogger() logr.Logger { return l.options.LogConstructor(nil) }

// Watch implements TypedController.
func (l *loop[request]) Watch(src source.TypedSource[request]) error {
	if src == nil {
		return fmt.Errorf("controller %s: watch of a nil source", l.name)
	}
	l.mu.Lock()
	if l.running == nil {
		l.pending = append(l.pending, src)
		l.mu.Unlock()
		return nil
	}
	ctx, queue := l.running, l.queue
	l.mu.Unlock()
	l.GetLogger().Info("Starting EventSource", "source", describe(src))
	return src.Start(ctx, queue)
}

// Warmup starts the sources while another replica leads, so that the queue is
// filled when this one gets the lease. It does nothing unless it is enabled.
func (l *loop[request]) Warmup(ctx context.Context) error {
	if !orElse(l.options.EnableWarmup, false) || !l.NeedLeaderElection() {
		return nil
	}
	return l.fill(ctx)
}

// Start implements TypedController.
func (l *loop[request]) Start(ctx context.Context) error {
	l.mu.Lock()
	if l.started {
		l.mu.Unlock()
		return fmt.Errorf("controller %s was started more than once: make a new one", l.name)
	}
	l.started = true
	l.mu.Unlock()

	log := l.GetLogger()
	if err := l.fill(ctx); err != nil {
		return err
	}
	log.Info("Starting Controller")
	l.metrics.Workers.Set(float64(l.options.MaxConcurrentReconciles))
	l.metrics.Active.Set(0)
	log.Info("Starting workers", "worker count", l.options.MaxConcurrentReconciles)
	var workers sync.WaitGroup
	for range l.options.MaxConcurrentReconciles {
		workers.Go(func() {
			for l.work(ctx) {
			}
		})
	}
	<-ctx.Done()
	log.Info("Shutdown signal received, waiting for all workers to finish")
	l.queue.ShutDown()
	workers.Wait()
	log.Info("All workers finished")
	return nil
}

// fill starts the sources and waits for them, the first time; later calls wait
// for the first.
func (l *loop[request]) fill(ctx context.Context) error {
	l.mu.Lock()
	f := l.filling
	mine := f == nil
	if mine {
		f = &filling{done: make(chan struct{})}
		l.filling = f
		l.queue = l.options.NewQueue(l.name, l.options.RateLimiter)
		// A queue that only a warm-up filled has to end with the context too.
		queue := l.queue
		context.AfterFunc(ctx, queue.ShutDown)
	}
	l.mu.Unlock()
	if mine {
		f.err = l.startSources(ctx)
		close(f.done)
	}
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return nil
	}
}

// startSources starts all sources at once and returns when all have delivered
// what exists, or one has failed.
func (l *loop[request]) startSources(ctx context.Context) error {
	sourceCtx := logf.IntoContext(causes.WithLedger(ctx, &l.causes), l.GetLogger())
	l.mu.Lock()
	sources := l.pending
	l.pending = nil
	l.running = sourceCtx
	l.mu.Unlock()

	waitCtx, cancel := context.WithTimeout(ctx, l.options.CacheSyncTimeout)
	defer cancel()
	outcomes := make(chan error, len(sources))
	for _, src := range sources {
		go func() { outcomes <- l.startSource(sourceCtx, waitCtx, src) }()
	}
	var failed error
	for range sources {
		if err := <-outcomes; err != nil && failed == nil {
			failed = err
			cancel()
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return failed
}

// startSource starts one source and waits until it has delivered what exists.
func (l *loop[request]) startSource(ctx, waitCtx context.Context, src source.TypedSource[request]) error {
	log := l.GetLogger()
	log.Info("Starting EventSource", "source", describe(src))
	started := make(chan error, 1)
	go func() { started <- src.Start(ctx, l.queue) }()
	select {
	case err := <-started:
		if err != nil {
			return fmt.Errorf("controller %s: %w", l.name, err)
		}
	case <-waitCtx.Done():
		if errors.Is(waitCtx.Err(), context.Canceled) {
			return nil
		}
		return fmt.Errorf("timed out waiting for source %s to Start. Please ensure that its Start() method is non-blocking", describe(src))
	}
	syncing, ok := src.(source.TypedSyncingSource[request])
	if !ok {
		return nil
	}
	if err := syncing.WaitForSync(waitCtx); err != nil {
		err = fmt.Errorf("failed to wait for %s caches to sync: %w", l.name, err)
		log.Error(err, "Could not wait for Cache to sync", "source", describe(src))
		return err
	}
	return nil
}

// describe names a source in logs.
func describe(src any) string {
	if named, ok := src.(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprintf("%T", src)
}

// next takes a request from the queue, with its priority.
func (l *loop[request]) next() (req request, priority int, shutdown bool) {
	if byPriority, ok := l.queue.(priorityqueue.PriorityQueue[request]); ok {
		return byPriority.GetWithPriority()
	}
	req, shutdown = l.queue.Get()
	return req, 0, shutdown
}

// work does one request. It returns false when the queue was shut down.
func (l *loop[request]) work(ctx context.Context) bool {
	req, priority, shutdown := l.next()
	if shutdown {
		return false
	}
	defer l.queue.Done(req)
	l.metrics.Active.Add(1)
	defer l.metrics.Active.Add(-1)
	l.do(ctx, req, priority)
	return true
}
