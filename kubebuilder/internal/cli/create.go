package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/scaffold"
)

func newCreateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Add to a project",
	}
	cmd.AddCommand(newCreateAPICommand())
	return cmd
}

func newCreateAPICommand() *cobra.Command {
	options := scaffold.APIOptions{Dir: "."}
	var makes bool
	var plugins []string
	cmd := &cobra.Command{
		Use:   "api",
		Short: "Add a kind, a controller for it, or both",
		Long: "Add a kind to the project: the Go type, the manifests about it and a sample; a controller for it: the reconciler,\n" +
			"its test and its set-up in cmd/main.go; or both. Without --resource or --controller it asks which ones to make.",
		Example: "  kubebuilder create api --group apps --version v1alpha1 --kind Person --resource --controller",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkPlugins(plugins); err != nil {
				return err
			}
			if err := askWhat(cmd, &options); err != nil {
				return err
			}
			result, err := scaffold.CreateAPI(options)
			if err != nil {
				return err
			}
			sayWritten(cmd, result.Files)
			if makes && options.Resource {
				if err := runProgram(cmd, options.Dir, "make", "generate"); err != nil {
					return fmt.Errorf("the files are written, but generating code failed: %w", err)
				}
			}
			if options.Resource {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "Next: edit the Go type, then run `make generate manifests`.")
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.Group, "group", "", "API group, without the project's domain")
	flags.StringVar(&options.Version, "version", "", "API version, as v1alpha1")
	flags.StringVar(&options.Kind, "kind", "", "name of the kind, as Person")
	flags.StringVar(&options.Plural, "plural", "", "name of the resource (default: the kind's English plural)")
	flags.BoolVar(&options.Namespaced, "namespaced", true, "objects of the kind live in namespaces")
	flags.BoolVar(&options.Resource, "resource", true, "define the kind; asked if not set")
	flags.BoolVar(&options.Controller, "controller", true, "make a controller; asked if not set")
	flags.StringVar(&options.ControllerName, "controller-name", "", "name of the controller (default: the kind in small letters)")
	flags.BoolVar(&options.Force, "force", false, "write files anew that are there already")
	flags.BoolVar(&makes, "make", true, "run `make generate` afterwards")
	flags.StringSliceVar(&plugins, "plugins", nil, "layout of the project")
	return cmd
}

// askWhat asks for what --resource and --controller leave open. The rest of the options is checked first: a question is
// asked only if its answer can lead somewhere.
func askWhat(cmd *cobra.Command, options *scaffold.APIOptions) error {
	known := *options
	known.Resource = known.Resource && cmd.Flags().Changed("resource")
	if err := scaffold.CheckAPI(known); err != nil {
		return err
	}
	input := bufio.NewReader(cmd.InOrStdin())
	for _, q := range []struct {
		flag, what string
		answer     *bool
	}{{"resource", "Create Resource", &options.Resource}, {"controller", "Create Controller", &options.Controller}} {
		if cmd.Flags().Changed(q.flag) {
			continue
		}
		if err := ask(cmd, input, q.what, q.flag, q.answer); err != nil {
			return err
		}
	}
	return nil
}

// ask puts a question and reads the answer, from a terminal or whatever else standard input is.
func ask(cmd *cobra.Command, input *bufio.Reader, what, flag string, answer *bool) error {
	for {
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s [y/n]\n", what); err != nil {
			return err
		}
		line, err := input.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			*answer = true
			return nil
		case "n", "no":
			*answer = false
			return nil
		}
		if errors.Is(err, io.EOF) {
			return &usageError{fmt.Errorf("%q has no answer: say y or n, or set --%s=true or --%s=false", what, flag, flag)}
		}
		if err != nil {
			return fmt.Errorf("read the answer to %q: %w", what, err)
		}
	}
}
