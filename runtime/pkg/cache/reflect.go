package cache

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"kubewright.dev/runtime/internal/store"
	"kubewright.dev/runtime/pkg/client/apiutil"
	"kubewright.dev/runtime/pkg/log"
)

// scope is what one watch covers: a namespace, or all of them but some.
type scope struct {
	namespace string
	without   []string
	label     labels.Selector
	field     fields.Selector
	transform toolscache.TransformFunc
	bookmarks bool
	shared    bool
}

// has reports whether the namespace is in the scope.
func (s scope) has(namespace string) bool {
	if s.namespace != AllNamespaces {
		return s.namespace == namespace
	}
	for _, other := range s.without {
		if other == namespace {
			return false
		}
	}
	return true
}

// narrow puts the selectors of the scope in the options of a request.
func (s scope) narrow(o *metav1.ListOptions) {
	if s.label != nil {
		o.LabelSelector = s.label.String()
	}
	field := s.field
	for _, ns := range s.without {
		not := fields.OneTermNotEqualSelector("metadata.namespace", ns)
		if field == nil {
			field = not
		} else {
			field = fields.AndSelectors(field, not)
		}
	}
	if field != nil {
		o.FieldSelector = field.String()
	}
	if o.Watch || o.AllowWatchBookmarks {
		o.AllowWatchBookmarks = s.bookmarks || o.SendInitialEvents != nil
	}
}

// reflect lists and watches a scope until ctx is done.
func (inf *informer) reflect(ctx context.Context, s scope, f form) {
	lw, example, err := inf.cache.endpoint(inf.kind, s.namespace, f)
	if err != nil {
		inf.report(ctx, nil, "list", err)
		return
	}
	var r *toolscache.Reflector
	observed := &toolscache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			s.narrow(&o)
			list, err := lw.ListWithContextFunc(ctx, o)
			inf.report(ctx, r, "list", err)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			s.narrow(&o)
			w, err := lw.WatchFuncWithContext(ctx, o)
			// A server that cannot stream lists says so; the reflector then lists.
			if o.SendInitialEvents == nil || !apierrors.IsInvalid(err) {
				inf.report(ctx, r, "watch", err)
			}
			return w, err
		},
	}
	quiet := logr.Discard() // Errors are reported here, with what to do about them.
	r = toolscache.NewReflectorWithOptions(observed, example, sink{inf, s, f}, toolscache.ReflectorOptions{
		Logger: &quiet, Name: "cache", TypeDescription: inf.kind.gvk.String(),
	})
	r.RunWithContext(klog.NewContext(ctx, quiet))
}

// report tells of an error of a list or watch, and those who wait for the first list if it will not pass by itself.
func (inf *informer) report(ctx context.Context, r *toolscache.Reflector, verb string, err error) {
	if err == nil {
		if verb == "list" {
			inf.failed(nil)
		}
		return
	}
	if ctx.Err() != nil || apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return
	}
	lasting, explained := inf.explain(verb, err)
	if lasting {
		inf.failed(explained)
	}
	if h := inf.cache.opts.DefaultWatchErrorHandler; h != nil && r != nil {
		h(ctx, r, err)
		return
	}
	log.Log.WithName("cache").Error(explained, "the cache cannot be filled; trying again", "kind", inf.kind.gvk.String())
}

// explain adds to an error what to do, and says whether it stays until somebody does that.
func (inf *informer) explain(verb string, err error) (lasting bool, explained error) {
	res := inf.kind.resource
	switch {
	case apierrors.IsForbidden(err):
		return true, fmt.Errorf("cannot %s %s: permission is missing: allow the verbs get, list and watch on resource %q of API group %q, "+
			"as with the marker +kubebuilder:rbac:groups=%q,resources=%s,verbs=get;list;watch: %w",
			verb, inf.kind.gvk, res.Resource, res.Group, res.Group, res.Resource, err)
	case apierrors.IsNotFound(err) || meta.IsNoMatchError(err):
		return true, fmt.Errorf("cannot %s %s: the API server does not have the kind: install its CRD first, as with `make install`: %w",
			verb, inf.kind.gvk, err)
	case apierrors.IsMethodNotSupported(err):
		return true, fmt.Errorf("cannot %s %s: the API server does not offer that for the kind; read it without cache: %w", verb, inf.kind.gvk, err)
	}
	return false, fmt.Errorf("cannot %s %s: %w", verb, inf.kind.gvk, err)
}

// endpoint returns what lists and watches a kind in a form, and an empty object of that form.
func (c *informerCache) endpoint(k kind, namespace string, f form) (*toolscache.ListWatch, runtime.Object, error) {
	switch f {
	case metadataForm:
		all, err := metadata.NewForConfigAndClient(metadata.ConfigFor(c.config), c.opts.HTTPClient)
		if err != nil {
			return nil, nil, err
		}
		var at metadata.ResourceInterface = all.Resource(k.resource)
		if namespace != "" {
			at = all.Resource(k.resource).Namespace(namespace)
		}
		example := &metav1.PartialObjectMetadata{}
		example.SetGroupVersionKind(k.gvk)
		return &toolscache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
				return at.List(ctx, o)
			},
			WatchFuncWithContext: at.Watch,
		}, example, nil
	case unstructuredForm:
		all, err := dynamic.NewForConfigAndClient(c.config, c.opts.HTTPClient)
		if err != nil {
			return nil, nil, err
		}
		var at dynamic.ResourceInterface = all.Resource(k.resource)
		if namespace != "" {
			at = all.Resource(k.resource).Namespace(namespace)
		}
		example := &unstructured.Unstructured{}
		example.SetGroupVersionKind(k.gvk)
		return &toolscache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
				return at.List(ctx, o)
			},
			WatchFuncWithContext: at.Watch,
		}, example, nil
	}
	return c.typedEndpoint(k, namespace)
}

func (c *informerCache) typedEndpoint(k kind, namespace string) (*toolscache.ListWatch, runtime.Object, error) {
	example, err := c.opts.Scheme.New(k.gvk)
	if err != nil {
		return nil, nil, err
	}
	listKind := k.gvk
	listKind.Kind += "List"
	if !c.opts.Scheme.Recognizes(listKind) {
		return nil, nil, fmt.Errorf("the scheme has %s but not %s: register the list type too", k.gvk, listKind)
	}
	rc, err := apiutil.RESTClientForGVK(k.gvk, false, false, c.config, serializer.NewCodecFactory(c.opts.Scheme), c.opts.HTTPClient)
	if err != nil {
		return nil, nil, err
	}
	params := runtime.NewParameterCodec(c.opts.Scheme)
	return &toolscache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			list, err := c.opts.Scheme.New(listKind)
			if err != nil {
				return nil, err
			}
			req := rc.Get().NamespaceIfScoped(namespace, namespace != "").Resource(k.resource.Resource)
			return list, req.VersionedParams(&o, params).Do(ctx).Into(list)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.Watch = true
			req := rc.Get().NamespaceIfScoped(namespace, namespace != "").Resource(k.resource.Resource)
			return req.VersionedParams(&o, params).Watch(ctx)
		},
	}, example, nil
}

// sink is what a reflector fills.
type sink struct {
	inf   *informer
	scope scope
	form  form
}

var _ toolscache.TransformingStore = sink{}

// Add takes in a new object.
func (s sink) Add(obj any) error { return s.put(obj) }

// Update takes in a changed object.
func (s sink) Update(obj any) error { return s.put(obj) }

func (s sink) put(in any) error {
	obj, err := s.transformed(in)
	if err != nil {
		return err
	}
	return s.inf.put(obj)
}

// Delete drops an object.
func (s sink) Delete(in any) error {
	obj, err := s.transformed(in)
	if err != nil {
		return err
	}
	s.inf.drop(store.KeyOf(obj), obj)
	return nil
}

// Replace takes in all objects of the scope.
func (s sink) Replace(list []any, _ string) error {
	var errs []error
	for i := range list {
		obj, err := s.transformed(list[i])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list[i] = obj
	}
	return errors.Join(append(errs, s.inf.replace(s.scope, s.form, list))...)
}

// Resync does nothing: subscribers resync by themselves.
func (s sink) Resync() error { return nil }

// Transformer is empty: the sink transforms all that comes.
func (s sink) Transformer() toolscache.TransformFunc { return nil }

func (s sink) transformed(in any) (store.Object, error) {
	out, err := s.scope.transform(in)
	if err != nil {
		return nil, fmt.Errorf("transform of %s: %w", s.inf.kind.gvk, err)
	}
	obj, ok := out.(store.Object)
	if !ok {
		return nil, fmt.Errorf("transform of %s made %T, which is not an object", s.inf.kind.gvk, out)
	}
	return obj, nil
}
