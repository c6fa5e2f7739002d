package apiutil

import (
	"fmt"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// builtins are the kinds that the server is known to speak protobuf for: those of client-go and those that
// AddToProtobufScheme added.
var builtins = struct {
	sync.RWMutex
	scheme *runtime.Scheme
}{scheme: newProtobufScheme()}

func newProtobufScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(s); err != nil {
		// Adding fixed types to an empty scheme fails only if client-go itself is broken; JSON serves then.
		return runtime.NewScheme()
	}
	return s
}

// AddToProtobufScheme makes clients speak protobuf for the kinds that addToScheme adds. The Go types must have protobuf
// code and the API server must serve the kinds as protobuf; built-in kinds need no call, custom kinds cannot be.
func AddToProtobufScheme(addToScheme func(*runtime.Scheme) error) error {
	builtins.Lock()
	defer builtins.Unlock()
	return addToScheme(builtins.scheme)
}

// inProtobuf reports whether the server speaks protobuf for the kind.
func inProtobuf(gvk schema.GroupVersionKind) bool {
	builtins.RLock()
	defer builtins.RUnlock()
	t, known := builtins.scheme.AllKnownTypes()[gvk]
	return known && speaksProtobuf(t)
}

// RESTClientForGVK returns a client for requests about the kind. It speaks protobuf where the kind is known to be served
// so, unless forceDisableProtoBuf or isUnstructured is set, and JSON otherwise. Decoded objects keep the kind that the
// server gave them.
func RESTClientForGVK(gvk schema.GroupVersionKind, forceDisableProtoBuf bool, isUnstructured bool, baseConfig *rest.Config, codecs serializer.CodecFactory, httpClient *http.Client) (rest.Interface, error) {
	if httpClient == nil {
		return nil, fmt.Errorf("client for %s: no HTTP client given; make one with rest.HTTPClientFor", gvk)
	}
	cfg := rest.CopyConfig(baseConfig)
	gv := gvk.GroupVersion()
	cfg.GroupVersion = &gv
	cfg.APIPath = "/apis"
	if gvk.Group == "" {
		cfg.APIPath = "/api"
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	if cfg.ContentType == "" && !forceDisableProtoBuf && !isUnstructured && inProtobuf(gvk) {
		cfg.ContentType = runtime.ContentTypeProtobuf
		// Errors of proxies and of old aggregated servers come as JSON.
		cfg.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	}
	cfg.NegotiatedSerializer = keepKind{serializer.WithoutConversionCodecFactory{CodecFactory: codecs}}
	if isUnstructured {
		// Only JSON keeps fields that no Go type is known for.
		cfg.ContentType, cfg.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
		cfg.NegotiatedSerializer = schemaless{serializer.WithoutConversionCodecFactory{CodecFactory: codecs}}
	}
	return rest.RESTClientForConfigAndClient(cfg, httpClient)
}

// keepKind negotiates as usual, with decoders that leave the kind in the objects that they decode. client-go's own
// clients clear it, and callers that handle several kinds then cannot tell what they have.
type keepKind struct {
	serializer.WithoutConversionCodecFactory
}

// DecoderToVersion returns the serializer itself: it neither converts nor clears.
func (keepKind) DecoderToVersion(s runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return s
}
