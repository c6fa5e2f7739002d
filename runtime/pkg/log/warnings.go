package log

import (
	"context"
	"sync"

	"k8s.io/client-go/rest"
)

// miscWarning is the code of the HTTP Warning headers that the API server
// sends; others come from proxies and caches in between.
const miscWarning = 299

// KubeAPIWarningLoggerOptions say how warnings are logged.
type KubeAPIWarningLoggerOptions struct {
	// Deduplicate logs each text only the first time it is seen. It keeps all
	// texts in memory, so it is for servers whose warnings are few.
	Deduplicate bool
}

// KubeAPIWarningLogger logs the warnings that the API server puts on its
// answers, as for deprecated APIs, to the request context's logger.
type KubeAPIWarningLogger struct {
	opts KubeAPIWarningLoggerOptions
	seen sync.Map
}

var _ rest.WarningHandlerWithContext = (*KubeAPIWarningLogger)(nil)

// NewKubeAPIWarningLogger returns a warning handler for a rest.Config.
func NewKubeAPIWarningLogger(opts KubeAPIWarningLoggerOptions) *KubeAPIWarningLogger {
	return &KubeAPIWarningLogger{opts: opts}
}

// HandleWarningHeaderWithContext logs one warning of an answer.
func (l *KubeAPIWarningLogger) HandleWarningHeaderWithContext(ctx context.Context, code int, _ string, message string) {
	if code != miscWarning || message == "" {
		return
	}
	if l.opts.Deduplicate {
		if _, again := l.seen.LoadOrStore(message, true); again {
			return
		}
	}
	FromContext(ctx).Info(message)
}
