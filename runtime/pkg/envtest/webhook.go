package envtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"kubewright.dev/runtime/internal/controlplane"
)

var (
	mutatingResource   = admissionv1.SchemeGroupVersion.WithResource("mutatingwebhookconfigurations")
	validatingResource = admissionv1.SchemeGroupVersion.WithResource("validatingwebhookconfigurations")
)

// WebhookInstallOptions say which webhook configurations are installed, and where the test's own webhook server
// listens: the configurations name a service in the cluster and are changed to name that address.
type WebhookInstallOptions struct {
	// Paths are files, and folders of files, with webhook configurations in YAML or JSON. Other objects in them are
	// passed over.
	Paths []string
	// MutatingWebhooks and ValidatingWebhooks are installed besides.
	MutatingWebhooks   []*admissionv1.MutatingWebhookConfiguration
	ValidatingWebhooks []*admissionv1.ValidatingWebhookConfiguration
	// IgnoreSchemeConvertible leaves alone CRDs that do not ask for conversion by webhook, even if the scheme's
	// types can convert.
	IgnoreSchemeConvertible bool
	// IgnoreErrorIfPathMissing makes a path that does not exist no error.
	IgnoreErrorIfPathMissing bool

	// LocalServingHost is the address that the webhook server is to listen on, the loopback address by default.
	LocalServingHost string
	// LocalServingPort is the port that it is to listen on, a free one by default.
	LocalServingPort int
	// LocalServingCertDir is the folder with the server's tls.crt and tls.key, a temporary one by default.
	LocalServingCertDir string
	// LocalServingCAData is the PEM certificate of the authority that signed tls.crt.
	LocalServingCAData []byte
	// LocalServingHostExternalName is the host by which the API server reaches the webhook server, LocalServingHost
	// by default.
	LocalServingHostExternalName string

	// MaxTime bounds the wait for the configurations, ten seconds by default.
	MaxTime time.Duration
	// PollInterval is the time between two looks at them, 100 milliseconds by default.
	PollInterval time.Duration

	tempDir string
}

func (o *WebhookInstallOptions) hostPort() string {
	host := o.LocalServingHostExternalName
	if host == "" {
		host = o.LocalServingHost
	}
	return net.JoinHostPort(host, strconv.Itoa(o.LocalServingPort))
}

// PrepWithoutInstalling reads the configurations, chooses a port and makes certificates, and changes the
// configurations to fit. Without configurations a port and certificates are made all the same: conversion and
// webhooks that a test registers by itself need them.
func (o *WebhookInstallOptions) PrepWithoutInstalling() error {
	if err := o.read(); err != nil {
		return err
	}
	if err := o.listen(); err != nil {
		return err
	}
	if err := o.makeCertificates(); err != nil {
		return err
	}
	return o.ModifyWebhookDefinitions()
}

// Install prepares the configurations unless that was done, installs them, updating those that are there, and waits
// for them.
func (o *WebhookInstallOptions) Install(config *rest.Config) error {
	if len(o.LocalServingCAData) == 0 {
		if err := o.PrepWithoutInstalling(); err != nil {
			return err
		}
	}
	if len(o.MutatingWebhooks)+len(o.ValidatingWebhooks) == 0 {
		return nil
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for webhook configurations: %w", err)
	}
	ctx := context.Background()
	for _, c := range o.MutatingWebhooks {
		wanted := c.DeepCopy()
		wanted.SetGroupVersionKind(admissionv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"))
		if err := createOrUpdate(ctx, client.Resource(mutatingResource), wanted); err != nil {
			return fmt.Errorf("install MutatingWebhookConfiguration %s: %w", c.Name, err)
		}
	}
	for _, c := range o.ValidatingWebhooks {
		wanted := c.DeepCopy()
		wanted.SetGroupVersionKind(admissionv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"))
		if err := createOrUpdate(ctx, client.Resource(validatingResource), wanted); err != nil {
			return fmt.Errorf("install ValidatingWebhookConfiguration %s: %w", c.Name, err)
		}
	}
	return WaitForWebhooks(config, o.MutatingWebhooks, o.ValidatingWebhooks, *o)
}

// Cleanup removes the certificates that were made.
func (o *WebhookInstallOptions) Cleanup() error {
	if o.tempDir == "" {
		return nil
	}
	dir := o.tempDir
	o.tempDir, o.LocalServingCertDir, o.LocalServingCAData = "", "", nil
	return os.RemoveAll(dir)
}

// ModifyWebhookDefinitions makes the configurations name the address of the test's webhook server, with the path
// that their service reference had, and its authority.
func (o *WebhookInstallOptions) ModifyWebhookDefinitions() error {
	for _, c := range o.MutatingWebhooks {
		for i := range c.Webhooks {
			if err := o.redirect(&c.Webhooks[i].ClientConfig); err != nil {
				return fmt.Errorf("webhook %s of MutatingWebhookConfiguration %s: %w", c.Webhooks[i].Name, c.Name, err)
			}
		}
	}
	for _, c := range o.ValidatingWebhooks {
		for i := range c.Webhooks {
			if err := o.redirect(&c.Webhooks[i].ClientConfig); err != nil {
				return fmt.Errorf("webhook %s of ValidatingWebhookConfiguration %s: %w", c.Webhooks[i].Name, c.Name, err)
			}
		}
	}
	return nil
}

func (o *WebhookInstallOptions) redirect(c *admissionv1.WebhookClientConfig) error {
	if c.Service == nil {
		if c.URL == nil {
			return errors.New("it names neither a service nor a URL")
		}
		c.CABundle = o.LocalServingCAData
		return nil
	}
	path := strings.TrimPrefix(ptr.Deref(c.Service.Path, ""), "/")
	c.URL = ptr.To("https://" + o.hostPort() + "/" + path)
	c.CABundle = o.LocalServingCAData
	c.Service = nil
	return nil
}

func (o *WebhookInstallOptions) read() error {
	_, err := readManifests(o.Paths, !o.IgnoreErrorIfPathMissing, func(d document) error {
		isConfiguration := d.kind == "MutatingWebhookConfiguration" || d.kind == "ValidatingWebhookConfiguration"
		switch {
		case !isConfiguration:
			return nil
		case d.apiVersion != admissionv1.SchemeGroupVersion.String():
			return fmt.Errorf("%s of %s: write it as %s", d.kind, d.apiVersion, admissionv1.SchemeGroupVersion)
		case d.kind == "MutatingWebhookConfiguration":
			c := &admissionv1.MutatingWebhookConfiguration{}
			o.MutatingWebhooks = append(o.MutatingWebhooks, c)
			return d.into(c)
		default:
			c := &admissionv1.ValidatingWebhookConfiguration{}
			o.ValidatingWebhooks = append(o.ValidatingWebhooks, c)
			return d.into(c)
		}
	})
	if err != nil {
		return fmt.Errorf("read webhook configurations: %w", err)
	}
	return nil
}

func (o *WebhookInstallOptions) listen() error {
	if o.LocalServingHost == "" {
		o.LocalServingHost = "127.0.0.1"
	}
	if o.LocalServingPort != 0 {
		return nil
	}
	port, err := controlplane.FreePort(o.LocalServingHost)
	if err != nil {
		return fmt.Errorf("choose the webhook server's port: %w", err)
	}
	o.LocalServingPort = port
	return nil
}

func (o *WebhookInstallOptions) makeCertificates() error {
	if len(o.LocalServingCAData) > 0 {
		return nil // the caller brought its own
	}
	ca, err := controlplane.NewCA("envtest-webhooks")
	if err != nil {
		return err
	}
	hosts := []string{"localhost", o.LocalServingHost}
	if o.LocalServingHostExternalName != "" {
		hosts = append(hosts, o.LocalServingHostExternalName)
	}
	pair, err := ca.IssueServer(hosts...)
	if err != nil {
		return err
	}
	if o.LocalServingCertDir == "" {
		if o.tempDir, err = os.MkdirTemp("", "kubewright-webhook-"); err != nil {
			return fmt.Errorf("make the webhook server's folder: %w", err)
		}
		o.LocalServingCertDir = o.tempDir
	}
	for name, data := range map[string][]byte{"tls.crt": pair.Cert, "tls.key": pair.Key} {
		if err := os.WriteFile(filepath.Join(o.LocalServingCertDir, name), data, 0o600); err != nil {
			return fmt.Errorf("write the webhook server's certificate: %w", err)
		}
	}
	o.LocalServingCAData = ca.PEM()
	return nil
}

// WaitForWebhooks waits until the API server has the configurations.
func WaitForWebhooks(
	config *rest.Config,
	mutatingWebhooks []*admissionv1.MutatingWebhookConfiguration,
	validatingWebhooks []*admissionv1.ValidatingWebhookConfiguration,
	options WebhookInstallOptions,
) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client for webhook configurations: %w", err)
	}
	limit, every := options.MaxTime, options.PollInterval
	if limit <= 0 {
		limit = 10 * time.Second
	}
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	await := func(resource dynamic.ResourceInterface, kind, name string) error {
		err := wait.PollUntilContextCancel(ctx, every, true, func(ctx context.Context) (bool, error) {
			_, err := resource.Get(ctx, name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return false, nil
			}
			return err == nil, err
		})
		if err != nil {
			return fmt.Errorf("wait for %s %s: %w", kind, name, err)
		}
		return nil
	}
	for _, c := range mutatingWebhooks {
		if err := await(client.Resource(mutatingResource), "MutatingWebhookConfiguration", c.Name); err != nil {
			return err
		}
	}
	for _, c := range validatingWebhooks {
		if err := await(client.Resource(validatingResource), "ValidatingWebhookConfiguration", c.Name); err != nil {
			return err
		}
	}
	return nil
}
