package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAPersonOperatorFromTheFirstFileToTheDeployedManager is the main job: what everything else stands on.
func TestAPersonOperatorFromTheFirstFileToTheDeployedManager(t *testing.T) {
	kubeconfig := cluster(t)
	dir := filepath.Join(t.TempDir(), "operator-example")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, dir, path(), "KUBECONFIG="+kubeconfig)

	writeProject(t, s)
	s.run("make", "generate", "manifests")
	s.run("go", "vet", "./...")
	s.run("go", "build", "-o", "bin/manager", "./cmd/main.go")
	first := s.run("make", "install")
	if !strings.Contains(first, "customresourcedefinition.apiextensions.k8s.io/people.apps.keon.io created") {
		t.Errorf("make install does not say that it created the CRD:\n%s", first)
	}
	if crds := s.run("kubectl", "get", "crds"); !strings.Contains(crds, "people.apps.keon.io") {
		t.Errorf("kubectl get crds does not list people.apps.keon.io:\n%s", crds)
	}

	reconcilesAsRun(t, s)
	electsOneOfTwo(t, s)
	deploysAndUndeploys(t, s, kubeconfig)
}

// writeProject scaffolds the project and fills in what the user writes: two fields, a column and the reconciler.
func writeProject(t *testing.T, s *session) {
	t.Helper()
	s.run("kubebuilder", "init", "--domain", "keon.io", "--license", "apache2", "--owner", "keon", "--repo", "keon.io/operator-example")
	s.run("kubebuilder", "create", "api", "--group", "apps", "--version", "v1alpha1", "--kind", "Person", "--resource", "--controller")
	types := filepath.Join("api", "v1alpha1", "person_types.go")
	s.edit(types,
		"type PersonSpec struct {\n", "type PersonSpec struct {\n"+
			"\t// FirstName is what friends call the person.\n\tFirstName string `json:\"firstname\"`\n"+
			"\t// SecondName is the family's name.\n\tSecondName string `json:\"secondname\"`\n",
		"// +kubebuilder:object:root=true\n", "// +kubebuilder:object:root=true\n"+
			"// +kubebuilder:printcolumn:name=\"First\",type=string,JSONPath=`.spec.firstname`\n"+
			"// +kubebuilder:printcolumn:name=\"Age\",type=date,JSONPath=`.metadata.creationTimestamp`\n")
	controller, err := os.ReadFile(filepath.Join("testdata", "person_controller.go"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join("internal", "controller", "person_controller.go"), string(controller))
	writeSample(s, "Tang")
}

func writeSample(s *session, secondName string) {
	s.t.Helper()
	s.write(filepath.Join("config", "samples", "apps_v1alpha1_person.yaml"), `apiVersion: apps.keon.io/v1alpha1
kind: Person
metadata:
  name: person-sample
spec:
  firstname: Keon
  secondname: `+secondName+"\n")
}

const sample = "config/samples/apps_v1alpha1_person.yaml"

// reconcilesAsRun runs the manager as a process of its own and walks a Person through its life.
func reconcilesAsRun(t *testing.T, s *session) {
	metrics := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	arguments := []string{"--metrics-bind-address=" + metrics, "--metrics-secure=false", "--health-probe-bind-address=127.0.0.1:0"}
	manager := s.start("./bin/manager", arguments...)
	manager.sees("Starting workers", 1, 30*time.Second)

	writeSample(s, "Tang")
	s.run("kubectl", "create", "-f", sample)
	manager.sees("fetch New Object: Keon Tang", 1, 2*time.Second)
	if people := s.run("kubectl", "get", "person"); !strings.Contains(people, "person-sample") || !strings.Contains(people, "Keon") {
		t.Errorf("kubectl get person does not list the sample with its column:\n%s", people)
	}
	eventually(t, 10*time.Second, "the metric of the reconcile", func() error {
		body, err := fetch("http://" + metrics + "/metrics")
		if err == nil && !strings.Contains(body, `controller_runtime_reconcile_time_seconds_bucket{controller="person",le="0.005"}`) {
			err = fmt.Errorf("no bucket of controller person in\n%s", body)
		}
		return err
	})

	greeting := func(want string) {
		t.Helper()
		eventually(t, 10*time.Second, "the greeting "+want, func() error {
			text, err := s.try("kubectl", "get", "configmap", "person-sample-greeting", "-o", "jsonpath={.data.text}")
			if err == nil && text != want {
				err = fmt.Errorf("it says %q", text)
			}
			return err
		})
	}
	greeting("Hello Keon Tang")
	writeSample(s, "Ting")
	s.run("kubectl", "apply", "-f", sample)
	manager.sees("fetch New Object: Keon Ting", 1, 2*time.Second)
	greeting("Hello Keon Ting")
	s.run("kubectl", "delete", "configmap", "person-sample-greeting")
	greeting("Hello Keon Ting")

	// While the manager is away the person changes; the next one sees it.
	manager.kill()
	writeSample(s, "Tong")
	s.run("kubectl", "apply", "-f", sample)
	manager = s.start("./bin/manager", arguments...)
	manager.sees("fetch New Object: Keon Tong", 1, 30*time.Second)
	greeting("Hello Keon Tong")

	// The delete waits for the finalizer: without a manager the person stays.
	manager.kill()
	s.run("kubectl", "delete", "person", "person-sample", "--wait=false")
	if stamp := s.run("kubectl", "get", "person", "person-sample", "-o", "jsonpath={.metadata.deletionTimestamp}"); stamp == "" {
		t.Error("the deleted person has no deletionTimestamp")
	}
	manager = s.start("./bin/manager", arguments...)
	manager.sees("say goodbye to Keon", 1, 30*time.Second)
	gone(t, s, "person", "person-sample")
	gone(t, s, "configmap", "person-sample-greeting")
	manager.stop()
	if manager.says("forbidden") {
		t.Error(`the manager's log says "forbidden"`)
	}
}

func gone(t *testing.T, s *session, kind, name string) {
	t.Helper()
	eventually(t, 60*time.Second, kind+" "+name+" is gone", func() error {
		out, err := s.try("kubectl", "get", kind, name)
		if err != nil && strings.Contains(out, "NotFound") {
			return nil
		}
		return fmt.Errorf("%v: %s", err, out)
	})
}

// electsOneOfTwo runs two managers with leader election: one works, the other takes over.
func electsOneOfTwo(t *testing.T, s *session) {
	arguments := []string{"--leader-elect", "--leader-election-namespace=default", "--health-probe-bind-address=127.0.0.1:0"}
	first := s.start("./bin/manager", arguments...)
	first.sees("Starting workers", 1, 30*time.Second)
	second := s.start("./bin/manager", arguments...)
	second.sees("Attempting to acquire leader lease", 1, 30*time.Second)

	writeSample(s, "Tang")
	s.run("kubectl", "create", "-f", sample)
	first.sees("fetch New Object: Keon Tang", 1, 2*time.Second)
	if second.says("Starting workers") {
		t.Error("the manager without the lease started its workers")
	}

	first.kill()
	second.sees("Starting workers", 1, 30*time.Second)
	second.sees("fetch New Object: Keon Tang", 1, 10*time.Second)

	third := s.start("./bin/manager", arguments...)
	third.sees("Attempting to acquire leader lease", 1, 30*time.Second)
	second.stop()
	third.sees("fetch New Object: Keon Tang", 1, 10*time.Second)
	s.run("kubectl", "delete", "person", "person-sample")
	gone(t, s, "configmap", "person-sample-greeting")
	third.stop()
}

// deploysAndUndeploys applies the whole configuration, works with the deployed service account, and takes all away.
func deploysAndUndeploys(t *testing.T, s *session, kubeconfig string) {
	const namespace = "operator-example-system"
	s.run("make", "deploy", "IMG=example.com/operator:v1")
	if again := s.run("make", "deploy", "IMG=example.com/operator:v1"); strings.Contains(again, " created") {
		t.Errorf("the second make deploy created something:\n%s", again)
	}
	image := s.run("kubectl", "-n", namespace, "get", "deployment", "operator-example-controller-manager",
		"-o", "jsonpath={.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].imagePullPolicy}")
	if !strings.HasPrefix(image, "example.com/operator:v1 IfNotPresent") {
		t.Errorf("the Deployment runs %q", image)
	}

	token := strings.TrimSpace(s.run("kubectl", "-n", namespace, "create", "token", "operator-example-controller-manager"))
	asDeployed := filepath.Join(t.TempDir(), "kubeconfig")
	data, err := os.ReadFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(asDeployed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run("kubectl", "--kubeconfig", asDeployed, "config", "set-credentials", "deployed", "--token", token)
	s.run("kubectl", "--kubeconfig", asDeployed, "config", "set-context", "--current", "--user", "deployed")
	deployed := newSession(t, s.dir, path(), "KUBECONFIG="+asDeployed)
	manager := deployed.start("./bin/manager", "--leader-elect", "--leader-election-namespace="+namespace, "--health-probe-bind-address=127.0.0.1:0",
		fmt.Sprintf("--metrics-bind-address=127.0.0.1:%d", freePort(t)))
	manager.sees("Starting workers", 1, 30*time.Second)
	writeSample(s, "Tang")
	s.run("kubectl", "create", "-f", sample)
	manager.sees("fetch New Object: Keon Tang", 1, 2*time.Second)
	eventually(t, 10*time.Second, "the greeting", func() error {
		_, err := s.try("kubectl", "get", "configmap", "person-sample-greeting")
		return err
	})
	s.run("kubectl", "delete", "person", "person-sample")
	manager.stop()
	if manager.says("forbidden") {
		t.Error(`the log of the manager with the deployed service account says "forbidden"`)
	}

	s.run("make", "undeploy")
	gone(t, s, "namespace", namespace)
	gone(t, s, "crd", "people.apps.keon.io")
	left := s.run("kubectl", "get", "clusterroles,clusterrolebindings", "-o", "name")
	if strings.Contains(left, "operator-example") {
		t.Errorf("make undeploy left something behind:\n%s", left)
	}
}
