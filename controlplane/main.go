// Command controlplane is a Kubernetes control plane in one binary: etcd, kube-apiserver, kube-controller-manager,
// kube-scheduler and kubectl. It acts as the part whose name it is called by, so a folder with one copy and four
// links to it serves wherever separate binaries are expected, KUBEBUILDER_ASSETS for instance.
//
// Called by another name, it takes the part's name as its first argument: `controlplane etcd --version`.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	_ "time/tzdata" // CronJobs name time zones, and the host may have no zone files

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// parts maps a part's name to what runs it and returns its exit code. Building a part's command registers flags and
// metrics, so only the one that is asked for is built.
var parts = map[string]func() int{
	"etcd": func() int {
		etcdmain.Main(os.Args)
		return 0
	},
	"kube-apiserver":          component(apiserver.NewAPIServerCommand),
	"kube-controller-manager": component(controllermanager.NewControllerManagerCommand),
	"kube-scheduler":          component(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
	"kubectl":                 component(func() *cobra.Command { return kubectl.NewDefaultKubectlCommand() }),
}

func component(newCommand func() *cobra.Command) func() int {
	return func() int { return cli.Run(newCommand()) }
}

func main() {
	name := partName(os.Args[0])
	if _, ok := parts[name]; !ok && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		name = partName(os.Args[0])
	}
	run, ok := parts[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "controlplane: %q is no part of the control plane; call it as, or with, one of: "+
			"etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubectl\n", name)
		os.Exit(2)
	}
	os.Exit(run())
}

func partName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}
