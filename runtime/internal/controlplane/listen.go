package controlplane

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
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

// FreePort picks a port of the host that nobody listens on at this moment.
func FreePort(host string) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return 0, errors.Join(fmt.Errorf("find a free port: %s is no TCP address", l.Addr()), l.Close())
	}
	return addr.Port, l.Close()
}

// freeAddr picks a free port of the loopback address.
func freeAddr() (ListenAddr, error) {
	port, err := FreePort(loopback)
	if err != nil {
		return ListenAddr{}, err
	}
	return ListenAddr{Address: loopback, Port: strconv.Itoa(port)}, nil
}
