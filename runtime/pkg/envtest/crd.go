package envtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"kubewright.dev/runtime/pkg/webhook/conversion"
)

var crdResource = apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")

// CRDInstallOptions say which CRDs are installed and how long that may take.
type CRDInstallOptions struct {
	// Scheme knows the types that are converted by webhook: their CRDs are pointed at the test's webhook server.
	Scheme *runtime.Scheme
	// Paths are files, and folders of files, with CRDs in YAML or JSON. Other objects in them are passed over.
	Paths []string
	// CRDs are installed besides.
	CRDs []*apiextensionsv1.CustomResourceDefinition
	// ErrorIfPathMissing makes a path that does not exist an error.
	ErrorIfPathMissing bool
	// MaxTime bounds the wait for the CRDs to be served, ten seconds by default.
	MaxTime time.Duration
	// PollInterval is the time between two looks at them, 100 milliseconds by default.
	PollInterval time.Duration
	// CleanUpAfterUse makes Environment.Stop delete the CRDs, and with them all their objects.
	CleanUpAfterUse bool
	// WebhookOptions are where conversion webhooks are reached.
	WebhookOptions WebhookInstallOptions
}

func (o *CRDInstallOptions) setDefaults() {
	if o.MaxTime <= 0 {
		o.MaxTime = 10 * time.Second
	}
	if o.PollInterval <= 0 {
		o.PollInterval = 100 * time.Millisecond
	}
}

// InstallCRDs reads the CRDs of the options, installs them, updating those that are there, and waits until the API
// server serves them. It returns them all.
func InstallCRDs(config *rest.Config, options CRDInstallOptions) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	options.setDefaults()
	if err := ReadCRDFiles(&options); err != nil {
		return nil, err
	}
	if len(options.CRDs) == 0 {
		return nil, nil
	}
	if err := pointConversionAtWebhooks(options.CRDs, options.Scheme, options.WebhookOptions); err != nil {
		return nil, err
	}
	if err := CreateCRDs(config, options.CRDs); err != nil {
		return options.CRDs, err
	}
	return options.CRDs, WaitForCRDs(config, options.CRDs, options)
}

// ReadCRDFiles adds to the options' CRDs those of its paths. Of CRDs with one name the last one counts.
func ReadCRDFiles(options *CRDInstallOptions) error {
	read, err := readManifests(options.Paths, options.ErrorIfPathMissing, func(d document) error {
		if d.kind != "CustomResourceDefinition" {
			return nil
		}
		if d.apiVersion != apiextensionsv1.SchemeGroupVersion.String() {
			return fmt.Errorf("CustomResourceDefinition of %s, which no API server of today has: write it as %s",
				d.apiVersion, apiextensionsv1.SchemeGroupVersion)
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := d.into(crd); err != nil {
			return err
		}
		options.CRDs = append(options.CRDs, crd)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read CRDs: %w", err)
	}
	if options.ErrorIfPathMissing && read == 0 && len(options.Paths) > 0 {
		return fmt.Errorf("read CRDs: no YAML or JSON file in %q: run `make manifests`", options.Paths)
	}

	at := map[string]int{}
	var unique []*apiextensionsv1.CustomResourceDefinition
	for _, crd := range options.CRDs {
		if i, seen := at[crd.Name]; seen {
			unique[i] = crd
			continue
		}
		at[crd.Name] = len(unique)
		unique = append(unique, crd)
	}
	options.CRDs = unique
	return nil
}

// CreateCRDs creates the CRDs, or updates those that are there.
func CreateCRDs(config *rest.Config, crds []*apiextensionsv1.CustomResourceDefinition) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for CRDs: %w", err)
	}
	for _, crd := range crds {
		wanted := crd.DeepCopy()
		wanted.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
		if err := createOrUpdate(context.Background(), client.Resource(crdResource), wanted); err != nil {
			return fmt.Errorf("install CRD %s: %w", crd.Name, err)
		}
	}
	return nil
}

// WaitForCRDs waits until the API server serves every version of the CRDs that is to be served.
func WaitForCRDs(config *rest.Config, crds []*apiextensionsv1.CustomResourceDefinition, options CRDInstallOptions) error {
	options.setDefaults()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for CRDs: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), options.MaxTime)
	defer cancel()
	for _, crd := range crds {
		if err := awaitServed(ctx, client, crd, options.PollInterval); err != nil {
			return fmt.Errorf("CRD %s is not served after %s: %w", crd.Name, options.MaxTime, err)
		}
	}
	return nil
}

// awaitServed waits until the CRD is established and a list of each of its served versions succeeds. Discovery
// follows the same change as the lists, so a client's REST mapper knows the kinds then.
func awaitServed(ctx context.Context, client dynamic.Interface, crd *apiextensionsv1.CustomResourceDefinition, every time.Duration) error {
	last := errors.New("not asked yet")
	err := wait.PollUntilContextCancel(ctx, every, true, func(ctx context.Context) (bool, error) {
		if last = established(ctx, client, crd.Name); last != nil {
			return false, nil
		}
		for _, version := range crd.Spec.Versions {
			if !version.Served {
				continue
			}
			resource := apiextensionsGVR(crd, version.Name)
			if _, last = client.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1}); last != nil {
				last = fmt.Errorf("list %s: %w", resource, last)
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return last
	}
	return nil
}

func established(ctx context.Context, client dynamic.Interface, name string) error {
	got, err := client.Resource(crdResource).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(got.Object, crd); err != nil {
		return err
	}
	var said error
	for _, condition := range crd.Status.Conditions {
		switch {
		case condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue:
			return nil
		case condition.Status == apiextensionsv1.ConditionFalse:
			said = fmt.Errorf("%s is false: %s", condition.Type, condition.Message)
		}
	}
	if said == nil {
		said = errors.New("the API server has not looked at it yet")
	}
	return said
}

// UninstallCRDs deletes the CRDs of the options and waits until they are gone. Those that are not there are passed
// over.
func UninstallCRDs(config *rest.Config, options CRDInstallOptions) error {
	options.setDefaults()
	if err := ReadCRDFiles(&options); err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for CRDs: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), options.MaxTime)
	defer cancel()
	resource := client.Resource(crdResource)
	var errs []error
	for _, crd := range options.CRDs {
		if err := resource.Delete(ctx, crd.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			errs = append(errs, fmt.Errorf("delete CRD %s: %w", crd.Name, err))
			continue
		}
		err := wait.PollUntilContextCancel(ctx, options.PollInterval, true, func(ctx context.Context) (bool, error) {
			_, err := resource.Get(ctx, crd.Name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return true, nil
			}
			return false, err
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("CRD %s is still there, its objects may have finalizers: %w", crd.Name, err))
		}
	}
	return errors.Join(errs...)
}

// pointConversionAtWebhooks makes the API server ask the test's webhook server to convert the kinds that the scheme
// knows how to convert, or that ask for conversion by webhook already.
func pointConversionAtWebhooks(crds []*apiextensionsv1.CustomResourceDefinition, scheme *runtime.Scheme, o WebhookInstallOptions) error {
	if len(o.LocalServingCAData) == 0 {
		return nil
	}
	url := "https://" + o.hostPort() + "/convert"
	for _, crd := range crds {
		wanted := crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
		if !wanted && !o.IgnoreSchemeConvertible && scheme != nil {
			var err error
			if wanted, err = schemeConverts(scheme, crd); err != nil {
				return fmt.Errorf("CRD %s: %w", crd.Name, err)
			}
		}
		if !wanted {
			continue
		}
		if crd.Spec.Conversion == nil {
			crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{}
		}
		crd.Spec.Conversion.Strategy = apiextensionsv1.WebhookConverter
		if crd.Spec.Conversion.Webhook == nil {
			crd.Spec.Conversion.Webhook = &apiextensionsv1.WebhookConversion{ConversionReviewVersions: []string{"v1", "v1beta1"}}
		}
		crd.Spec.Conversion.Webhook.ClientConfig = &apiextensionsv1.WebhookClientConfig{
			URL: ptr.To(url), CABundle: o.LocalServingCAData,
		}
	}
	return nil
}

// schemeConverts tells whether the Go types of the CRD's versions form a hub and its spokes.
func schemeConverts(scheme *runtime.Scheme, crd *apiextensionsv1.CustomResourceDefinition) (bool, error) {
	for _, version := range crd.Spec.Versions {
		gvk := apiextensionsGVR(crd, version.Name).GroupVersion().WithKind(crd.Spec.Names.Kind)
		if !scheme.Recognizes(gvk) {
			continue
		}
		object, err := scheme.New(gvk)
		if err != nil {
			return false, err
		}
		convertible, err := conversion.IsConvertible(scheme, object)
		if err != nil || convertible {
			return convertible, err
		}
	}
	return false, nil
}
