package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// ready asks a part whether it is ready to serve; nil says that it is.
func (c *Cluster) ready(ctx context.Context, s state, name string) error {
	var path string
	switch name {
	case etcd, apiServer:
		path = "/readyz"
	default:
		path = "/healthz"
	}
	_, err := c.get(ctx, s, name, path)
	return err
}

// version asks a part for its version; it is empty when that does not answer.
func (c *Cluster) version(ctx context.Context, s state, name string) string {
	switch name {
	case etcd, apiServer:
		body, err := c.get(ctx, s, name, "/version")
		if err != nil {
			return ""
		}
		var answer struct {
			Kubernetes string `json:"gitVersion"`
			Etcd       string `json:"etcdserver"`
		}
		if json.Unmarshal(body, &answer) != nil {
			return ""
		}
		return answer.Kubernetes + answer.Etcd
	default:
		out, err := exec.CommandContext(ctx, filepath.Join(s.Assets, name), "--version").Output()
		if err != nil {
			return ""
		}
		return string(regexp.MustCompile(`v[0-9]\S*`).Find(out))
	}
}

// get does one request to a part, with the credentials that the part asks for.
func (c *Cluster) get(ctx context.Context, s state, name, path string) ([]byte, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	switch name {
	case etcd:
		if err := c.trust(config, "etcd-ca", "etcd"); err != nil {
			return nil, err
		}
	case apiServer:
		if err := c.trust(config, "ca", "kubewright-admin"); err != nil {
			return nil, err
		}
	default:
		// These two make certificates of their own and tell anybody whether they are well.
		config.InsecureSkipVerify = true
	}
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, Timeout: 2 * time.Second}
	url := "https://" + address(s.Ports.of(name)[0]) + path
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, response.Status)
	}
	return body, nil
}

// trust lets a client accept the authority ca and show the certificate called user.
func (c *Cluster) trust(config *tls.Config, ca, user string) error {
	data, err := os.ReadFile(filepath.Join(c.pkiDir(), ca+".crt"))
	if err != nil {
		return err
	}
	config.RootCAs = x509.NewCertPool()
	config.RootCAs.AppendCertsFromPEM(data)
	pair, err := tls.LoadX509KeyPair(filepath.Join(c.pkiDir(), user+".crt"), filepath.Join(c.pkiDir(), user+".key"))
	if err != nil {
		return err
	}
	config.Certificates = []tls.Certificate{pair}
	return nil
}
