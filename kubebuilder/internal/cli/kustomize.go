package cli

import "github.com/spf13/cobra"

func newKustomizeCommand() *cobra.Command {
	return &cobra.Command{Use: "kustomize"}
}
