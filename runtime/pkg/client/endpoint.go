package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/client/apiutil"
)

// endpoint is where the API server serves a kind, with the connection to send requests through.
type endpoint struct {
	rest.Interface
	*meta.RESTMapping
}

// at starts a request about the object of that key.
func (e endpoint) at(verb *rest.Request, key ObjectKey) *rest.Request {
	return e.in(verb, key.Namespace).Name(key.Name)
}

// in starts a request about the objects of a namespace.
func (e endpoint) in(verb *rest.Request, namespace string) *rest.Request {
	return verb.NamespaceIfScoped(namespace, e.namespaced()).Resource(e.Resource.Resource)
}

func (e endpoint) namespaced() bool { return isNamespaced(e.RESTMapping) }

func isNamespaced(mapping *meta.RESTMapping) bool {
	return mapping.Scope.Name() != meta.RESTScopeNameRoot
}

// encoding is how values go over the wire.
type encoding int

const (
	// bestEncoding is protobuf where the kind is built in, else JSON.
	bestEncoding encoding = iota
	// jsonEncoding is for Go types without protobuf code.
	jsonEncoding
	// schemalessEncoding is JSON that is decoded without regard to the scheme.
	schemalessEncoding
)

// encodingOf is the encoding that all of the values can be sent and read in.
func encodingOf(values ...runtime.Object) encoding {
	enc := bestEncoding
	for _, v := range values {
		if _, ok := v.(runtime.Unstructured); ok {
			return schemalessEncoding
		}
		if !hasProtobuf(v) {
			enc = jsonEncoding
		}
	}
	return enc
}

func hasProtobuf(v runtime.Object) bool {
	_, ok := v.(interface {
		Marshal() ([]byte, error)
		Unmarshal([]byte) error
	})
	return ok
}

// endpoints finds where kinds are served and keeps what it has found. A mapping that is kept stays right: a kind never
// moves, and one that is removed gives errors of the server.
type endpoints struct {
	config *rest.Config
	http   *http.Client
	scheme *runtime.Scheme
	mapper meta.RESTMapper
	codecs serializer.CodecFactory

	mu       sync.RWMutex
	mappings map[schema.GroupVersionKind]*meta.RESTMapping
	clients  map[clientKey]rest.Interface
}

type clientKey struct {
	schema.GroupVersionKind
	encoding
}

func newEndpoints(config *rest.Config, http *http.Client, scheme *runtime.Scheme, mapper meta.RESTMapper) *endpoints {
	return &endpoints{
		config: config, http: http, scheme: scheme, mapper: mapper,
		codecs:   serializer.NewCodecFactory(scheme),
		mappings: map[schema.GroupVersionKind]*meta.RESTMapping{},
		clients:  map[clientKey]rest.Interface{},
	}
}

// of returns the endpoint for obj, or for the items of obj when it is a list. The endpoint's encoding suits obj and the
// further values.
func (e *endpoints) of(obj runtime.Object, further ...runtime.Object) (endpoint, error) {
	gvk, err := e.kindOf(obj)
	if err != nil {
		return endpoint{}, err
	}
	return e.forKind(gvk, encodingOf(append(further, obj)...))
}

// kindOf is the kind of obj, or of its items when it is a list.
func (e *endpoints) kindOf(obj runtime.Object) (schema.GroupVersionKind, error) {
	gvk, err := apiutil.GVKForObject(obj, e.scheme)
	if err != nil {
		return gvk, err
	}
	return itemKind(gvk, obj), nil
}

// itemKind is the kind of a list's items; for all other values it is gvk.
func itemKind(gvk schema.GroupVersionKind, obj runtime.Object) schema.GroupVersionKind {
	if _, isList := obj.(ObjectList); isList {
		gvk.Kind = strings.TrimSuffix(gvk.Kind, "List")
	}
	return gvk
}

func (e *endpoints) forKind(gvk schema.GroupVersionKind, enc encoding) (endpoint, error) {
	mapping, err := e.mapping(gvk)
	if err != nil {
		return endpoint{}, err
	}
	key := clientKey{gvk, enc}
	e.mu.RLock()
	known := e.clients[key]
	e.mu.RUnlock()
	if known != nil {
		return endpoint{known, mapping}, nil
	}
	made, err := apiutil.RESTClientForGVK(gvk, enc == jsonEncoding, enc == schemalessEncoding, e.config, e.codecs, e.http)
	if err != nil {
		return endpoint{}, fmt.Errorf("client for %s: %w", gvk, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clients[key] = made
	return endpoint{made, mapping}, nil
}

func (e *endpoints) mapping(gvk schema.GroupVersionKind) (*meta.RESTMapping, error) {
	e.mu.RLock()
	known := e.mappings[gvk]
	e.mu.RUnlock()
	if known != nil {
		return known, nil
	}
	found, err := e.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mappings[gvk] = found
	return found, nil
}

// queryParameters encodes request options as they are. They are the same in all groups and versions, so no scheme needs
// to know them.
type queryParameters struct{}

func (queryParameters) EncodeParameters(obj runtime.Object, _ schema.GroupVersion) (url.Values, error) {
	return queryparams.Convert(obj)
}

func (queryParameters) DecodeParameters(url.Values, schema.GroupVersion, runtime.Object) error {
	return fmt.Errorf("a client does not decode query parameters")
}
