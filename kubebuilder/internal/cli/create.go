package cli

import "github.com/spf13/cobra"

func newCreateCommand() *cobra.Command {
	return &cobra.Command{Use: "create"}
}
