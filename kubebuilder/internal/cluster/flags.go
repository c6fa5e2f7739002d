package cluster

import (
	"path/filepath"
	"strconv"
)

// serviceRange holds the addresses of services. Nothing routes them here, but services must have some.
const serviceRange = "10.0.0.0/16"

// arguments returns the command line of a part.
func (c *Cluster) arguments(s state, name string) []string {
	pki := func(file string) string { return filepath.Join(c.pkiDir(), file) }
	config := func(part string) string { return filepath.Join(c.dir, part+".kubeconfig") }
	switch name {
	case etcd:
		client, peer := "https://"+address(s.Ports.Etcd), "https://"+address(s.Ports.EtcdPeer)
		return []string{
			"--name=default",
			"--data-dir=" + c.dataDir(),
			"--listen-client-urls=" + client,
			"--advertise-client-urls=" + client,
			"--listen-peer-urls=" + peer,
			"--initial-advertise-peer-urls=" + peer,
			"--initial-cluster=default=" + peer,
			"--cert-file=" + pki("etcd.crt"),
			"--key-file=" + pki("etcd.key"),
			"--trusted-ca-file=" + pki("etcd-ca.crt"),
			"--client-cert-auth",
			"--peer-cert-file=" + pki("etcd.crt"),
			"--peer-key-file=" + pki("etcd.key"),
			"--peer-trusted-ca-file=" + pki("etcd-ca.crt"),
			"--peer-client-cert-auth",
			// Development data need not survive a loss of power, and waiting for the disk is most of etcd's time.
			"--unsafe-no-fsync",
			"--log-level=warn",
		}
	case apiServer:
		return []string{
			"--etcd-servers=https://" + address(s.Ports.Etcd),
			"--etcd-cafile=" + pki("etcd-ca.crt"),
			"--etcd-certfile=" + pki("etcd.crt"),
			"--etcd-keyfile=" + pki("etcd.key"),
			"--bind-address=127.0.0.1",
			"--advertise-address=127.0.0.1",
			"--secure-port=" + strconv.Itoa(s.Ports.APIServer),
			"--endpoint-reconciler-type=none", // a loopback address is no valid endpoint of the kubernetes service
			"--tls-cert-file=" + pki("server.crt"),
			"--tls-private-key-file=" + pki("server.key"),
			"--client-ca-file=" + pki("ca.crt"),
			"--authorization-mode=RBAC",
			"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
			"--service-account-key-file=" + pki("service-accounts.pub"),
			"--service-account-signing-key-file=" + pki("service-accounts.key"),
			"--service-cluster-ip-range=" + serviceRange,
			"--allow-privileged=true",
		}
	case controllerManager:
		return []string{
			"--kubeconfig=" + config(name),
			"--bind-address=127.0.0.1",
			"--secure-port=" + strconv.Itoa(s.Ports.ControllerManager),
			"--cert-dir=" + filepath.Join(c.pkiDir(), name),
			"--leader-elect=false",
			"--service-account-private-key-file=" + pki("service-accounts.key"),
			"--root-ca-file=" + pki("ca.crt"),
			"--cluster-signing-cert-file=" + pki("ca.crt"),
			"--cluster-signing-key-file=" + pki("ca.key"),
			"--service-cluster-ip-range=" + serviceRange,
		}
	default:
		return []string{
			"--kubeconfig=" + config(name),
			"--bind-address=127.0.0.1",
			"--secure-port=" + strconv.Itoa(s.Ports.Scheduler),
			"--cert-dir=" + filepath.Join(c.pkiDir(), name),
			"--leader-elect=false",
		}
	}
}
