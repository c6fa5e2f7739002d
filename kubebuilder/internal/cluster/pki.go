package cluster

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificateLife is how long certificates hold. Those of the parts are made anew at each start, an authority is kept
// with the cluster's data.
const certificateLife = 10 * 365 * 24 * time.Hour

// authority is a certificate authority that a cluster has of its own.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
	file        string // the certificate's file
}

// loadAuthority reads the authority called name from dir, or makes one there.
func loadAuthority(dir, name string) (*authority, error) {
	file := filepath.Join(dir, name+".crt")
	key, made, err := loadKey(filepath.Join(dir, name+".key"))
	if err != nil {
		return nil, err
	}
	if !made {
		if data, err := os.ReadFile(file); err == nil {
			if block, _ := pem.Decode(data); block != nil {
				certificate, err := x509.ParseCertificate(block.Bytes)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", file, err)
				}
				return &authority{certificate: certificate, key: key, file: file}, nil
			}
		}
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "kubewright " + name},
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature | x509.KeyUsageCRLSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := sign(template, nil, key, key)
	if err != nil {
		return nil, fmt.Errorf("making the certificate authority %s: %w", name, err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate: certificate, key: key, file: file}, writePEM(file, "CERTIFICATE", der)
}

// issue makes a certificate for a server and client on this machine and writes it, with its key, to dir as name.crt and
// name.key. The API server reads a client's user from the subject's common name, and its groups from the organizations.
func (a *authority) issue(dir, name string, subject pkix.Name) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		Subject:     subject,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames: []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)},
	}
	der, err := sign(template, a.certificate, key, a.key)
	if err != nil {
		return fmt.Errorf("making the certificate of %s: %w", name, err)
	}
	if err := writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(filepath.Join(dir, name+".key"), key)
}

// sign completes template and signs it; without a parent the certificate signs itself.
func sign(template, parent *x509.Certificate, key, signer crypto.Signer) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(certificateLife)
	if parent == nil {
		parent = template
	}
	return x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
}

// loadKey reads a private key, or makes one; it says whether it did. The public half is written beside it as .pub.
func loadKey(file string) (key crypto.Signer, made bool, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		block, _ := pem.Decode(data)
		if block == nil {
			return nil, false, fmt.Errorf("%s holds no key", file)
		}
		key, err := x509.ParseECPrivateKey(block.Bytes)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", file, err)
		}
		return key, false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, false, err
	}
	fresh, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, false, err
	}
	public, err := x509.MarshalPKIXPublicKey(fresh.Public())
	if err != nil {
		return nil, false, err
	}
	if err := writePEM(file[:len(file)-len(filepath.Ext(file))]+".pub", "PUBLIC KEY", public); err != nil {
		return nil, false, err
	}
	return fresh, true, writeKey(file, fresh)
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(file, "EC PRIVATE KEY", der)
}

func writePEM(file, kind string, der []byte) error {
	return writeFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// writeFile replaces file at once, so that who reads it, a crash later as well, finds the old content or the new.
// Nobody but the user can read it.
func writeFile(file string, data []byte) error {
	staged := file + ".new"
	if err := os.WriteFile(staged, data, 0o600); err != nil {
		return err
	}
	return os.Rename(staged, file)
}
