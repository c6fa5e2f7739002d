package builder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/client/apiutil"
	"kubewright.dev/runtime/pkg/manager"
	"kubewright.dev/runtime/pkg/webhook/admission"
	"kubewright.dev/runtime/pkg/webhook/conversion"
)

// conversionPath is where every CRD has its objects converted.
const conversionPath = "/convert"

var webhookPath = regexp.MustCompile(`^((/[a-zA-Z0-9-_]+)+|/)$`)

// WebhookBuilder registers the webhooks of one Go type with a Manager's webhook server.
type WebhookBuilder[T runtime.Object] struct {
	mgr    manager.Manager
	object T

	defaulter        admission.Defaulter[T]
	customDefaulter  admission.CustomDefaulter
	defaulterOptions []admission.DefaulterOption
	defaulterPath    string

	validator       admission.Validator[T]
	customValidator admission.CustomValidator
	validatorPath   string

	newConverter   func(*runtime.Scheme) (conversion.Converter, error)
	recoverPanic   *bool
	logConstructor func(base logr.Logger, req *admission.Request) logr.Logger
	contextFunc    func(context.Context, *http.Request) context.Context

	problems []error
}

// WebhookManagedBy returns a builder for the webhooks of the object's type, which the Manager's scheme knows. Defaulting
// is served at /mutate-<group>-<version>-<kind> and validation at /validate-<group>-<version>-<kind>, with dots of the
// group as dashes and all in lower case: the paths that the generated configurations name. If the type's versions
// convert, conversion is served at /convert.
func WebhookManagedBy[T runtime.Object](m manager.Manager, object T) *WebhookBuilder[T] {
	return &WebhookBuilder[T]{mgr: m, object: object}
}

// WithDefaulter sets who fills in what objects leave open.
func (blder *WebhookBuilder[T]) WithDefaulter(defaulter admission.Defaulter[T], opts ...admission.DefaulterOption) *WebhookBuilder[T] {
	blder.defaulter, blder.defaulterOptions = defaulter, opts
	return blder
}

// WithCustomDefaulter is WithDefaulter for one that asserts the type itself.
//
// Deprecated: use WithDefaulter.
func (blder *WebhookBuilder[T]) WithCustomDefaulter(defaulter admission.CustomDefaulter, opts ...admission.DefaulterOption) *WebhookBuilder[T] {
	blder.customDefaulter, blder.defaulterOptions = defaulter, opts
	return blder
}

// WithValidator sets who says whether objects are acceptable.
func (blder *WebhookBuilder[T]) WithValidator(validator admission.Validator[T]) *WebhookBuilder[T] {
	blder.validator = validator
	return blder
}

// WithCustomValidator is WithValidator for one that asserts the type itself.
//
// Deprecated: use WithValidator.
func (blder *WebhookBuilder[T]) WithCustomValidator(validator admission.CustomValidator) *WebhookBuilder[T] {
	blder.customValidator = validator
	return blder
}

// WithConverter sets what converts objects between versions, in place of methods of their types.
// conversion.NewHubSpokeConverter makes such a function.
func (blder *WebhookBuilder[T]) WithConverter(converterConstructor func(*runtime.Scheme) (conversion.Converter, error)) *WebhookBuilder[T] {
	blder.newConverter = converterConstructor
	return blder
}

// WithLogConstructor sets how the logger of a request is made. The request is nil where none could be read.
func (blder *WebhookBuilder[T]) WithLogConstructor(logConstructor func(base logr.Logger, req *admission.Request) logr.Logger) *WebhookBuilder[T] {
	blder.logConstructor = logConstructor
	return blder
}

// WithContextFunc sets how the context of a request is made of the HTTP request.
func (blder *WebhookBuilder[T]) WithContextFunc(contextFunc func(context.Context, *http.Request) context.Context) *WebhookBuilder[T] {
	blder.contextFunc = contextFunc
	return blder
}

// RecoverPanic sets whether a panic of a Defaulter or Validator is answered with an error, which it is by default.
func (blder *WebhookBuilder[T]) RecoverPanic(recoverPanic bool) *WebhookBuilder[T] {
	blder.recoverPanic = &recoverPanic
	return blder
}

// WithDefaulterCustomPath sets the path of defaulting.
func (blder *WebhookBuilder[T]) WithDefaulterCustomPath(customPath string) *WebhookBuilder[T] {
	blder.defaulterPath = blder.checkedPath(customPath)
	return blder
}

// WithValidatorCustomPath sets the path of validation.
func (blder *WebhookBuilder[T]) WithValidatorCustomPath(customPath string) *WebhookBuilder[T] {
	blder.validatorPath = blder.checkedPath(customPath)
	return blder
}

func (blder *WebhookBuilder[T]) checkedPath(path string) string {
	if !webhookPath.MatchString(path) {
		blder.problems = append(blder.problems, fmt.Errorf("webhook path %q does not match %s", path, webhookPath))
	}
	return path
}

// Complete registers the webhooks. A path that has a handler already keeps it.
func (blder *WebhookBuilder[T]) Complete() error {
	if blder.mgr == nil {
		return errors.New("webhooks need a Manager")
	}
	if blder.defaulter != nil && blder.customDefaulter != nil {
		blder.problems = append(blder.problems, errors.New("both WithDefaulter and WithCustomDefaulter are set: keep WithDefaulter"))
	}
	if blder.validator != nil && blder.customValidator != nil {
		blder.problems = append(blder.problems, errors.New("both WithValidator and WithCustomValidator are set: keep WithValidator"))
	}
	if err := errors.Join(blder.problems...); err != nil {
		return fmt.Errorf("webhooks of %T: %w", blder.object, err)
	}
	gvk, err := apiutil.GVKForObject(blder.object, blder.mgr.GetScheme())
	if err != nil {
		return fmt.Errorf("webhooks of %T: %w", blder.object, err)
	}
	if hook := blder.defaulting(); hook != nil {
		blder.register(orPath(blder.defaulterPath, "/mutate-", gvk), blder.dressed(hook, gvk))
	}
	if hook := blder.validating(); hook != nil {
		blder.register(orPath(blder.validatorPath, "/validate-", gvk), blder.dressed(hook, gvk))
	}
	if err := blder.convert(gvk); err != nil {
		return fmt.Errorf("conversion webhook of %s: %w", gvk, err)
	}
	return nil
}

func (blder *WebhookBuilder[T]) defaulting() *admission.Webhook {
	switch {
	case blder.defaulter != nil:
		return admission.WithDefaulter(blder.mgr.GetScheme(), blder.defaulter, blder.defaulterOptions...)
	case blder.customDefaulter != nil:
		return admission.WithCustomDefaulter(blder.mgr.GetScheme(), blder.object, blder.customDefaulter, blder.defaulterOptions...)
	}
	return nil
}

func (blder *WebhookBuilder[T]) validating() *admission.Webhook {
	switch {
	case blder.validator != nil:
		return admission.WithValidator(blder.mgr.GetScheme(), blder.validator)
	case blder.customValidator != nil:
		return admission.WithCustomValidator(blder.mgr.GetScheme(), blder.object, blder.customValidator)
	}
	return nil
}

// dressed gives the webhook the builder's settings.
func (blder *WebhookBuilder[T]) dressed(hook *admission.Webhook, gvk schema.GroupVersionKind) *admission.Webhook {
	hook.RecoverPanic = blder.recoverPanic
	hook.WithContextFunc = blder.contextFunc
	hook.LogConstructor = blder.logConstructor
	if hook.LogConstructor == nil {
		logger := blder.mgr.GetLogger().WithValues("webhookGroup", gvk.Group, "webhookKind", gvk.Kind)
		hook.LogConstructor = func(_ logr.Logger, req *admission.Request) logr.Logger {
			return admission.DefaultLogConstructor(logger, req)
		}
	}
	return hook
}

// convert registers conversion if the builder or the type's own methods do it.
func (blder *WebhookBuilder[T]) convert(gvk schema.GroupVersionKind) error {
	if blder.newConverter != nil {
		converter, err := blder.newConverter(blder.mgr.GetScheme())
		if err != nil {
			return err
		}
		if err := blder.mgr.GetConverterRegistry().RegisterConverter(gvk.GroupKind(), converter); err != nil {
			return err
		}
	} else {
		convertible, err := conversion.IsConvertible(blder.mgr.GetScheme(), blder.object)
		if err != nil || !convertible {
			return err
		}
	}
	blder.register(conversionPath, conversion.NewWebhookHandler(blder.mgr.GetScheme(), blder.mgr.GetConverterRegistry()))
	return nil
}

func (blder *WebhookBuilder[T]) register(path string, handler http.Handler) {
	server := blder.mgr.GetWebhookServer()
	if _, taken := server.WebhookMux().Handler(&http.Request{URL: &url.URL{Path: path}}); taken == path {
		if path != conversionPath { // which all kinds share
			blder.mgr.GetLogger().Info("The webhook's path has a handler already, which stays", "path", path)
		}
		return
	}
	server.Register(path, handler)
}

// orPath returns the path if it is given, else the one of the kind.
func orPath(given, prefix string, gvk schema.GroupVersionKind) string {
	if given != "" {
		return given
	}
	return prefix + strings.ReplaceAll(gvk.Group, ".", "-") + "-" + gvk.Version + "-" + strings.ToLower(gvk.Kind)
}
