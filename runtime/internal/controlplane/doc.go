// Package controlplane runs an etcd and a kube-apiserver as child processes for tests.
//
// A [ControlPlane] is an [Etcd] and an [APIServer]. Both are described by plain fields, turned into a command line by
// [Arguments], and run by a process that knows when the server is ready and how to end it. The API server trusts a
// certificate authority made for the run; users are client certificates that this authority signs ([CertAuthn]).
package controlplane
