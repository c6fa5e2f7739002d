// Package log is where the runtime's log lines go.
//
// Library code logs long before main has decided how: package variables hold
// loggers, and constructors name them. So [Log] may be used, named and given
// values at any time; what it writes is held to the logger that [SetLogger]
// brings later. A program that never calls SetLogger is told so once, and its
// lines are dropped.
//
// A reconciler takes its logger from the context, with [FromContext]: it
// carries the controller's name and the key being reconciled.
package log

import (
	"context"
	"reflect"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// Log is the root logger: it, and every logger derived from it before or after
// SetLogger, writes to the logger that SetLogger set.
var Log = logr.New(newDeferredSink(root))

// SetLogger sets the logger that Log, and all loggers derived from it, write
// to. Only the first call counts: loggers already given out keep the sink that
// they have. klog, and so client-go, writes to the same logger from then on.
func SetLogger(l logr.Logger) {
	if root.resolve(l.GetSink()) && !writesToKlog(l.GetSink()) {
		klog.SetLogger(l)
	}
}

// writesToKlog says whether the sink is klog's own: klog handed that one as its
// logger would call itself without end.
func writesToKlog(sink logr.LogSink) bool {
	kind := reflect.TypeOf(sink)
	if kind == nil {
		return false
	}
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	return strings.HasPrefix(kind.PkgPath(), "k8s.io/klog")
}

// FromContext returns the logger that the context carries, or Log if it has
// none, with keysAndValues added.
func FromContext(ctx context.Context, keysAndValues ...any) logr.Logger {
	logger := Log
	if ctx != nil {
		if carried, err := logr.FromContext(ctx); err == nil {
			logger = carried
		}
	}
	return logger.WithValues(keysAndValues...)
}

// IntoContext returns a context that carries the logger, for FromContext.
func IntoContext(ctx context.Context, log logr.Logger) context.Context {
	return logr.NewContext(ctx, log)
}
