package flags_test

import (
	"crypto/tls"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/kubernetes/scheme"

	"kubewright.dev/runtime/pkg/manager/flags"
	"kubewright.dev/runtime/pkg/webhook"
)

func parse(t *testing.T, args ...string) (*flags.Flags, *flag.FlagSet) {
	t.Helper()
	var f flags.Flags
	fs := flag.NewFlagSet("operator", flag.ContinueOnError)
	f.Bind(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return &f, fs
}

func TestTheFlagsAreThoseOfAScaffoldedOperatorAndTheNamespaceOfTheLease(t *testing.T) {
	_, fs := parse(t)
	got := map[string]string{}
	fs.VisitAll(func(f *flag.Flag) { got[f.Name] = f.DefValue })
	want := map[string]string{
		"metrics-bind-address":      "0",
		"health-probe-bind-address": ":8081",
		"leader-elect":              "false",
		"leader-election-namespace": "",
		"metrics-secure":            "true",
		"webhook-cert-path":         "",
		"webhook-cert-name":         "tls.crt",
		"webhook-cert-key":          "tls.key",
		"metrics-cert-path":         "",
		"metrics-cert-name":         "tls.crt",
		"metrics-cert-key":          "tls.key",
		"enable-http2":              "false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOptionsFollowTheFlags(t *testing.T) {
	f, _ := parse(t)
	options, err := f.Options(scheme.Scheme, "the-lease")
	if err != nil {
		t.Fatal(err)
	}
	if options.Metrics.BindAddress != "0" || !options.Metrics.SecureServing || options.Metrics.FilterProvider == nil {
		t.Errorf("metrics by default: %+v", options.Metrics)
	}
	if options.Scheme != scheme.Scheme || options.LeaderElection || options.LeaderElectionID != "the-lease" || options.HealthProbeBindAddress != ":8081" {
		t.Errorf("options by default: %+v", options)
	}
	settings := &tls.Config{}
	for _, change := range options.Metrics.TLSOpts {
		change(settings)
	}
	if diff := cmp.Diff([]string{"http/1.1"}, settings.NextProtos); diff != "" {
		t.Error(diff)
	}

	f, _ = parse(t, "--metrics-bind-address=:8080", "--metrics-secure=false", "--leader-elect", "--enable-http2",
		"--webhook-cert-path=/w", "--webhook-cert-name=w.crt", "--webhook-cert-key=w.key", "--metrics-cert-path=/m")
	options, err = f.Options(scheme.Scheme, "the-lease")
	if err != nil {
		t.Fatal(err)
	}
	m := options.Metrics
	if m.BindAddress != ":8080" || m.SecureServing || m.FilterProvider != nil || len(m.TLSOpts) != 0 || m.CertDir != "/m" || m.CertName != "tls.crt" || m.KeyName != "tls.key" {
		t.Errorf("metrics: %+v", m)
	}
	if !options.LeaderElection {
		t.Error("no leader election")
	}
	hooks, ok := options.WebhookServer.(*webhook.DefaultServer)
	if !ok {
		t.Fatalf("webhook server %T", options.WebhookServer)
	}
	if o := hooks.Options; o.CertDir != "/w" || o.CertName != "w.crt" || o.KeyName != "w.key" {
		t.Errorf("webhooks: %+v", o)
	}

	if _, err := f.Options(scheme.Scheme, ""); err == nil {
		t.Error("an election without a name of the lease is no error")
	}
}
