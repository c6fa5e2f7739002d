package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"kubewright.dev/kubebuilder/internal/apply"
	"kubewright.dev/kubebuilder/internal/kustomize"
)

func newApplyCommand() *cobra.Command {
	var manifests manifestFlags
	options := apply.ApplyOptions{}
	force := true
	cmd := &cobra.Command{
		Use:   "apply (-k DIR | -f FILE)",
		Short: "Create objects in the cluster, or bring them to what they are to be",
		Long: `Create objects in the cluster, or bring them to what they are to be, by server-side apply.
Namespaces and custom resource definitions come first and are waited for.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, objects, err := manifests.open(cmd)
			if err != nil {
				return err
			}
			options.FailOnConflict = !force
			return server.Apply(cmd.Context(), objects, options, cmd.OutOrStdout())
		},
	}
	manifests.bind(cmd)
	cmd.Flags().BoolVar(&force, "force-conflicts", true, "take over fields that another manager has set to other values")
	cmd.Flags().DurationVar(&options.Timeout, "timeout", time.Minute, "how long to wait for definitions and namespaces")
	return cmd
}

// manifestFlags are the flags of commands that bring objects to a cluster or take them away.
type manifestFlags struct {
	kustomization string
	files         []string
	images        []string
	connection    apply.Connection
}

func (m *manifestFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&m.kustomization, "kustomize", "k", "", "the `folder` of a kustomization")
	flags.StringArrayVarP(&m.files, "filename", "f", nil, "a `file` or folder with objects, or - for standard input; can be given several times")
	addImageFlag(cmd, &m.images)
	flags.StringVar(&m.connection.Kubeconfig, "kubeconfig", "", "the kubeconfig `file`, instead of KUBECONFIG or ~/.kube/config")
	flags.StringVar(&m.connection.Context, "context", "", "the kubeconfig's context to use")
	flags.StringVarP(&m.connection.Namespace, "namespace", "n", "", "the namespace of objects that name none")
}

// open reads the objects and finds the server.
func (m *manifestFlags) open(cmd *cobra.Command) (*apply.Server, []apply.Object, error) {
	objects, err := m.objects(cmd)
	if err != nil {
		return nil, nil, err
	}
	server, err := apply.Connect(m.connection)
	return server, objects, err
}

func (m *manifestFlags) objects(cmd *cobra.Command) ([]apply.Object, error) {
	if (m.kustomization == "") == (len(m.files) == 0) {
		return nil, &usageError{errors.New("name a kustomization's folder with -k, or files with -f")}
	}
	if m.kustomization != "" {
		data, err := kustomize.Build(m.kustomization, m.images)
		if err != nil {
			return nil, err
		}
		return apply.Parse(data, m.kustomization)
	}
	if len(m.images) > 0 {
		return nil, &usageError{errors.New("--image works on a kustomization; give that with -k")}
	}
	var objects []apply.Object
	for _, file := range m.files {
		found, err := apply.ParseFile(file, cmd.InOrStdin())
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}
