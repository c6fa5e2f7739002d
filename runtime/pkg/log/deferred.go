package log

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
)

// patience is how long a program may log without having set a logger before it
// is told.
const patience = 30 * time.Second

// promise stands for the sink that SetLogger brings. It is kept at most once.
type promise struct {
	sink   atomic.Pointer[logr.LogSink]
	start  time.Time
	remind sync.Once
}

var root = &promise{start: time.Now()}

// resolve keeps the promise, and says whether it did: later calls change
// nothing.
func (p *promise) resolve(sink logr.LogSink) bool {
	if sink == nil {
		sink = NullLogSink{}
	}
	return p.sink.CompareAndSwap(nil, &sink)
}

// get returns the sink, or nil while there is none. A program that logs on
// without one gets a reminder, once, with the place that logged.
func (p *promise) get() logr.LogSink {
	if sink := p.sink.Load(); sink != nil {
		return *sink
	}
	if time.Since(p.start) > patience {
		p.remind.Do(func() {
			fmt.Fprintf(os.Stderr, "[kubewright] log lines are being dropped: log.SetLogger(...) was never called. Call it at the start of main, or with logr.Discard() to silence this. Seen at:\n%s", debug.Stack())
		})
	}
	return nil
}

// deferredSink is a sink that does not know yet where it writes. It remembers
// how it was derived from the root, and repeats that on the real sink the first
// time it is used after the promise was kept.
type deferredSink struct {
	promise *promise
	// derive makes the sink that this one stands for from the real root.
	derive func(logr.LogSink) logr.LogSink

	once sync.Once
	real logr.LogSink
}

func newDeferredSink(p *promise) *deferredSink {
	return &deferredSink{promise: p, derive: func(sink logr.LogSink) logr.LogSink {
		// This sink is one more frame between the caller and the real one.
		if deep, ok := sink.(logr.CallDepthLogSink); ok {
			sink = deep.WithCallDepth(1)
		}
		return sink
	}}
}

// then returns a sink that is derived from this one by one step more.
func (d *deferredSink) then(step func(logr.LogSink) logr.LogSink) logr.LogSink {
	if real := d.target(); real != nil {
		return &deferredSink{promise: d.promise, derive: func(logr.LogSink) logr.LogSink { return step(real) }}
	}
	return &deferredSink{promise: d.promise, derive: func(sink logr.LogSink) logr.LogSink {
		if base := d.target(); base != nil {
			return step(base)
		}
		return step(d.derive(sink))
	}}
}

// target returns the real sink, or nil while the promise is not kept.
func (d *deferredSink) target() logr.LogSink {
	sink := d.promise.get()
	if sink == nil {
		return nil
	}
	d.once.Do(func() { d.real = d.derive(sink) })
	return d.real
}

// Init is for logr, which calls it on the sink it is made with. The real sink
// was made by another logger, which called it there.
func (d *deferredSink) Init(logr.RuntimeInfo) {}

// Enabled says whether lines of the level are written; none are while there is
// no logger.
func (d *deferredSink) Enabled(level int) bool {
	real := d.target()
	return real != nil && real.Enabled(level)
}

// Info writes a line, or drops it while there is no logger.
func (d *deferredSink) Info(level int, msg string, keysAndValues ...any) {
	if real := d.target(); real != nil {
		real.Info(level, msg, keysAndValues...)
	}
}

// Error writes an error, or drops it while there is no logger.
func (d *deferredSink) Error(err error, msg string, keysAndValues ...any) {
	if real := d.target(); real != nil {
		real.Error(err, msg, keysAndValues...)
	}
}

// WithName derives a sink with one more part in its name.
func (d *deferredSink) WithName(name string) logr.LogSink {
	return d.then(func(sink logr.LogSink) logr.LogSink { return sink.WithName(name) })
}

// WithValues derives a sink that adds the pairs to its lines.
func (d *deferredSink) WithValues(keysAndValues ...any) logr.LogSink {
	return d.then(func(sink logr.LogSink) logr.LogSink { return sink.WithValues(keysAndValues...) })
}

// WithCallDepth derives a sink that skips more frames when it tells the caller.
func (d *deferredSink) WithCallDepth(depth int) logr.LogSink {
	return d.then(func(sink logr.LogSink) logr.LogSink {
		if deep, ok := sink.(logr.CallDepthLogSink); ok {
			return deep.WithCallDepth(depth)
		}
		return sink
	})
}
