package controlplane

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// CA is a certificate authority that lives for one run.
type CA struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// KeyPair is a certificate and its key, both PEM.
type KeyPair struct {
	Cert []byte
	Key  []byte
}

// NewCA makes an authority with the given common name, valid for a week.
func NewCA(name string) (*CA, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	template := certTemplate(name)
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("sign the authority %s: %w", name, err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the authority %s: %w", name, err)
	}
	return &CA{cert: cert, key: key}, nil
}

// PEM is the authority's certificate.
func (c *CA) PEM() []byte {
	return certPEM(c.cert.Raw)
}

// IssueServer signs a certificate for a server known by these host names and IP addresses.
func (c *CA) IssueServer(hosts ...string) (KeyPair, error) {
	template := certTemplate("server")
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, host)
	}
	return c.issue(template)
}

// IssueClient signs a certificate that authenticates the user to the API server: the common name is the user's, the
// organisations are the groups.
func (c *CA) IssueClient(user User) (KeyPair, error) {
	template := certTemplate(user.Name)
	template.Subject.Organization = user.Groups
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return c.issue(template)
}

func (c *CA) issue(template *x509.Certificate) (KeyPair, error) {
	key, err := newKey()
	if err != nil {
		return KeyPair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, c.cert, key.Public(), c.key)
	if err != nil {
		return KeyPair{}, fmt.Errorf("sign the certificate of %s: %w", template.Subject.CommonName, err)
	}
	keyPEM, err := privatePEM(key)
	if err != nil {
		return KeyPair{}, err
	}
	return KeyPair{Cert: certPEM(der), Key: keyPEM}, nil
}

func certTemplate(name string) *x509.Certificate {
	now := time.Now()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		// The reader of crypto/rand ends the program rather than fail.
		serial = big.NewInt(now.UnixNano())
	}
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		// Clocks of the two ends may differ a little.
		NotBefore: now.Add(-time.Minute),
		NotAfter:  now.Add(7 * 24 * time.Hour),
	}
}

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return key, nil
}

func certPEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func privatePEM(key crypto.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

func publicPEM(key crypto.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode a public key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}
