package cli

import (
	"time"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/apply"
)

func newDeleteCommand() *cobra.Command {
	var manifests manifestFlags
	options := apply.DeleteOptions{}
	cmd := &cobra.Command{
		Use:   "delete (-k DIR | -f FILE)",
		Short: "Delete objects from the cluster and wait until they are gone",
		Long: `Delete objects from the cluster and wait until they are gone. Custom resource definitions go first,
with all objects of their kinds, while the manager that finalizes those still runs.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, objects, err := manifests.open(cmd)
			if err != nil {
				return err
			}
			return server.Delete(cmd.Context(), objects, options, cmd.OutOrStdout())
		},
	}
	manifests.bind(cmd)
	cmd.Flags().BoolVar(&options.IgnoreNotFound, "ignore-not-found", false, "it is no error when an object is not there")
	cmd.Flags().DurationVar(&options.Timeout, "timeout", time.Minute, "how long to wait until the objects are gone")
	return cmd
}
