package manager_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/healthz"
	"kubewright.dev/runtime/pkg/manager"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
)

// quiet are options of a manager that serves nothing.
func quiet() manager.Options {
	return manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}}
}

func newManager(t *testing.T, options manager.Options) manager.Manager {
	t.Helper()
	mgr, err := manager.New(server, options)
	if err != nil {
		t.Fatal(err)
	}
	return mgr
}

// running is a manager that has been started.
type running struct {
	stop context.CancelFunc
	done chan error
}

func start(t *testing.T, mgr manager.Manager) running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := running{stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- mgr.Start(ctx) }()
	t.Cleanup(cancel)
	return r
}

// ended waits for Start to return, and returns its error.
func (r running) ended(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the manager did not end")
		return nil
	}
}

func within(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s did not happen", what)
	}
}

// part is a runnable that tells when it runs.
type part struct {
	name    string
	forAll  bool
	journal *journal
	began   chan struct{}
	run     func(context.Context) error
}

func (p *part) NeedLeaderElection() bool { return !p.forAll }

func (p *part) Start(ctx context.Context) error {
	p.journal.add(p.name + " began")
	defer p.journal.add(p.name + " ended")
	close(p.began)
	if p.run != nil {
		return p.run(ctx)
	}
	<-ctx.Done()
	return nil
}

type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}

func (j *journal) part(name string, forAll bool) *part {
	return &part{name: name, forAll: forAll, journal: j, began: make(chan struct{})}
}

func add(t *testing.T, mgr manager.Manager, parts ...manager.Runnable) {
	t.Helper()
	for _, p := range parts {
		if err := mgr.Add(p); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunnablesOfTheLeaderStartLastAndStopFirst(t *testing.T) {
	mgr := newManager(t, quiet())
	var j journal
	leader, all := j.part("leader", false), j.part("all", true)
	synced := false
	all.run = func(ctx context.Context) error {
		// The cache is filled before anything that reads it starts.
		synced = mgr.GetCache().WaitForCacheSync(ctx)
		<-ctx.Done()
		return nil
	}
	add(t, mgr, leader, all)

	r := start(t, mgr)
	within(t, "election", mgr.Elected())
	within(t, "start of the leader's", leader.began)
	late := j.part("late", false)
	add(t, mgr, late)
	within(t, "start of the late one", late.began)
	r.stop()
	if err := r.ended(t); err != nil {
		t.Fatal(err)
	}

	lines := j.all()
	if last := lines[len(lines)-1]; last != "all ended" {
		t.Errorf("%q ended last: %q", last, lines)
	}
	if !synced {
		t.Error("the cache was not filled")
	}
	if err := mgr.Add(j.part("too late", false)); err == nil {
		t.Error("a stopped manager took a runnable")
	}
	if err := mgr.Start(context.Background()); err == nil {
		t.Error("a manager started twice")
	}
}

func TestAManagerEndsWithTheErrorOfARunnable(t *testing.T) {
	for _, forAll := range []bool{true, false} {
		mgr := newManager(t, quiet())
		var j journal
		broken := errors.New("broken")
		failing, other := j.part("failing", forAll), j.part("other", false)
		failing.run = func(context.Context) error { return broken }
		add(t, mgr, other, failing)
		if err := start(t, mgr).ended(t); !errors.Is(err, broken) {
			t.Errorf("for all %t: %v", forAll, err)
		}
	}
}

func TestARunnableThatReturnsEarlyDoesNotEndTheManager(t *testing.T) {
	mgr := newManager(t, quiet())
	var j journal
	brief := j.part("brief", false)
	brief.run = func(context.Context) error { return nil }
	add(t, mgr, brief)
	r := start(t, mgr)
	within(t, "brief one", brief.began)
	select {
	case err := <-r.done:
		t.Fatalf("the manager ended: %v", err)
	case <-mgr.Elected():
	}
	r.stop()
	if err := r.ended(t); err != nil {
		t.Fatal(err)
	}
}

func TestTheGracefulTimeOutNamesWhatDidNotStop(t *testing.T) {
	options := quiet()
	grace := 100 * time.Millisecond
	options.GracefulShutdownTimeout = &grace
	mgr := newManager(t, options)
	release := make(chan struct{})
	defer close(release)
	var j journal
	stubborn := j.part("stubborn", false)
	stubborn.run = func(context.Context) error { <-release; return nil }
	add(t, mgr, stubborn)

	r := start(t, mgr)
	within(t, "start", stubborn.began)
	r.stop()
	err := r.ended(t)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "part") {
		t.Errorf("got %v", err)
	}
}

// namespace makes a namespace of the test's own.
func namespace(t *testing.T) string {
	t.Helper()
	made, err := kubernetes.NewForConfigOrDie(server).CoreV1().Namespaces().Create(context.Background(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "manager-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Name
}

func electing(namespace string) manager.Options {
	options := quiet()
	lease, deadline, retry := 2*time.Second, time.Second, 200*time.Millisecond
	options.LeaderElection = true
	options.LeaderElectionID = "the-lease"
	options.LeaderElectionNamespace = namespace
	options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = &lease, &deadline, &retry
	return options
}

func TestAStandByTakesOverWhenTheLeaderGivesTheLeaseBack(t *testing.T) {
	ns := namespace(t)
	options := electing(ns)
	options.LeaderElectionReleaseOnCancel = true
	// Long enough that only a lease that is given back is taken in time.
	lease, deadline := 10*time.Minute, 9*time.Minute
	options.LeaseDuration, options.RenewDeadline = &lease, &deadline
	options.LeaderElectionLabels = map[string]string{"app": "shop"}

	var j journal
	first := newManager(t, options)
	ofFirst := j.part("first", false)
	add(t, first, ofFirst)
	running := start(t, first)
	within(t, "start of the first", ofFirst.began)

	second := newManager(t, options)
	ofSecond, always := j.part("second", false), j.part("always", true)
	add(t, second, ofSecond, always)
	standingBy := start(t, second)
	within(t, "stand-by's part that needs no lease", always.began)
	if slices.Contains(j.all(), "second began") {
		t.Fatal("two replicas lead")
	}

	running.stop()
	if err := running.ended(t); err != nil {
		t.Fatal(err)
	}
	within(t, "start of the second", ofSecond.began)
	got := j.all()
	if diff := cmp.Diff([]string{"first began", "always began", "first ended", "second began"}, got); diff != "" {
		t.Error(diff)
	}
	held, err := kubernetes.NewForConfigOrDie(server).CoordinationV1().Leases(ns).Get(context.Background(), "the-lease", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if held.Labels["app"] != "shop" {
		t.Errorf("labels of the lease: %v", held.Labels)
	}
	standingBy.stop()
	if err := standingBy.ended(t); err != nil {
		t.Fatal(err)
	}
}

func TestAStandByWhoseContextEndsNeverStartsWhatNeedsTheLease(t *testing.T) {
	options := electing(namespace(t))
	leader := newManager(t, options)
	leading := start(t, leader)
	within(t, "election", leader.Elected())

	var j journal
	standBy := newManager(t, options)
	always := j.part("always", true)
	add(t, standBy, j.part("needs the lease", false), always)
	standing := start(t, standBy)
	within(t, "stand-by", always.began)
	standing.stop()
	if err := standing.ended(t); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"always began", "always ended"}, j.all()); diff != "" {
		t.Error(diff)
	}
	leading.stop()
	if err := leading.ended(t); err != nil {
		t.Fatal(err)
	}
}

func TestALeaderThatLosesItsLeaseEnds(t *testing.T) {
	ns := namespace(t)
	mgr := newManager(t, electing(ns))
	r := start(t, mgr)
	within(t, "election", mgr.Elected())

	leases := kubernetes.NewForConfigOrDie(server).CoordinationV1().Leases(ns)
	thief, now, seconds := "thief", metav1.NowMicro(), int32(600)
	for {
		lease, err := leases.Get(context.Background(), "the-lease", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.LeaseDurationSeconds = &thief, &now, &seconds
		if _, err = leases.Update(context.Background(), lease, metav1.UpdateOptions{}); err == nil {
			break
		}
	}
	if err := r.ended(t); err == nil || !strings.Contains(err.Error(), "leader election lost") {
		t.Errorf("got %v", err)
	}
}

func TestElectionTimesThatCannotWorkAreErrorsAtOnce(t *testing.T) {
	seconds := func(n float64) *time.Duration {
		d := time.Duration(n * float64(time.Second))
		return &d
	}
	for _, tc := range []struct {
		name                   string
		lease, deadline, retry *time.Duration
		want                   string
	}{
		{"deadline above lease", seconds(5), seconds(10), nil, "LeaseDuration"},
		{"deadline equals lease", seconds(10), seconds(10), nil, "LeaseDuration"},
		{"deadline below retry", nil, seconds(2), seconds(2), "RetryPeriod"},
		{"no retry", nil, nil, seconds(0), "RetryPeriod"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			options := electing("default")
			options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = tc.lease, tc.deadline, tc.retry
			_, err := manager.New(server, options)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v", err)
			}
		})
	}

	options := quiet()
	options.LeaderElection = true
	if _, err := manager.New(server, options); err == nil || !strings.Contains(err.Error(), "LeaderElectionID") {
		t.Errorf("without a name: %v", err)
	}
}

// freeAddress is an address of this machine that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// get asks until the server is there.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		resp, err := http.Get(url)
		if err == nil {
			defer func() { _ = resp.Body.Close() }()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			return resp.StatusCode, string(body)
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestProbesMetricsAndProfilesAreServed(t *testing.T) {
	options := manager.Options{
		HealthProbeBindAddress: freeAddress(t),
		PprofBindAddress:       freeAddress(t),
		Metrics:                metricsserver.Options{BindAddress: freeAddress(t)},
	}
	mgr := newManager(t, options)
	if err := mgr.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		t.Fatal(err)
	}
	if err := mgr.AddReadyzCheck("sick", func(*http.Request) error { return errors.New("sick") }); err != nil {
		t.Fatal(err)
	}
	extra := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("extra")) })
	if err := mgr.AddMetricsServerExtraHandler("/extra", extra); err != nil {
		t.Fatal(err)
	}
	if err := mgr.AddMetricsServerExtraHandler("/metrics", extra); err == nil {
		t.Error("the path of the metrics was given to another handler")
	}
	r := start(t, mgr)
	within(t, "election", mgr.Elected())

	for _, tc := range []struct {
		url    string
		status int
		has    string
	}{
		{"http://" + options.HealthProbeBindAddress + "/healthz", 200, "ok"},
		{"http://" + options.HealthProbeBindAddress + "/healthz/healthz", 200, "ok"},
		{"http://" + options.HealthProbeBindAddress + "/readyz", 500, "[-]sick"},
		{"http://" + options.PprofBindAddress + "/debug/pprof/cmdline", 200, "manager"},
		{"http://" + options.Metrics.BindAddress + "/metrics", 200, "rest_client_requests_total{code="},
		{"http://" + options.Metrics.BindAddress + "/extra", 200, "extra"},
	} {
		status, body := get(t, tc.url)
		if status != tc.status || !strings.Contains(body, tc.has) {
			t.Errorf("%s: %d, want %d with %q: %.300s", tc.url, status, tc.status, tc.has, body)
		}
	}
	if err := mgr.AddHealthzCheck("late", healthz.Ping); err == nil {
		t.Error("a check was added to a manager that runs")
	}
	r.stop()
	if err := r.ended(t); err != nil {
		t.Fatal(err)
	}
}

func TestAnAddressThatIsTakenIsAnErrorThatNamesIt(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	options := quiet()
	options.HealthProbeBindAddress = taken.Addr().String()
	if _, err := manager.New(server, options); err == nil || !strings.Contains(err.Error(), options.HealthProbeBindAddress) {
		t.Errorf("got %v", err)
	}
	options = quiet()
	options.Metrics.BindAddress = taken.Addr().String()
	if err := start(t, newManager(t, options)).ended(t); err == nil || !strings.Contains(err.Error(), options.Metrics.BindAddress) {
		t.Errorf("got %v", err)
	}
}

func TestEventsOfBothAPIsReachTheServer(t *testing.T) {
	ns := namespace(t)
	mgr := newManager(t, quiet())
	r := start(t, mgr)
	within(t, "election", mgr.Elected())

	pod := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "thing"}}
	if err := mgr.GetClient().Create(context.Background(), pod); err != nil {
		t.Fatal(err)
	}
	mgr.GetEventRecorderFor("old-part").Event(pod, corev1.EventTypeNormal, "Old", "by the old API") //nolint:staticcheck // What is tested.
	mgr.GetEventRecorder("new-part").AnnotatedEventf(pod, nil, map[string]string{"why": "test"}, corev1.EventTypeNormal, "New", "Testing", "by the new %s", "API")

	found := map[string]bool{}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	watching, err := kubernetes.NewForConfigOrDie(server).CoreV1().Events(ns).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Stop()
	for len(found) < 2 {
		got, open := <-watching.ResultChan()
		if !open {
			t.Fatalf("found only %v", found)
		}
		if event, ok := got.Object.(*corev1.Event); ok {
			found[event.Reason+"/"+event.Message+"/"+event.Annotations["why"]] = true
		}
	}
	if diff := cmp.Diff(map[string]bool{"Old/by the old API/": true, "New/by the new API/test": true}, found); diff != "" {
		t.Error(diff)
	}
	r.stop()
	if err := r.ended(t); err != nil {
		t.Fatal(err)
	}
}

func TestAConfigurationIsNeeded(t *testing.T) {
	if _, err := manager.New(nil, quiet()); err == nil {
		t.Error("no error")
	}
	if _, err := manager.New(&rest.Config{Host: "http://127.0.0.1:1"}, manager.Options{
		Metrics:   metricsserver.Options{BindAddress: "0"},
		NewClient: func(*rest.Config, client.Options) (client.Client, error) { return nil, errors.New("no client today") },
	}); err == nil || !strings.Contains(err.Error(), "no client today") {
		t.Errorf("got %v", err)
	}
}
