package priorityqueue_test

import (
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"kubewright.dev/runtime/pkg/controller/priorityqueue"
)

func newQueue(t *testing.T) (priorityqueue.PriorityQueue[string], *clocktesting.FakeClock) {
	t.Helper()
	clock := clocktesting.NewFakeClock(time.Unix(0, 0))
	q := priorityqueue.New(t.Name(), func(o *priorityqueue.Opts[string]) {
		o.Clock = clock
		o.RateLimiter = workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Hour)
	})
	t.Cleanup(q.ShutDown)
	return q, clock
}

func take(t *testing.T, q priorityqueue.PriorityQueue[string], want string, wantPriority int) {
	t.Helper()
	got, priority, shutdown := q.GetWithPriority()
	if got != want || priority != wantPriority || shutdown {
		t.Fatalf("got %q, priority %d, shutdown %v; want %q, priority %d", got, priority, shutdown, want, wantPriority)
	}
}

func TestHighestPriorityGoesFirstAndEqualsInOrderOfArrival(t *testing.T) {
	q, _ := newQueue(t)
	q.AddWithOpts(priorityqueue.AddOpts{Priority: new(-100)}, "listed1", "listed2")
	q.Add("changed1")
	q.Add("changed2")
	q.Add("listed2")
	take(t, q, "listed2", 0)
	take(t, q, "changed1", 0)
	take(t, q, "changed2", 0)
	take(t, q, "listed1", -100)
}

func TestAddNowOvertakesItsOwnDelayAndTheKeyStaysOnce(t *testing.T) {
	q, clock := newQueue(t)
	q.AddAfter("a", time.Minute)
	if q.Len() != 0 {
		t.Fatalf("a delayed item is ready")
	}
	q.Add("a")
	take(t, q, "a", 0)
	q.Done("a")
	clock.Step(2 * time.Minute)
	q.Add("b")
	take(t, q, "b", 0)
	if q.Len() != 0 {
		t.Fatalf("the key came twice")
	}
}

func TestRateLimitedKeysHaveTheirOwnDelays(t *testing.T) {
	q, clock := newQueue(t)
	q.AddRateLimited("slow")
	clock.Step(time.Second)
	take(t, q, "slow", 0)
	q.Done("slow")
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, "slow", "fresh")
	clock.Step(time.Second)
	take(t, q, "fresh", 0)
	if q.Len() != 0 {
		t.Fatalf("the failures of one key delayed or hastened another")
	}
	clock.Step(time.Second)
	take(t, q, "slow", 0)
}

func TestItemAddedWhileInWorkWaitsForDone(t *testing.T) {
	q, _ := newQueue(t)
	q.Add("a")
	take(t, q, "a", 0)
	q.Add("a")
	if q.Len() != 0 {
		t.Fatalf("an item in work was given out again")
	}
	q.Done("a")
	take(t, q, "a", 0)
}

func TestShutDownReleasesAllWaiters(t *testing.T) {
	q, _ := newQueue(t)
	var waiters sync.WaitGroup
	for range 20 {
		waiters.Go(func() {
			for {
				item, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(item)
				q.Add(item)
			}
		})
	}
	q.Add("a")
	q.ShutDown()
	waiters.Wait()
}
