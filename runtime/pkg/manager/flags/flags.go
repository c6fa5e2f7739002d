// Package flags holds the command line of an operator, so that its main.go need
// not.
//
//	var f flags.Flags
//	f.Bind(flag.CommandLine)
//	flag.Parse()
//	options, err := f.Options(scheme, "80807133.keon.io")
//	…
//	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
//
// What an operator wants otherwise it changes in the options before it makes
// the manager.
package flags

import (
	"crypto/tls"
	"flag"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"kubewright.dev/runtime/pkg/manager"
	"kubewright.dev/runtime/pkg/metrics/filters"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
	"kubewright.dev/runtime/pkg/webhook"
)

// Flags are the settings of an operator's process. Bind sets their defaults.
type Flags struct {
	// MetricsBindAddress is where metrics are served; "0" is nowhere.
	MetricsBindAddress string
	// MetricsSecure serves metrics over TLS and only to who may read them.
	MetricsSecure bool
	// MetricsCert is the metrics server's certificate.
	MetricsCert CertFiles

	// HealthProbeBindAddress is where liveness and readiness are served.
	HealthProbeBindAddress string

	// LeaderElect lets one replica at a time run the controllers.
	LeaderElect bool
	// LeaderElectionNamespace is where the lease lives. Empty: the namespace of
	// the operator's pod, which a process outside a cluster does not have.
	LeaderElectionNamespace string

	// WebhookCert is the webhook server's certificate.
	WebhookCert CertFiles

	// EnableHTTP2 lets the metrics and webhook servers speak HTTP/2.
	EnableHTTP2 bool
}

// CertFiles say where a certificate and its key are.
type CertFiles struct {
	// Path is their folder. Empty: the server uses its own default.
	Path string
	// Name is the certificate's file.
	Name string
	// Key is the key's file.
	Key string
}

// Bind registers the flags, and so sets the fields to their defaults.
func (f *Flags) Bind(fs *flag.FlagSet) {
	fs.StringVar(&f.MetricsBindAddress, "metrics-bind-address", "0",
		"Address of the metrics endpoint, as :8443 for HTTPS or :8080 for HTTP. 0 turns it off.")
	fs.StringVar(&f.HealthProbeBindAddress, "health-probe-bind-address", ":8081",
		"Address of the liveness and readiness endpoints.")
	fs.BoolVar(&f.LeaderElect, "leader-elect", false,
		"Let one replica at a time run the controllers; the others stand by.")
	fs.StringVar(&f.LeaderElectionNamespace, "leader-election-namespace", "",
		"Namespace of the lease that replicas compete for. Needed with --leader-elect outside a cluster; in one it is the pod's.")
	fs.BoolVar(&f.MetricsSecure, "metrics-secure", true,
		"Serve metrics over HTTPS, to clients that may read them. Use --metrics-secure=false for plain HTTP, open to all.")
	f.WebhookCert.bind(fs, "webhook", "webhook server")
	f.MetricsCert.bind(fs, "metrics", "metrics server")
	fs.BoolVar(&f.EnableHTTP2, "enable-http2", false,
		"Let the metrics and webhook servers speak HTTP/2.")
}

func (c *CertFiles) bind(fs *flag.FlagSet, prefix, server string) {
	fs.StringVar(&c.Path, prefix+"-cert-path", "", "Folder of the "+server+"'s certificate and key.")
	fs.StringVar(&c.Name, prefix+"-cert-name", "tls.crt", "File of the "+server+"'s certificate in its folder.")
	fs.StringVar(&c.Key, prefix+"-cert-key", "tls.key", "File of the "+server+"'s key in its folder.")
}

// Options makes a manager's options of the flags. leaderElectionID names the
// lease that the operator's replicas compete for; it must be the operator's own
// in its namespace, and is needed with LeaderElect only.
func (f *Flags) Options(scheme *runtime.Scheme, leaderElectionID string) (manager.Options, error) {
	if f.LeaderElect && leaderElectionID == "" {
		return manager.Options{}, fmt.Errorf("--leader-elect is set, but the operator has no name for its lease: give Options a leaderElectionID")
	}
	return manager.Options{
		Scheme:                  scheme,
		Metrics:                 f.metrics(),
		WebhookServer:           webhook.NewServer(f.webhook()),
		HealthProbeBindAddress:  f.HealthProbeBindAddress,
		LeaderElection:          f.LeaderElect,
		LeaderElectionID:        leaderElectionID,
		LeaderElectionNamespace: f.LeaderElectionNamespace,
		// A main.go ends with its manager, so the lease may be given back: a replica that stands by takes over at once.
		LeaderElectionReleaseOnCancel: true,
	}, nil
}

func (f *Flags) metrics() metricsserver.Options {
	options := metricsserver.Options{
		BindAddress:   f.MetricsBindAddress,
		SecureServing: f.MetricsSecure,
		TLSOpts:       f.tls(),
	}
	if f.MetricsSecure {
		options.FilterProvider = filters.WithAuthenticationAndAuthorization
	}
	if f.MetricsCert.Path != "" {
		options.CertDir, options.CertName, options.KeyName = f.MetricsCert.Path, f.MetricsCert.Name, f.MetricsCert.Key
	}
	return options
}

func (f *Flags) webhook() webhook.Options {
	options := webhook.Options{TLSOpts: f.tls()}
	if f.WebhookCert.Path != "" {
		options.CertDir, options.CertName, options.KeyName = f.WebhookCert.Path, f.WebhookCert.Name, f.WebhookCert.Key
	}
	return options
}

// tls keeps servers to HTTP/1.1 unless HTTP/2 is asked for: attacks on HTTP/2
// that let a client cancel streams faster than it pays for them (CVE-2023-44487)
// are then no concern.
func (f *Flags) tls() []func(*tls.Config) {
	if f.EnableHTTP2 {
		return nil
	}
	return []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }}
}
