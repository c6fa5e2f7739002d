package cli

import "github.com/spf13/cobra"

func newApplyCommand() *cobra.Command {
	return &cobra.Command{Use: "apply"}
}
