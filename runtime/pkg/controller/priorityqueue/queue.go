package priorityqueue

import (
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// queue implements PriorityQueue. An item's entry is always in entries, and
// besides in exactly one place:
//
//   - ready: it can be given out,
//   - delayed: its time has not come,
//   - neither: its time has come, but a worker has the item; Done makes it ready.
type queue[T comparable] struct {
	limiter workqueue.TypedRateLimiter[T]
	clock   clock.WithDelayedExecution
	gauges  *gauges[T]

	mu       sync.Mutex
	changed  *sync.Cond
	entries  map[T]*entry[T]
	ready    pile[T]
	delayed  pile[T]
	working  map[T]time.Time
	arrivals uint64

	alarm    clock.Timer
	alarmFor time.Time
	closed   bool
	draining bool
}

func newQueue[T comparable](name string, opts Opts[T]) *queue[T] {
	q := &queue[T]{
		limiter: opts.RateLimiter,
		clock:   opts.Clock,
		gauges:  newGauges[T](name, opts.MetricProvider),
		entries: map[T]*entry[T]{},
		ready:   pile[T]{before: byPriority[T]},
		delayed: pile[T]{before: byDue[T]},
		working: map[T]time.Time{},
	}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Add puts the item in, with priority 0.
func (q *queue[T]) Add(item T) { q.AddWithOpts(AddOpts{}, item) }

// AddAfter puts the item in, ready when the time has passed.
func (q *queue[T]) AddAfter(item T, delay time.Duration) {
	q.AddWithOpts(AddOpts{After: delay}, item)
}

// AddRateLimited puts the item in, ready when the rate limiter says so.
func (q *queue[T]) AddRateLimited(item T) { q.AddWithOpts(AddOpts{RateLimited: true}, item) }

// AddWithOpts implements PriorityQueue.
func (q *queue[T]) AddWithOpts(opts AddOpts, items ...T) {
	priority := 0
	if opts.Priority != nil {
		priority = *opts.Priority
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	now := q.clock.Now()
	for _, item := range items {
		// The delay is the item's own: one item's back-off must not reach the next.
		delay := opts.After
		if opts.RateLimited {
			q.gauges.retries.Inc()
			if limited := q.limiter.When(item); delay <= 0 || limited < delay {
				delay = limited
			}
		}
		q.put(item, priority, delay, now)
	}
	q.setAlarm()
}

// put takes the item in, or merges it with the entry that is there.
func (q *queue[T]) put(item T, priority int, delay time.Duration, now time.Time) {
	e, known := q.entries[item]
	if !known {
		q.gauges.adds.Inc()
		q.arrivals++
		e = &entry[T]{item: item, priority: priority, arrival: q.arrivals}
		q.entries[item] = e
		if delay > 0 {
			e.due = now.Add(delay)
			q.delayed.push(e)
		} else {
			q.makeReady(e, now)
		}
		return
	}
	if priority > e.priority {
		q.raise(e, priority)
	}
	if e.home != &q.delayed {
		return
	}
	if delay <= 0 {
		q.delayed.remove(e)
		q.makeReady(e, now)
	} else if due := now.Add(delay); due.Before(e.due) {
		q.delayed.remove(e)
		e.due = due
		q.delayed.push(e)
	}
}

// raise gives the entry a higher priority, wherever it is.
func (q *queue[T]) raise(e *entry[T], priority int) {
	if e.home != &q.ready {
		e.priority = priority
		return
	}
	q.ready.remove(e)
	q.gauges.left(e)
	e.priority = priority
	q.ready.push(e)
	q.gauges.entered(e)
}

// makeReady lets a worker have the entry, unless one has its item already.
func (q *queue[T]) makeReady(e *entry[T], now time.Time) {
	if _, busy := q.working[e.item]; busy {
		return
	}
	e.readySince = now
	q.ready.push(e)
	q.gauges.entered(e)
	// All are woken: ShutDownWithDrain waits for the same signal as the workers.
	q.changed.Broadcast()
}

// setAlarm makes the clock call when the next delayed entry is due.
func (q *queue[T]) setAlarm() {
	next := q.delayed.first()
	if q.alarm != nil {
		if next != nil && q.alarmFor.Equal(next.due) {
			return
		}
		q.alarm.Stop()
		q.alarm = nil
	}
	if next == nil || q.closed {
		return
	}
	q.alarmFor = next.due
	q.alarm = q.after(next.due.Sub(q.clock.Now()), q.ring)
}

// after makes the clock call do. Fake clocks call while they hold their own lock,
// which do needs, so do gets a goroutine.
func (q *queue[T]) after(wait time.Duration, do func()) clock.Timer {
	return q.clock.AfterFunc(wait, func() { go do() })
}

// ring makes ready what is due.
func (q *queue[T]) ring() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock.Now()
	for e := q.delayed.first(); e != nil && !e.due.After(now); e = q.delayed.first() {
		q.delayed.remove(e)
		q.makeReady(e, now)
	}
	q.alarmFor = time.Time{}
	q.setAlarm()
}

// Get implements workqueue.TypedInterface.
func (q *queue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// GetWithPriority implements PriorityQueue.
func (q *queue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.closed && (!q.draining || q.ready.len() == 0) {
			return item, 0, true
		}
		if e := q.ready.first(); e != nil {
			q.ready.remove(e)
			delete(q.entries, e.item)
			now := q.clock.Now()
			q.working[e.item] = now
			q.gauges.left(e)
			q.gauges.waited(now.Sub(e.readySince))
			q.watchWork()
			return e.item, e.priority, false
		}
		q.changed.Wait()
	}
}

// Done says that the worker is through with the item. If it was put in again
// meanwhile, it becomes ready.
func (q *queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	started, busy := q.working[item]
	if !busy {
		return
	}
	now := q.clock.Now()
	delete(q.working, item)
	q.gauges.worked(now.Sub(started))
	if e := q.entries[item]; e != nil && e.home == nil {
		q.makeReady(e, now)
	}
	q.changed.Broadcast()
}

// Forget resets the rate limiter's count of the item's failures.
func (q *queue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues returns the rate limiter's count of the item's failures.
func (q *queue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }

// Len returns how many items are ready.
func (q *queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ready.len()
}

// ShutDown makes every Get return, now and later. What is still in the queue is
// not given out any more, and nothing can be put in.
func (q *queue[T]) ShutDown() { q.close(false) }

// ShutDownWithDrain lets workers finish what is ready, takes nothing new in, and
// returns when all work is done. Items that are delayed are dropped.
func (q *queue[T]) ShutDownWithDrain() {
	q.close(true)
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.draining && (q.ready.len() > 0 || len(q.working) > 0) {
		q.changed.Wait()
	}
}

func (q *queue[T]) close(drain bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.draining = drain
	if q.alarm != nil {
		q.alarm.Stop()
		q.alarm = nil
	}
	for e := q.delayed.first(); e != nil; e = q.delayed.first() {
		q.delayed.remove(e)
		delete(q.entries, e.item)
	}
	if !drain {
		for e := q.ready.first(); e != nil; e = q.ready.first() {
			q.ready.remove(e)
			q.gauges.left(e)
			delete(q.entries, e.item)
		}
	}
	q.changed.Broadcast()
}

// ShuttingDown says whether the queue was shut down.
func (q *queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}
