// Package certwatcher keeps a server's TLS certificate up to date with the files that it comes from.
//
// Kubernetes renews a mounted secret by exchanging a symbolic link, cert-manager writes a secret anew long before it
// expires. A [CertWatcher] is told of either by the file system, looks at the files at an interval besides, and
// gives new connections the newest pair that could be read: hand its GetCertificate to a tls.Config.
package certwatcher

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"kubewright.dev/runtime/pkg/certwatcher/metrics"
	"kubewright.dev/runtime/pkg/log"
)

const defaultInterval = 10 * time.Second

// CertWatcher holds the newest pair of the certificate and key files that it was made for. Its lock guards the pair
// and the callback.
type CertWatcher struct {
	sync.RWMutex

	certPath, keyPath string
	interval          time.Duration
	notify            *fsnotify.Watcher
	watching          chan struct{} // closed when Watch has returned

	pair            *tls.Certificate
	certPEM, keyPEM []byte
	onChange        func(tls.Certificate)
}

// New returns a CertWatcher for the two PEM files. They are read at once: files that do not belong together are an
// error.
func New(certPath, keyPath string) (*CertWatcher, error) {
	w := &CertWatcher{certPath: certPath, keyPath: keyPath, interval: defaultInterval, watching: make(chan struct{})}
	if err := w.ReadCertificate(); err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch certificate %s: %w", certPath, err)
	}
	w.notify = notify
	return w, nil
}

// WithWatchInterval sets how often the files are looked at even if the file system told of no change, every ten
// seconds by default. Call it before Start.
func (cw *CertWatcher) WithWatchInterval(interval time.Duration) *CertWatcher {
	cw.interval = interval
	return cw
}

// RegisterCallback sets a function that gets the pair now and whenever it has changed.
func (cw *CertWatcher) RegisterCallback(callback func(tls.Certificate)) {
	cw.Lock()
	cw.onChange = callback
	pair := cw.pair
	cw.Unlock()
	if pair != nil {
		callback(*pair)
	}
}

// GetCertificate returns the newest pair. It has the signature of the tls.Config field of that name.
func (cw *CertWatcher) GetCertificate(_ *tls.ClientHelloInfo) (*tls.Certificate, error) {
	cw.RLock()
	defer cw.RUnlock()
	return cw.pair, nil
}

// NeedLeaderElection tells that replicas which stand by serve too.
func (cw *CertWatcher) NeedLeaderElection() bool {
	return false
}

// Start watches the files until the context ends. Files that cannot be read are logged, and the pair in use stays.
func (cw *CertWatcher) Start(ctx context.Context) error {
	// Folders, not files: a file that is exchanged takes its watch with it. Kubernetes exchanges a link (..data) in
	// the folder that the files' own links go through.
	for _, dir := range cw.folders() {
		if err := cw.notify.Add(dir); err != nil {
			return errors.Join(fmt.Errorf("watch certificate folder %s: %w", dir, err), cw.notify.Close())
		}
	}
	go cw.Watch()

	ticker := time.NewTicker(cw.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			err := cw.notify.Close()
			<-cw.watching
			return err
		case <-ticker.C:
			cw.reread()
		}
	}
}

func (cw *CertWatcher) folders() []string {
	certDir, keyDir := filepath.Dir(cw.certPath), filepath.Dir(cw.keyPath)
	if certDir == keyDir {
		return []string{certDir}
	}
	return []string{certDir, keyDir}
}

// Watch reads the files when the file system tells of a change in their folders. It returns when Start does, which
// runs it: there is no need to call it.
func (cw *CertWatcher) Watch() {
	defer close(cw.watching)
	for {
		select {
		case event, ok := <-cw.notify.Events:
			if !ok {
				return
			}
			if event.Op != fsnotify.Chmod {
				cw.reread()
			}
		case err, ok := <-cw.notify.Errors:
			if !ok {
				return
			}
			log.Log.WithName("certwatcher").Error(err, "Watching certificate files failed; they are still read at an interval",
				"cert", cw.certPath, "key", cw.keyPath)
		}
	}
}

func (cw *CertWatcher) reread() {
	if err := cw.ReadCertificate(); err != nil {
		log.Log.WithName("certwatcher").Error(err, "The certificate in use stays", "cert", cw.certPath, "key", cw.keyPath)
	}
}

// ReadCertificate reads the files now. A pair that has changed is used from then on and given to the callback.
func (cw *CertWatcher) ReadCertificate() error {
	metrics.ReadCertificateTotal.Inc()
	changed, callback, err := cw.load()
	if err != nil {
		metrics.ReadCertificateErrors.Inc()
		return err
	}
	if changed != nil && callback != nil {
		callback(*changed)
	}
	return nil
}

// load exchanges the pair if the files differ from it, and returns the new one and whom to tell.
func (cw *CertWatcher) load() (*tls.Certificate, func(tls.Certificate), error) {
	certPEM, err := os.ReadFile(cw.certPath)
	if err != nil {
		return nil, nil, fmt.Errorf("read certificate: %w", err)
	}
	keyPEM, err := os.ReadFile(cw.keyPath)
	if err != nil {
		return nil, nil, fmt.Errorf("read key: %w", err)
	}
	cw.Lock()
	defer cw.Unlock()
	if cw.pair != nil && bytes.Equal(certPEM, cw.certPEM) && bytes.Equal(keyPEM, cw.keyPEM) {
		return nil, nil, nil
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, nil, fmt.Errorf("certificate %s with key %s: %w", cw.certPath, cw.keyPath, err)
	}
	cw.pair, cw.certPEM, cw.keyPEM = &pair, certPEM, keyPEM
	return cw.pair, cw.onChange, nil
}
