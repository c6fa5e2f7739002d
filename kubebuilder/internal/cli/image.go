package cli

import "github.com/spf13/cobra"

func newImageCommand() *cobra.Command {
	return &cobra.Command{Use: "image"}
}
