package cli

import "github.com/spf13/cobra"

func newDeleteCommand() *cobra.Command {
	return &cobra.Command{Use: "delete"}
}
