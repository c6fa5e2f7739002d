// Command controller-gen runs the generators by the name and with the options that Makefiles call them by:
//
//	controller-gen object:headerFile=hack/boilerplate.go.txt paths=./...
//	controller-gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"kubewright.dev/kubebuilder/gen"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Fprintln(stdout, "Version: "+gen.ToolVersion)
		return 0
	}
	opts, err := gen.ParseArguments(args, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return 2
	}
	result, err := gen.Run(ctx, opts)
	for _, warning := range result.Warnings {
		fmt.Fprintf(stderr, "warning: %v\n", warning)
	}
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\n", err)
		return 1
	}
	return 0
}
