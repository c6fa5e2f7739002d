package main

import "testing"

func TestThePartIsTheLastElementOfThePathWithoutTheSystemsSuffix(t *testing.T) {
	for path, want := range map[string]string{
		"etcd":                        "etcd",
		"/some/folder/kube-apiserver": "kube-apiserver",
		"./kubectl":                   "kubectl",
		"kube-scheduler.exe":          "kube-scheduler",
		"/opt/kube.v1/controlplane":   "controlplane",
		"../kube-controller-manager":  "kube-controller-manager",
		"folder.exe/controlplane.exe": "controlplane",
	} {
		if got := partName(path); got != want {
			t.Errorf("partName(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestEveryPartHasSomethingToRun(t *testing.T) {
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"} {
		if parts[name] == nil {
			t.Errorf("nothing runs %s", name)
		}
	}
}
