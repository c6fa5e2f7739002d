package cache

import (
	"sync"
	"time"

	toolscache "k8s.io/client-go/tools/cache"

	"kubewright.dev/runtime/internal/store"
	"kubewright.dev/runtime/pkg/log"
)

// event is a change of an object: without old it is new, without new it is gone. missed says that old may not be its last state.
type event struct {
	old, new        store.Object
	initial, missed bool
	// endOfInitial follows the last initial event.
	endOfInitial bool
}

// subscriber hands events to one handler, in order. Its queue has no bound: a slow handler must not hold up the watch.
type subscriber struct {
	view
	handler toolscache.ResourceEventHandler
	resync  time.Duration
	// joined says that the subscriber has had the objects that existed; guarded by the informer.
	joined bool

	queueMu  sync.Mutex
	queue    []event
	wake     chan struct{}
	quit     chan struct{}
	ended    sync.Once
	caughtUp chan struct{}
}

func newSubscriber(v view, handler toolscache.ResourceEventHandler, resync time.Duration) *subscriber {
	return &subscriber{
		view: v, handler: handler, resync: resync,
		wake: make(chan struct{}, 1), quit: make(chan struct{}), caughtUp: make(chan struct{}),
	}
}

// HasSynced reports whether the handler has had the objects that existed when it came.
func (s *subscriber) HasSynced() bool { return closed(s.caughtUp) }

// HasSyncedChecker returns what is done when HasSynced reports true.
func (s *subscriber) HasSyncedChecker() toolscache.DoneChecker {
	return done{name: "handler of " + s.kind.gvk.String(), when: s.caughtUp}
}

func (s *subscriber) end() { s.ended.Do(func() { close(s.quit) }) }

func (s *subscriber) push(events ...event) {
	s.queueMu.Lock()
	s.queue = append(s.queue, events...)
	s.queueMu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// deliver calls the handler until the subscriber or the informer ends.
func (s *subscriber) deliver() {
	var tick <-chan time.Time
	if s.resync > 0 {
		ticker := time.NewTicker(s.resync)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-s.quit:
			return
		case <-s.life.Done():
			return
		case <-tick:
			s.mu.Lock()
			if s.joined {
				s.push(s.all(func(obj store.Object) event { return event{old: obj, new: obj} })...)
			}
			s.mu.Unlock()
		case <-s.wake:
			s.queueMu.Lock()
			batch := s.queue
			s.queue = nil
			s.queueMu.Unlock()
			for _, e := range batch {
				if closed(s.quit) || s.life.Err() != nil {
					return
				}
				s.handle(e)
			}
		}
	}
}

func (s *subscriber) handle(e event) {
	switch {
	case e.endOfInitial:
		close(s.caughtUp)
	case e.new == nil && e.missed:
		if old := s.own(e.old); old != nil {
			key := toolscache.ObjectName(store.KeyOf(old)).String()
			s.handler.OnDelete(toolscache.DeletedFinalStateUnknown{Key: key, Obj: old})
		}
	case e.new == nil:
		if old := s.own(e.old); old != nil {
			s.handler.OnDelete(old)
		}
	case e.old == nil:
		if obj := s.own(e.new); obj != nil {
			s.handler.OnAdd(obj, e.initial)
		}
	default:
		old, obj := s.own(e.old), s.own(e.new)
		if old == nil {
			old = obj
		}
		if obj != nil {
			s.handler.OnUpdate(old, obj)
		}
	}
}

// own returns obj in the form of the subscriber, nil if it has none.
func (s *subscriber) own(obj store.Object) store.Object {
	out, err := convert(obj, s.form, s.kind.gvk, s.cache.opts.Scheme)
	if err != nil {
		log.Log.WithName("cache").Error(err, "an event is not delivered: its object cannot be read")
		return nil
	}
	return out
}
