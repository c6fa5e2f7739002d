// Package cli holds the commands of kubebuilder, a file a command. A command reads its flags, makes one call into the
// package that does the work, and says what came of it; it holds no logic of its own.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Main runs the command line args (without the program's name) and returns the exit code: 0 when it did what was
// asked, 1 when it could not, 2 when the command line itself is wrong.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(root.ErrOrStderr(), "error: %v\n", err)
		var usage *usageError
		if errors.As(err, &usage) {
			return 2
		}
		return 1
	}
	return 0
}

// usageError is a mistake in the command line, as opposed to work that failed.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "kubebuilder",
		Short:         "Build Kubernetes operators in Go, from the first file to the deployed manager",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w (see %q)", err, cmd.CommandPath()+" --help")}
	})
	root.AddCommand(
		newInitCommand(),
		newCreateCommand(),
		newGenerateCommand(),
		newClusterCommand(),
		newKustomizeCommand(),
		newApplyCommand(),
		newDeleteCommand(),
		newImageCommand(),
		newVersionCommand(),
	)
	return root
}
