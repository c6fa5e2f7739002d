package webhook_test

import (
	"context"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"

	"kubewright.dev/runtime/pkg/envtest"
	"kubewright.dev/runtime/pkg/webhook"
	"kubewright.dev/runtime/pkg/webhook/admission"
)

type colour struct{}

func (colour) Default(_ context.Context, c *corev1.ConfigMap) error {
	if c.Data == nil {
		c.Data = map[string]string{}
	}
	if c.Data["colour"] == "" {
		c.Data["colour"] = "red"
	}
	return nil
}

func TestAnAPIServerAsksTheServerForDefaults(t *testing.T) {
	path := "/mutate--v1-configmap"
	env := &envtest.Environment{WebhookInstallOptions: envtest.WebhookInstallOptions{
		MutatingWebhooks: []*admissionregistrationv1.MutatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "colours"},
			Webhooks: []admissionregistrationv1.MutatingWebhook{{
				Name:                    "colours.keon.io",
				AdmissionReviewVersions: []string{"v1"},
				SideEffects:             ptr.To(admissionregistrationv1.SideEffectClassNone),
				ClientConfig: admissionregistrationv1.WebhookClientConfig{
					Service: &admissionregistrationv1.ServiceReference{Namespace: "system", Name: "webhook-service", Path: &path},
				},
				ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"painted": "yes"}},
				Rules: []admissionregistrationv1.RuleWithOperations{{
					Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
					Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
				}},
			}},
		}},
	}}
	cfg, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	}()
	o := env.WebhookInstallOptions
	server := webhook.NewServer(webhook.Options{Host: o.LocalServingHost, Port: o.LocalServingPort, CertDir: o.LocalServingCertDir})
	server.Register(path, admission.WithDefaulter[*corev1.ConfigMap](scheme.Scheme, colour{}))

	check := server.StartedChecker()
	if err := check(nil); err == nil {
		t.Error("the server is said to run before it was started")
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- server.Start(ctx) }()
	for check(nil) != nil {
		select {
		case err := <-stopped:
			t.Fatalf("the server ended: %v", err)
		default: // the check itself takes the time to wait
		}
	}

	client := kubernetes.NewForConfigOrDie(cfg)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"painted": "yes"}}}
	// The API server looks at its webhook configurations a moment after they are stored: ask until it did.
	for got := ""; got != "red"; {
		created, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			t.Fatal(err)
		}
		got = created.Data["colour"]
	}
	cancel()
	if err := <-stopped; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestAPathThatIsRegisteredTwiceFailsTheStart(t *testing.T) {
	server := webhook.NewServer(webhook.Options{CertDir: t.TempDir()})
	server.Register("/a", &webhook.Admission{})
	server.Register("/a", &webhook.Admission{})
	if err := server.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "/a is registered twice") {
		t.Errorf("got %v", err)
	}
}

func TestAServerWithoutCertificateNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	if err := webhook.NewServer(webhook.Options{CertDir: dir}).Start(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v", err)
	}
}
