// Command kubebuilder makes Kubernetes operators: it scaffolds their projects, generates what the API server needs
// from their Go types and markers, applies it, builds their images and runs a control plane to develop against.
//
//	go install kubewright.dev/kubebuilder
package main

import (
	"os"

	"kubewright.dev/kubebuilder/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:]))
}
