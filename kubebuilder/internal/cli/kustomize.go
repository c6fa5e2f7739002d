package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/kustomize"
)

func newKustomizeCommand() *cobra.Command {
	cmd := newKustomizeBuildCommand("kustomize [DIR]")
	cmd.AddCommand(newKustomizeBuildCommand("build [DIR]"))
	return cmd
}

func newKustomizeBuildCommand(use string) *cobra.Command {
	var images []string
	var output string
	cmd := &cobra.Command{
		Use:   use,
		Short: "Build the objects of a kustomization and print them",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{fmt.Errorf("%s takes one folder, but got %d arguments", cmd.CommandPath(), len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			objects, err := kustomize.Build(dir, images)
			if err != nil {
				return err
			}
			if output == "" || output == "-" {
				_, err = cmd.OutOrStdout().Write(objects)
				return err
			}
			if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
				return err
			}
			return os.WriteFile(output, objects, 0o644)
		},
	}
	addImageFlag(cmd, &images)
	cmd.Flags().StringVarP(&output, "output", "o", "", "the `file` to write instead of standard output; its folder is made")
	return cmd
}

// addImageFlag adds the option by which a kustomization's images are replaced.
func addImageFlag(cmd *cobra.Command, images *[]string) {
	cmd.Flags().StringArrayVar(images, "image", nil, "replace an image, as `name=reference`; can be given several times")
}
