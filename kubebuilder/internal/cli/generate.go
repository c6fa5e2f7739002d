package cli

import "github.com/spf13/cobra"

func newGenerateCommand() *cobra.Command {
	return &cobra.Command{Use: "generate"}
}
