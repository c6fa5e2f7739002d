package server_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	certutil "k8s.io/client-go/util/cert"

	"kubewright.dev/runtime/pkg/metrics/server"
)

// serve runs a server and returns its address.
func serve(t *testing.T, options server.Options) string {
	t.Helper()
	bound := make(chan net.Addr, 1)
	options.BindAddress = "127.0.0.1:0"
	s, err := server.NewServer(options, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	go func() {
		for ctx.Err() == nil {
			if address := s.(interface{ GetBindAddr() string }).GetBindAddr(); address != "" {
				parsed, _ := net.ResolveTCPAddr("tcp", address)
				bound <- parsed
				return
			}
		}
	}()
	select {
	case address := <-bound:
		return address.String()
	case <-time.After(10 * time.Second):
		t.Fatal("the server is not bound")
		return ""
	}
}

func body(t *testing.T, client *http.Client, url string) (string, *http.Response) {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	defer client.CloseIdleConnections()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content), resp
}

func TestMetricsAndExtraPathsAreServed(t *testing.T) {
	address := serve(t, server.Options{ExtraHandlers: map[string]http.Handler{
		"/extra": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("more")) }),
	}})
	if text, resp := body(t, http.DefaultClient, "http://"+address+"/metrics"); resp.StatusCode != 200 || resp.Header.Get("Content-Type") == "" {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	if text, _ := body(t, http.DefaultClient, "http://"+address+"/extra"); text != "more" {
		t.Errorf("got %q", text)
	}
}

func TestNothingIsServedAtAddressZero(t *testing.T) {
	s, err := server.NewServer(server.Options{BindAddress: "0"}, nil, nil)
	if s != nil || err != nil {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestAPathIsServedOnce(t *testing.T) {
	s, err := server.NewServer(server.Options{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddExtraHandler("/a", http.NotFoundHandler()); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/a", "/metrics"} {
		if err := s.AddExtraHandler(path, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestCertificatesAreMadeOrReadFromFiles(t *testing.T) {
	blind := func(protocols ...string) *http.Client {
		return &http.Client{Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, NextProtos: protocols},
			ForceAttemptHTTP2: true,
		}}
	}
	address := serve(t, server.Options{SecureServing: true})
	if _, resp := body(t, blind(), "https://"+address+"/metrics"); resp.ProtoMajor != 2 {
		t.Errorf("protocol %s", resp.Proto)
	}
	address = serve(t, server.Options{SecureServing: true, TLSOpts: []func(*tls.Config){
		func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} },
	}})
	if _, resp := body(t, blind(), "https://"+address+"/metrics"); resp.ProtoMajor != 1 {
		t.Errorf("protocol %s", resp.Proto)
	}

	certificate, key, err := certutil.GenerateSelfSignedCertKey("metrics.test", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"c.pem": certificate, "k.pem": key} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	verifying := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}}
	address = serve(t, server.Options{SecureServing: true, CertDir: dir, CertName: "c.pem", KeyName: "k.pem"})
	if _, resp := body(t, verifying, "https://"+address+"/metrics"); resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
}
