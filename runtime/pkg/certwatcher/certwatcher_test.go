package certwatcher_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kubewright.dev/runtime/pkg/certwatcher"
)

func writePair(t *testing.T, dir string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"tls.crt": {Type: "CERTIFICATE", Bytes: cert}, "tls.key": {Type: "PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func serial(t *testing.T, pair *tls.Certificate) int64 {
	t.Helper()
	cert, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return cert.SerialNumber.Int64()
}

func TestARenewedCertificateIsServed(t *testing.T) {
	for name, interval := range map[string]time.Duration{"by notice": time.Hour, "by interval": 20 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writePair(t, dir, 1)
			w, err := certwatcher.New(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
			if err != nil {
				t.Fatal(err)
			}
			seen := make(chan int64, 8)
			w.WithWatchInterval(interval).RegisterCallback(func(pair tls.Certificate) { seen <- serial(t, &pair) })
			if got := <-seen; got != 1 {
				t.Fatalf("the callback got %d first, want 1", got)
			}
			ctx, cancel := context.WithCancel(t.Context())
			stopped := make(chan error, 1)
			go func() { stopped <- w.Start(ctx) }()
			next := int64(1)
			for got := int64(1); got == 1; {
				next++
				writePair(t, dir, next) // again, if the watch began after the last time
				select {
				case got = <-seen:
				case <-time.After(time.Second):
				}
			}
			cancel()
			if err := <-stopped; err != nil {
				t.Error(err)
			}
			pair, err := w.GetCertificate(nil)
			if err != nil || serial(t, pair) == 1 {
				t.Errorf("GetCertificate returns the old pair, error %v", err)
			}
		})
	}
}

func TestFilesThatDoNotBelongTogetherAreAnErrorAndThePairStays(t *testing.T) {
	dir := t.TempDir()
	writePair(t, dir, 1)
	w, err := certwatcher.New(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tls.key"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.ReadCertificate(); err == nil {
		t.Error("a broken key was read")
	}
	if pair, err := w.GetCertificate(nil); err != nil || serial(t, pair) != 1 {
		t.Errorf("the pair in use is gone, error %v", err)
	}
}
