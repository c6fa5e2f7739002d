// Package cluster bundles what talking to one Kubernetes cluster takes: its
// configuration, REST mapping, cache, clients and event recorders.
//
// A manager is a cluster and what runs on it. An operator that works on further
// clusters makes one Cluster for each and adds it to its manager, which then
// fills its cache before controllers start:
//
//	other, err := cluster.New(otherConfig)
//	…
//	err = mgr.Add(other)
package cluster

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"kubewright.dev/runtime/pkg/cache"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/recorder"
)

// Cluster gives access to one Kubernetes cluster.
type Cluster interface {
	// GetHTTPClient returns the client that all requests to the cluster share.
	GetHTTPClient() *http.Client

	// GetConfig returns the configuration that the cluster was made with. It is
	// shared: copy it before changing it.
	GetConfig() *rest.Config

	// GetCache returns the cache of the cluster's objects.
	GetCache() cache.Cache

	// GetScheme returns the scheme that all parts of the cluster share.
	GetScheme() *runtime.Scheme

	// GetClient returns a client that reads from the cache, as its options say,
	// and writes to the API server.
	GetClient() client.Client

	// GetFieldIndexer returns what adds indexes to the cache.
	GetFieldIndexer() client.FieldIndexer

	// GetRESTMapper returns what maps kinds to the server's resources.
	GetRESTMapper() meta.RESTMapper

	// GetAPIReader returns a reader that asks the API server each time. Use it
	// where the cache's lag is not acceptable, or before the cache has started.
	GetAPIReader() client.Reader

	// The next two are those of recorder.Provider.

	// GetEventRecorderFor returns a recorder of the old events API.
	//
	// Deprecated: this writes the old events API; use GetEventRecorder.
	GetEventRecorderFor(name string) record.EventRecorder

	// GetEventRecorder returns a recorder of events.k8s.io/v1 events, with name
	// as the reporting controller.
	GetEventRecorder(name string) recorder.EventRecorder

	// Start fills the cache and keeps it current until the context ends.
	Start(ctx context.Context) error
}
