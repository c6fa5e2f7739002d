package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"

	"kubewright.dev/runtime/internal/store"
)

// informer keeps the objects of one kind: watches fill its store, subscribers hear of the changes.
type informer struct {
	cache  *informerCache
	kind   kind
	scopes []scope
	resync time.Duration

	// life ends when the informer is stopped; workers are all goroutines it has started.
	life    context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup

	store store.Store

	mu sync.Mutex
	// wanted is the richest form that somebody asked for; watched is the one that the running watches fetch.
	wanted, watched form
	running         bool
	endWatches      context.CancelFunc
	watches         *sync.WaitGroup
	// unlisted are the namespaces whose first list in the form watched is still to come.
	unlisted map[string]bool
	// synced are closed when all objects are there in at least that form.
	synced [forms]chan struct{}
	// failure is why the last list or watch failed for good; news is closed when it is set.
	failure error
	news    chan struct{}
	// subscribers get events; a subscriber waits in the map until its form is synced.
	subscribers map[*subscriber]struct{}
}

func newInformer(c *informerCache, k kind, want form) *informer {
	inf := &informer{
		cache: c, kind: k, scopes: c.scopesOf(k), resync: c.resyncOf(k.gvk), store: store.NewMemory(), wanted: want,
		news: make(chan struct{}), subscribers: map[*subscriber]struct{}{},
	}
	inf.life, inf.stop = context.WithCancel(context.Background())
	for f := range inf.synced {
		inf.synced[f] = make(chan struct{})
	}
	return inf
}

// want makes the informer fetch at least the form.
func (inf *informer) want(f form) {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	if f <= inf.wanted {
		return
	}
	inf.wanted = f
	if inf.running {
		inf.watch()
	}
}

// run starts the watches.
func (inf *informer) run() {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	if inf.running || inf.life.Err() != nil {
		return
	}
	inf.running = true
	inf.watch()
}

// watch starts watches of the wanted form, which begin when those that run have ended: two would overtake each other.
// The caller holds mu.
func (inf *informer) watch() {
	before := inf.watches
	if inf.endWatches != nil {
		inf.endWatches()
	}
	ctx, end := context.WithCancel(inf.life)
	inf.endWatches, inf.watches, inf.watched = end, &sync.WaitGroup{}, inf.wanted
	inf.unlisted = map[string]bool{}
	for _, s := range inf.scopes {
		inf.unlisted[s.namespace] = true
	}
	now, f := inf.watches, inf.wanted
	for _, s := range inf.scopes {
		now.Add(1)
		inf.workers.Go(func() {
			defer now.Done()
			if before != nil {
				before.Wait()
			}
			inf.reflect(ctx, s, f)
		})
	}
}

// end stops the informer and waits for its goroutines.
func (inf *informer) end() {
	inf.mu.Lock()
	inf.stop()
	inf.mu.Unlock()
	inf.workers.Wait()
}

// wait returns when the objects are there in the form, or says why they are not.
func (inf *informer) wait(ctx context.Context, f form) error {
	for {
		inf.mu.Lock()
		synced, news, failure := inf.synced[f], inf.news, inf.failure
		inf.mu.Unlock()
		select {
		case <-synced:
			return nil
		default:
		}
		if failure != nil {
			return failure
		}
		select {
		case <-synced:
			return nil
		case <-news:
		case <-inf.life.Done():
			return fmt.Errorf("cache of %s was stopped before its first list", inf.kind.gvk)
		case <-ctx.Done():
			return fmt.Errorf("cache of %s: the first list did not arrive: %w", inf.kind.gvk, ctx.Err())
		}
	}
}

// failed keeps an error that will not pass by itself for those who wait.
func (inf *informer) failed(err error) {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	inf.failure = err
	if err != nil {
		close(inf.news)
		inf.news = make(chan struct{})
	}
}

// put takes in a new or changed object.
func (inf *informer) put(obj store.Object) error {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	return inf.putLocked(obj)
}

func (inf *informer) putLocked(obj store.Object) error {
	obj.GetObjectKind().SetGroupVersionKind(inf.kind.gvk)
	old, err := inf.store.Put(obj)
	if err != nil {
		return err
	}
	switch {
	case old == nil:
		inf.tell(event{new: obj})
	case old.GetResourceVersion() != obj.GetResourceVersion():
		inf.tell(event{old: old, new: obj})
	}
	return nil
}

// drop takes out an object. seen says that the watch showed its end, with last as its last state; otherwise a list missed it.
func (inf *informer) drop(key store.Key, last store.Object) {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	old := inf.store.Delete(key)
	if old == nil {
		return
	}
	if last != nil {
		last.GetObjectKind().SetGroupVersionKind(inf.kind.gvk)
		inf.tell(event{old: last})
		return
	}
	inf.tell(event{old: old, missed: true})
}

// replace takes in a list of all objects of a scope.
func (inf *informer) replace(s scope, f form, list []any) error {
	inf.mu.Lock()
	defer inf.mu.Unlock()
	listed := make(map[store.Key]struct{}, len(list))
	var errs []error
	for _, item := range list {
		obj, ok := item.(store.Object)
		if !ok {
			errs = append(errs, fmt.Errorf("%T in the list of %s is not an object", item, inf.kind.gvk))
			continue
		}
		listed[store.KeyOf(obj)] = struct{}{}
		errs = append(errs, inf.putLocked(obj))
	}
	var gone []store.Object
	if err := inf.store.Select(store.Query{Namespace: s.namespace}, func(obj store.Object) bool {
		if _, ok := listed[store.KeyOf(obj)]; !ok && s.has(obj.GetNamespace()) {
			gone = append(gone, obj)
		}
		return true
	}); err != nil {
		errs = append(errs, err)
	}
	for _, obj := range gone {
		inf.store.Delete(store.KeyOf(obj))
		inf.tell(event{old: obj, missed: true})
	}
	inf.listed(s, f)
	return errors.Join(errs...)
}

// listed notes that the first list of a scope is in and wakes those who wait for the last one. The caller holds mu.
func (inf *informer) listed(s scope, f form) {
	if f != inf.watched {
		return
	}
	delete(inf.unlisted, s.namespace)
	if len(inf.unlisted) > 0 {
		return
	}
	for lesser := range f + 1 {
		if !closed(inf.synced[lesser]) {
			close(inf.synced[lesser])
		}
	}
	for sub := range inf.subscribers {
		inf.join(sub)
	}
}

// tell passes an event to all subscribers that have joined. The caller holds mu, so that all hear the same order.
func (inf *informer) tell(e event) {
	for sub := range inf.subscribers {
		if sub.joined {
			sub.push(e)
		}
	}
}

// join gives a subscriber the objects that exist, once they are there in its form. The caller holds mu.
func (inf *informer) join(sub *subscriber) {
	if sub.joined || !closed(inf.synced[sub.form]) {
		return
	}
	sub.joined = true
	sub.push(inf.all(func(obj store.Object) event { return event{new: obj, initial: true} })...)
	sub.push(event{endOfInitial: true})
}

// all makes an event of each object. The caller holds mu.
func (inf *informer) all(of func(store.Object) event) []event {
	var out []event
	// The zero query names no index, the only thing that can be wrong with one.
	_ = inf.store.Select(store.Query{}, func(obj store.Object) bool {
		out = append(out, of(obj))
		return true
	})
	return out
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// view is the informer as those see it who asked for one form of the kind.
type view struct {
	*informer
	form form
}

var _ Informer = view{}

// AddEventHandler implements Informer.
func (v view) AddEventHandler(handler toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	return v.subscribe(handler, v.resync)
}

// AddEventHandlerWithResyncPeriod implements Informer.
func (v view) AddEventHandlerWithResyncPeriod(handler toolscache.ResourceEventHandler, resyncPeriod time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	return v.subscribe(handler, resyncPeriod)
}

// AddEventHandlerWithOptions implements Informer.
func (v view) AddEventHandlerWithOptions(handler toolscache.ResourceEventHandler, options toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	if options.ResyncPeriod != nil {
		return v.subscribe(handler, *options.ResyncPeriod)
	}
	return v.subscribe(handler, v.resync)
}

func (v view) subscribe(handler toolscache.ResourceEventHandler, resync time.Duration) (toolscache.ResourceEventHandlerRegistration, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.life.Err() != nil {
		return nil, fmt.Errorf("informer of %s is stopped: it takes no handlers; get a new one from the cache", v.kind.gvk)
	}
	sub := newSubscriber(v, handler, resync)
	v.subscribers[sub] = struct{}{}
	v.join(sub)
	v.workers.Go(sub.deliver)
	return sub, nil
}

// RemoveEventHandler implements Informer.
func (v view) RemoveEventHandler(handle toolscache.ResourceEventHandlerRegistration) error {
	sub, ok := handle.(*subscriber)
	if !ok || sub.informer != v.informer {
		return fmt.Errorf("%T is not a registration of the informer of %s", handle, v.kind.gvk)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.subscribers, sub)
	sub.end()
	return nil
}

// AddIndexers implements Informer.
func (v view) AddIndexers(indexers toolscache.Indexers) error {
	for name, values := range indexers {
		err := v.addIndex(name, func(obj store.Object) ([]string, error) { return values(obj) })
		if err != nil {
			return err
		}
	}
	return nil
}

// addIndex adds an index whose function gets the view's form of the objects.
func (v view) addIndex(name string, values store.IndexFunc) error {
	return v.store.AddIndex(name, func(obj store.Object) ([]string, error) {
		if formOf(obj) < v.form {
			return nil, nil // Comes again in the richer form before anybody may read it.
		}
		own, err := convert(obj, v.form, v.kind.gvk, v.cache.opts.Scheme)
		if err != nil {
			return nil, err
		}
		return values(own)
	})
}

// HasSynced implements Informer.
func (v view) HasSynced() bool { return closed(v.synced[v.form]) }

// HasSyncedChecker implements Informer.
func (v view) HasSyncedChecker() toolscache.DoneChecker {
	return done{name: "cache of " + v.kind.gvk.String(), when: v.synced[v.form]}
}

// IsStopped implements Informer.
func (v view) IsStopped() bool { return v.life.Err() != nil }

type done struct {
	name string
	when <-chan struct{}
}

func (d done) Name() string          { return d.name }
func (d done) Done() <-chan struct{} { return d.when }

// kind is a kind with its place in the API.
type kind struct {
	gvk        schema.GroupVersionKind
	resource   schema.GroupVersionResource
	namespaced bool
}
