// Package manager runs all that an operator consists of.
//
// A [Manager] owns the parts that controllers share: the cache, the clients,
// the event recorders, and the metrics, health and webhook servers. What is
// added to it (see [Runnable]) starts in an order that makes each part find
// what it needs:
//
//  1. servers for metrics, health and profiles,
//  2. the webhook server, until it answers,
//  3. caches, until they are filled,
//  4. runnables that need no lease, and warm-ups of those that do,
//  5. once this replica leads: all others, controllers among them.
//
// They stop in the opposite order. Without leader election a replica leads as
// soon as the fourth step is done.
package manager

import (
	"context"
	"net/http"

	"github.com/go-logr/logr"

	"kubewright.dev/runtime/pkg/cluster"
	"kubewright.dev/runtime/pkg/config"
	"kubewright.dev/runtime/pkg/healthz"
	"kubewright.dev/runtime/pkg/webhook"
	"kubewright.dev/runtime/pkg/webhook/conversion"
)

// Manager runs controllers, webhooks and other runnables, and provides them
// with what they share.
type Manager interface {
	// Cluster is the cluster that the manager's own cache and clients talk to.
	cluster.Cluster

	// Add takes the runnable in. It starts with the manager, or at once if the
	// manager is running; one that needs the lease waits for it. After the
	// manager began to stop, Add is an error.
	Add(Runnable) error

	// Elected is closed when this replica begins to lead. Without leader
	// election that is when everything that needs no lease has started.
	Elected() <-chan struct{}

	// AddMetricsServerExtraHandler serves one more path on the metrics server,
	// behind the same protection. It has to be called before Start.
	AddMetricsServerExtraHandler(path string, handler http.Handler) error

	// AddHealthzCheck adds a check to the liveness endpoint. It has to be called
	// before Start.
	AddHealthzCheck(name string, check healthz.Checker) error

	// AddReadyzCheck adds a check to the readiness endpoint. It has to be called
	// before Start.
	AddReadyzCheck(name string, check healthz.Checker) error

	// Start runs the manager until the context ends, a runnable fails or the
	// lease is lost. It stops all runnables before it returns, for as long as
	// the graceful time-out allows. A manager starts once.
	//
	// When the lease was lost, another replica leads already: the process must
	// exit after Start returns.
	Start(ctx context.Context) error

	// GetWebhookServer returns the webhook server. The first call adds it to
	// the manager: a manager that nobody asks for it serves no webhooks.
	GetWebhookServer() webhook.Server

	// GetLogger returns the manager's logger.
	GetLogger() logr.Logger

	// GetControllerOptions returns the defaults of controllers.
	GetControllerOptions() config.Controller

	// GetConverterRegistry returns where conversions between the versions of a
	// kind are registered for the conversion webhook.
	GetConverterRegistry() conversion.Registry
}
