package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/gen"
)

// generateFlags are the flags that all forms of generate share.
type generateFlags struct {
	header, year string
	paths        []string
	strict       bool
}

func newGenerateCommand() *cobra.Command {
	var flags generateFlags
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate copy methods, custom resource definitions and roles from Go types and markers",
		Long: `Generate reads the project's Go packages once and writes what their types and markers ask for:
zz_generated.deepcopy.go beside API types, config/crd/bases/*.yaml and config/rbac/role.yaml.
Files that are already right are left alone.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd, true, true) },
	}
	cmd.PersistentFlags().StringVar(&flags.header, "header-file", filepath.Join("hack", "boilerplate.go.txt"), "file with the text that generated Go code begins with; empty for none")
	cmd.PersistentFlags().StringVar(&flags.year, "year", strconv.Itoa(time.Now().Year()), "year that replaces YEAR in that text")
	cmd.PersistentFlags().StringSliceVar(&flags.paths, "paths", []string{"./..."}, "Go packages to read")
	cmd.PersistentFlags().BoolVar(&flags.strict, "strict", false, "make warnings errors")
	cmd.AddCommand(
		&cobra.Command{
			Use: "object", Short: "Generate copy methods only", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd, true, false) },
		},
		&cobra.Command{
			Use: "manifests", Short: "Generate custom resource definitions and roles only", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd, false, true) },
		},
	)
	return cmd
}

func (f *generateFlags) run(cmd *cobra.Command, object, manifests bool) error {
	result, err := gen.Project(cmd.Context(), gen.ProjectOptions{
		Header: gen.Header{File: f.header, Year: f.year}, Paths: f.paths, Strict: f.strict, Object: object, Manifests: manifests,
	})
	for _, warning := range result.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %v\n", warning)
	}
	for _, name := range result.Written {
		fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", name)
	}
	if err == nil && len(result.Written) == 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "up to date: %d generated files\n", len(result.Unchanged))
	}
	return err
}
