package controlplane

import (
	"fmt"
	"net"
	"net/url"
)

const loopback = "127.0.0.1"

// startAttempts is how often a server is started anew when another process took the port chosen for it.
const startAttempts = 3

// ListenAddr is a host and a port.
type ListenAddr struct {
	Address string
	Port    string
}

// HostPort joins both with a colon.
func (l *ListenAddr) HostPort() string {
	return net.JoinHostPort(l.Address, l.Port)
}

// URL is the address as a URL of the scheme and path.
func (l *ListenAddr) URL(scheme string, path string) *url.URL {
	return &url.URL{Scheme: scheme, Host: l.HostPort(), Path: path}
}

// freeAddr picks a port of the loopback address that nobody listens on at this moment.
func freeAddr() (ListenAddr, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return ListenAddr{}, fmt.Errorf("find a free port: %w", err)
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return ListenAddr{}, fmt.Errorf("find a free port: %w", err)
	}
	return ListenAddr{Address: host, Port: port}, l.Close()
}
