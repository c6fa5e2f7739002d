package cli

import (
	"context"
	"fmt"
	"go/version"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/project"
	"kubewright.dev/kubebuilder/internal/scaffold"
)

// minimumGo is the Go release that a project needs.
const minimumGo = "go1.26.0"

func newInitCommand() *cobra.Command {
	options := scaffold.InitOptions{Dir: "."}
	var projectVersion string
	var plugins []string
	var skipGoCheck, fetch bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Start a project in this folder",
		Long: "Start a project in this folder: a Go module with a manager that has no controllers yet, the manifests to deploy it,\n" +
			"a Makefile, tests, and a PROJECT file that later commands read. Add kinds with `kubebuilder create api`.",
		Example: "  kubebuilder init --domain example.org --repo example.org/my-operator --owner \"My Company\"",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if projectVersion != project.Version {
				return &usageError{fmt.Errorf("project version %q is not supported: leave out --project-version, or set it to %s", projectVersion, project.Version)}
			}
			if err := checkPlugins(plugins); err != nil {
				return err
			}
			if !skipGoCheck {
				if err := checkGo(cmd.Context()); err != nil {
					return err
				}
			}
			result, err := scaffold.Init(options)
			if err != nil {
				return err
			}
			if result.Tidy && fetch {
				if err := runProgram(cmd, ".", "go", "mod", "tidy"); err != nil {
					return err
				}
			}
			sayWritten(cmd, result.Files)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "The project is ready. Next: define a kind with `kubebuilder create api`.")
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.Domain, "domain", "my.domain", "ends the API groups of the project's kinds")
	flags.StringVar(&options.Repo, "repo", "", "path of the project's Go module (default: that of go.mod, where there is one)")
	flags.StringVar(&options.Name, "project-name", "", "starts the names of all that is deployed (default: the folder's name)")
	flags.StringVar(&options.License, "license", "apache2", "license notice above each Go file: apache2 or none")
	flags.StringVar(&options.LicenseFile, "license-file", "", "file whose text stands above each Go file, in place of --license")
	flags.StringVar(&options.Owner, "owner", "", "who has the copyright")
	flags.BoolVar(&options.MultiGroup, "multigroup", false, "give each API group folders of its own")
	flags.BoolVar(&options.Namespaced, "namespaced", false, "confine the manager to the namespace it is deployed in")
	flags.StringVar(&projectVersion, "project-version", project.Version, "version of the PROJECT file")
	flags.StringSliceVar(&plugins, "plugins", nil, "layout of the project ("+project.Layout+")")
	flags.BoolVar(&skipGoCheck, "skip-go-version-check", false, "do not check which Go is installed")
	flags.BoolVar(&fetch, "fetch-deps", true, "fetch the project's Go modules where go.sum is not complete without")
	return cmd
}

// checkPlugins accepts the names of the one layout there is.
func checkPlugins(plugins []string) error {
	for _, name := range plugins {
		base, version, _ := strings.Cut(name, "/")
		if base != "go" && base != "go.kubebuilder.io" || version != "" && version != "v4" {
			return &usageError{fmt.Errorf("plugin %q is not supported: leave out --plugins, or set it to %s", name, project.Layout)}
		}
	}
	return nil
}

// checkGo makes sure that the installed Go can build what is scaffolded.
func checkGo(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return fmt.Errorf("find out which Go is installed: %w: put Go %s or newer on the PATH, or add --skip-go-version-check", err, minimumGo[2:])
	}
	have, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version.IsValid(have) && version.Compare(have, minimumGo) < 0 {
		return fmt.Errorf("%s is installed, and projects need Go %s or newer: install it, or add --skip-go-version-check", have, minimumGo[2:])
	}
	return nil
}

// runProgram runs a program in dir, with its output shown.
func runProgram(cmd *cobra.Command, dir, name string, args ...string) error {
	program := exec.CommandContext(cmd.Context(), name, args...)
	program.Dir, program.Stdout, program.Stderr = dir, cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// sayWritten lists written files.
func sayWritten(cmd *cobra.Command, files []string) {
	for _, name := range files {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), "wrote", name)
	}
}
