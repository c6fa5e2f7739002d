package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/project"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version of the command this is",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				own = info.Main.Version
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "kubebuilder of Kubewright %s, compatible with kubebuilder v%s, built with %s for %s/%s\n",
				own, project.CLIVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
