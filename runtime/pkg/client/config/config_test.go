package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kubewright.dev/runtime/pkg/client/config"
)

// write makes a kubeconfig file with the contexts one and two, of which one is current.
func write(t *testing.T, path, host string) string {
	t.Helper()
	kubeconfig := clientcmdapi.NewConfig()
	for _, name := range []string{"one", "two"} {
		kubeconfig.Clusters[name] = &clientcmdapi.Cluster{Server: "https://" + host + "-" + name}
		kubeconfig.Contexts[name] = &clientcmdapi.Context{Cluster: name}
	}
	kubeconfig.CurrentContext = "one"
	if err := clientcmd.WriteToFile(*kubeconfig, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPlacesAreLookedAtInOrder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", "")
	if err := os.Mkdir(filepath.Join(dir, ".kube"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := config.GetConfigWithContext("none"); err == nil {
		t.Error("nothing anywhere, and no error")
	}
	// The later a place is looked at, the earlier it is filled here; each one then hides those before.
	env := write(t, filepath.Join(dir, "env"), "env")
	byFlag := write(t, filepath.Join(dir, "flag"), "flag")
	for _, step := range []struct {
		want string
		fill func()
	}{
		{"https://env-one", func() { t.Setenv("KUBECONFIG", env) }},
		{"https://flag-one", func() {
			if err := flag.Set(config.KubeconfigFlagName, byFlag); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = flag.Set(config.KubeconfigFlagName, "") })
		}},
	} {
		step.fill()
		cfg, err := config.GetConfig()
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Host != step.want || cfg.QPS != -1 {
			t.Errorf("got %s with QPS %v, want %s without a limit", cfg.Host, cfg.QPS, step.want)
		}
	}
	cfg, err := config.GetConfigWithContext("two")
	if err != nil || cfg.Host != "https://flag-two" {
		t.Errorf("a named context: %v, %v", cfg, err)
	}
}

func TestTheFlagIsRegisteredOnOtherFlagSets(t *testing.T) {
	fs := flag.NewFlagSet("program", flag.ContinueOnError)
	config.RegisterFlags(fs)
	config.RegisterFlags(fs)
	config.RegisterFlags(nil)
	if fs.Lookup(config.KubeconfigFlagName) == nil {
		t.Error("no flag")
	}
}
