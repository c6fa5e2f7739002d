package cluster

import (
	"context"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// administrators is the group that the API server lets do everything.
const administrators = "system:masters"

// server is the URL of the API server.
func (s state) server() string { return "https://" + address(s.Ports.APIServer) }

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// prepare makes the folder, ports, certificates and client configurations that the parts start with. Parts that run
// keep theirs; if that cannot be, because another program has taken the port of one that ended, all begin anew.
func (c *Cluster) prepare(ctx context.Context, s *state) error {
	for _, dir := range []string{c.dir, c.pkiDir(), filepath.Join(c.dir, "logs"), c.dataDir()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if len(s.living()) > 0 {
		if s.portsFree(s.dead()) {
			return nil
		}
		if err := c.stop(ctx, s, true); err != nil {
			return err
		}
	}
	if !s.portsFree(partNames) {
		fresh, err := freePorts()
		if err != nil {
			return err
		}
		s.Ports = fresh
	}
	return c.issueIdentities(*s)
}

// of returns the ports that a part listens on.
func (p ports) of(part string) []int {
	switch part {
	case etcd:
		return []int{p.Etcd, p.EtcdPeer}
	case apiServer:
		return []int{p.APIServer}
	case controllerManager:
		return []int{p.ControllerManager}
	default:
		return []int{p.Scheduler}
	}
}

// portsFree says whether the ports of the named parts are chosen and can be listened on.
func (s state) portsFree(names []string) bool {
	for _, name := range names {
		for _, port := range s.Ports.of(name) {
			if port == 0 {
				return false
			}
			listener, err := net.Listen("tcp", address(port))
			if err != nil {
				return false
			}
			_ = listener.Close()
		}
	}
	return true
}

// freePorts asks the system for ports that nobody uses.
func freePorts() (ports, error) {
	var p ports
	for _, port := range []*int{&p.APIServer, &p.Etcd, &p.EtcdPeer, &p.ControllerManager, &p.Scheduler} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return p, fmt.Errorf("looking for a free port on 127.0.0.1: %w", err)
		}
		// All stay open until the last is found, so that no two are the same.
		defer listener.Close() //nolint:errcheck // nothing was written
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return p, nil
}

// issueIdentities makes the certificates of all parts and users, and what clients need to use them. etcd has an authority
// of its own: whoever may talk to the API server may not talk to etcd.
func (c *Cluster) issueIdentities(s state) error {
	dir := c.pkiDir()
	if _, _, err := loadKey(filepath.Join(dir, "service-accounts.key")); err != nil {
		return err
	}
	storage, err := loadAuthority(dir, "etcd-ca")
	if err != nil {
		return err
	}
	if err := storage.issue(dir, "etcd", pkix.Name{CommonName: "etcd"}); err != nil {
		return err
	}
	cluster, err := loadAuthority(dir, "ca")
	if err != nil {
		return err
	}
	if err := cluster.issue(dir, "server", pkix.Name{CommonName: "kube-apiserver"}); err != nil {
		return err
	}
	users := []struct {
		file    string
		subject pkix.Name
	}{
		{"kubeconfig", pkix.Name{CommonName: "kubewright-admin", Organization: []string{administrators}}},
		{controllerManager + ".kubeconfig", pkix.Name{CommonName: "system:kube-controller-manager", Organization: []string{administrators}}},
		{scheduler + ".kubeconfig", pkix.Name{CommonName: "system:kube-scheduler", Organization: []string{administrators}}},
	}
	for _, user := range users {
		if err := cluster.issue(dir, user.subject.CommonName, user.subject); err != nil {
			return err
		}
		if err := c.writeKubeconfig(s, cluster, user.file, user.subject.CommonName); err != nil {
			return err
		}
	}
	return nil
}

// writeKubeconfig writes what a client needs to reach the API server as user. The file stands alone: it holds the
// certificates, so it can be copied elsewhere.
func (c *Cluster) writeKubeconfig(s state, ca *authority, file, user string) error {
	var contents [3][]byte
	for i, name := range []string{ca.file, filepath.Join(c.pkiDir(), user+".crt"), filepath.Join(c.pkiDir(), user+".key")} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		contents[i] = data
	}
	name := "kubewright-" + c.name
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: s.server(), CertificateAuthorityData: contents[0]}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificateData: contents[1], ClientKeyData: contents[2]}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	data, err := clientcmd.Write(*config)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(c.dir, file), data)
}
