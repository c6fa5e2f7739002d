package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// errStopping is what Add answers once the manager has begun to stop.
var errStopping = errors.New("the manager is stopping and takes no more runnables")

// task is a runnable and what tells that it is of use to later stages.
type task struct {
	Runnable
	// ready returns when the runnable is ready, or an error when it can not
	// get so. Nil: it is ready when it is started.
	ready func(ctx context.Context) error
}

// stage holds the runnables that start and stop together.
type stage struct {
	name string
	// context makes what the stage's own context derives from.
	context BaseContextFunc
	// fail is told of the errors of runnables.
	fail func(error)

	mu      sync.Mutex
	phase   phase
	queued  []task
	ctx     context.Context
	cancel  context.CancelFunc
	running map[*task]struct{}
	done    chan struct{} // closed when stopped and running is empty
}

// phase is where in its life a stage is. It only goes forward.
type phase int

const (
	collecting phase = iota
	begun
	ended
)

func newStage(name string, base BaseContextFunc, fail func(error)) *stage {
	return &stage{name: name, context: base, fail: fail, running: map[*task]struct{}{}, done: make(chan struct{})}
}

// add queues the task, or starts it if the stage has begun.
func (s *stage) add(t task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.phase {
	case collecting:
		s.queued = append(s.queued, t)
	case begun:
		s.launch(t)
	case ended:
		return errStopping
	}
	return nil
}

// begin starts what is queued and waits until all of it is ready. It does
// nothing to a stage that has ended.
func (s *stage) begin(ctx context.Context) error {
	started := s.open()
	waiting, ctx := errgroup.WithContext(ctx)
	for _, t := range started {
		if t.ready == nil {
			continue
		}
		waiting.Go(func() error {
			if err := t.ready(ctx); err != nil {
				return fmt.Errorf("waiting for %s: %w", describe(t.Runnable), err)
			}
			return nil
		})
	}
	return waiting.Wait()
}

// open launches what is queued and returns it.
func (s *stage) open() []task {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != collecting {
		return nil
	}
	s.phase = begun
	s.ctx, s.cancel = context.WithCancel(s.context())
	started := s.queued
	s.queued = nil
	for _, t := range started {
		s.launch(t)
	}
	return started
}

// launch runs the task in a goroutine that end waits for. s.mu is held.
func (s *stage) launch(t task) {
	key := &t
	s.running[key] = struct{}{}
	ctx := s.ctx
	go func() {
		err := t.Start(ctx)
		if err != nil {
			s.fail(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, key)
		s.closeIfEmpty()
	}()
}

// end stops the stage's runnables and returns a channel that is closed when
// they have returned. Nothing starts in the stage from then on.
func (s *stage) end() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != ended {
		s.phase = ended
		s.queued = nil
		if s.cancel != nil {
			s.cancel()
		}
		s.closeIfEmpty()
	}
	return s.done
}

func (s *stage) closeIfEmpty() {
	if s.phase == ended && len(s.running) == 0 {
		close(s.done)
	}
}

// stragglers names the runnables that have not returned.
func (s *stage) stragglers() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.running))
	for t := range s.running {
		names = append(names, describe(t.Runnable))
	}
	slices.Sort(names)
	return names
}

// describe names a runnable for people.
func describe(r Runnable) string {
	switch named := r.(type) {
	case *Server:
		return fmt.Sprintf("server %q", named.Name)
	case fmt.Stringer:
		return named.String()
	default:
		return fmt.Sprintf("%T", r)
	}
}
