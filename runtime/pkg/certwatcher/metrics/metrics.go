// Package metrics counts how often certificates were read from disk.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"kubewright.dev/runtime/pkg/metrics"
)

var (
	// ReadCertificateTotal counts the attempts to read a certificate, the first one included.
	ReadCertificateTotal = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "certwatcher_read_certificate_total",
		Help: "Total number of certificate reads",
	})

	// ReadCertificateErrors counts the attempts that failed.
	ReadCertificateErrors = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "certwatcher_read_certificate_errors_total",
		Help: "Total number of certificate read errors",
	})
)

func init() {
	metrics.Registry.MustRegister(ReadCertificateTotal, ReadCertificateErrors)
}
