package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/image"
)

func newImageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "image",
		Short: "Build the manager's container image without a container engine, and push it",
	}
	cmd.AddCommand(newImageBuildCommand(), newImagePushCommand())
	return cmd
}

func newImageBuildCommand() *cobra.Command {
	var options image.Options
	var output string
	cmd := &cobra.Command{
		Use: "build --tag NAME", Args: noArguments,
		Short: "Build the manager's image and load it into docker, or write it to a file where docker does not run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireTag(options); err != nil {
				return err
			}
			options.Warnings = cmd.ErrOrStderr()
			built, err := image.Build(cmd.Context(), options)
			if err != nil {
				return err
			}
			if output == "" {
				engine, err := image.Load(cmd.Context(), built, options.Tag)
				if err != nil {
					return err
				}
				if engine != "" {
					return printLine(cmd, fmt.Sprintf("image %s is built and loaded into %s", options.Tag, engine))
				}
				output = filepath.Join("dist", image.ArchiveName(options.Tag))
				fmt.Fprintln(cmd.ErrOrStderr(), "no container engine answers, so the image goes to a file")
			}
			if err := image.Save(built, options.Tag, output); err != nil {
				return err
			}
			return printLine(cmd, fmt.Sprintf("image %s is built: %s", options.Tag, output))
		},
	}
	bindImageFlags(cmd, &options)
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the image to this `file`, which `docker load` reads, instead of loading it")
	return cmd
}

func newImagePushCommand() *cobra.Command {
	var options image.Options
	cmd := &cobra.Command{
		Use: "push --tag NAME", Args: noArguments,
		Short: "Build the manager's image, which gives the same image as before if nothing has changed, and push it",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireTag(options); err != nil {
				return err
			}
			options.Warnings = cmd.ErrOrStderr()
			built, err := image.Build(cmd.Context(), options)
			if err != nil {
				return err
			}
			pushed, err := image.Push(cmd.Context(), built, options.Tag)
			if err != nil {
				return err
			}
			return printLine(cmd, "pushed "+pushed)
		},
	}
	bindImageFlags(cmd, &options)
	return cmd
}

func bindImageFlags(cmd *cobra.Command, options *image.Options) {
	cmd.Flags().StringVarP(&options.Tag, "tag", "t", os.Getenv("IMG"), "the image's `name`; the environment variable IMG if not given")
	cmd.Flags().StringVar(&options.Platform, "platform", "", "what the image is to run on, as linux/arm64; linux on the host's architecture if not given")
	cmd.Flags().StringVar(&options.Package, "package", "./cmd", "the manager's main package")
}

func requireTag(options image.Options) error {
	if options.Tag == "" {
		return &usageError{errors.New("give the image a name with --tag, as registry.example/manager:v1")}
	}
	return nil
}
