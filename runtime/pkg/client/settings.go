package client

import (
	"net/http"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// Options say how a client is made. The zero value works.
type Options struct {
	// HTTPClient sends the requests. By default one is made from the rest config.
	HTTPClient *http.Client
	// Scheme maps Go types to kinds. By default it is the one of client-go, with the built-in kinds.
	Scheme *runtime.Scheme
	// Mapper maps kinds to resources. By default one is made that asks the API server as needed.
	Mapper meta.RESTMapper
	// Cache makes reads come from a cache. By default all requests go to the API server.
	Cache *CacheOptions
	// DryRun makes all writes dry runs when it is true.
	DryRun *bool
	// FieldOwner is the field owner of all writes that do not name one. Apply needs one, here or with each request.
	FieldOwner string
	// FieldValidation is the field validation of all writes that do not ask for one: Ignore, Warn or Strict.
	FieldValidation string
	// Log gets the API server's warnings. By default they go to the log that the context of the request or the process
	// has.
	Log logr.Logger
}

// CacheOptions say which reads come from a cache.
type CacheOptions struct {
	// Reader is the cache. Without one nothing is read from a cache.
	Reader Reader
	// DisableFor are objects of the kinds that are read from the API server all the same.
	DisableFor []Object
	// Unstructured makes reads into unstructured values come from the cache too. By default they go to the API server,
	// since reading a kind from the cache starts to watch all of its objects.
	Unstructured bool
	// EnableReadYourWritesConsistency makes reads from the cache wait until what this client has written before has
	// arrived there. By default they do not wait. The cache must offer its informers for it.
	EnableReadYourWritesConsistency *bool
}

// NewClientFunc makes a client.
type NewClientFunc func(config *rest.Config, options Options) (Client, error)
