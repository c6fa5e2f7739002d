package cli

import "github.com/spf13/cobra"

func newVersionCommand() *cobra.Command {
	return &cobra.Command{Use: "version"}
}
