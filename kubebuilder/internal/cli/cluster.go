package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/cluster"
	"kubewright.dev/kubebuilder/internal/controlplane"
)

func newClusterCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Run a Kubernetes control plane on this machine to develop against",
		Long: `Run a Kubernetes control plane on this machine to develop against: etcd, the API server,
the controller manager and the scheduler, on loopback ports and with their own
certificate authority. There are no nodes, so pods stay pending; everything else works.

  eval "$(kubebuilder cluster up)"     start it and use it in this shell
  kubebuilder cluster down             end it and remove its data`,
	}
	cmd.PersistentFlags().StringVar(&name, "name", cluster.DefaultName, "which cluster, when there are several")
	// withCluster adapts a command that works on the cluster that --name names.
	withCluster := func(run func(cmd *cobra.Command, c *cluster.Cluster, args []string) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error {
			c, err := cluster.New(name)
			if err != nil {
				return &usageError{err}
			}
			return run(cmd, c, args)
		}
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "up", Args: noArguments,
			Short: "Start the cluster, or what of it does not run, and wait until it is ready",
			RunE:  withCluster(clusterUp),
		},
		newClusterDownCommand(withCluster),
		&cobra.Command{
			Use: "status", Args: noArguments,
			Short: "Say of each part which process and version it is and whether it is ready",
			RunE:  withCluster(clusterStatus),
		},
		&cobra.Command{
			Use: "kubeconfig", Args: noArguments,
			Short: "Print the path of the cluster's kubeconfig file",
			RunE: withCluster(func(cmd *cobra.Command, c *cluster.Cluster, _ []string) error {
				if err := c.RequireUp(); err != nil {
					return err
				}
				return printLine(cmd, c.Kubeconfig())
			}),
		},
		&cobra.Command{
			Use:   "logs [PART]...",
			Short: "Print the logs of the cluster's parts",
			RunE: withCluster(func(cmd *cobra.Command, c *cluster.Cluster, args []string) error {
				return c.Logs(args, cmd.OutOrStdout())
			}),
		},
		&cobra.Command{
			Use: "assets", Args: noArguments,
			Short: "Print the folder of the control plane's programs, which serves as KUBEBUILDER_ASSETS",
			RunE:  func(cmd *cobra.Command, _ []string) error { return printFolder(cmd, controlplane.FindOrBuild) },
		},
		&cobra.Command{
			Use: "build", Args: noArguments,
			Short: "Build the control plane's programs from source, unless they are built",
			RunE:  func(cmd *cobra.Command, _ []string) error { return printFolder(cmd, controlplane.Build) },
		},
	)
	return cmd
}

func newClusterDownCommand(withCluster func(func(*cobra.Command, *cluster.Cluster, []string) error) func(*cobra.Command, []string) error) *cobra.Command {
	var keepData bool
	cmd := &cobra.Command{
		Use: "down", Args: noArguments,
		Short: "End the cluster's processes and remove its data",
		RunE: withCluster(func(cmd *cobra.Command, c *cluster.Cluster, _ []string) error {
			return c.Down(cmd.Context(), keepData, cmd.ErrOrStderr())
		}),
	}
	cmd.Flags().BoolVar(&keepData, "keep-data", false, "keep the cluster's objects for the next up")
	return cmd
}

// clusterUp prints on standard output only what a shell can evaluate.
func clusterUp(cmd *cobra.Command, c *cluster.Cluster, _ []string) error {
	if err := c.Up(cmd.Context(), cmd.ErrOrStderr()); err != nil {
		return err
	}
	return printLine(cmd, "export KUBECONFIG="+shellQuote(c.Kubeconfig()))
}

// shellQuote returns a word that a shell reads as text, which most paths are without quotes.
func shellQuote(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:@%", r)
	}) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func clusterStatus(cmd *cobra.Command, c *cluster.Cluster, _ []string) error {
	parts, err := c.Status(cmd.Context())
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "PART\tPID\tVERSION\tREADY")
	for _, part := range parts {
		pid, ready := "-", "yes"
		if part.PID > 0 {
			pid = fmt.Sprint(part.PID)
		}
		if !part.Ready {
			ready = "no: " + part.Problem
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", part.Name, pid, part.Version, ready)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return c.RequireUp()
}

func printFolder(cmd *cobra.Command, find func(context.Context, io.Writer) (string, error)) error {
	dir, err := find(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	return printLine(cmd, dir)
}

func printLine(cmd *cobra.Command, line string) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), line)
	return err
}

// noArguments refuses arguments of a command that takes flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{fmt.Errorf("%s takes no arguments, but got %q", cmd.CommandPath(), args[0])}
	}
	return nil
}
