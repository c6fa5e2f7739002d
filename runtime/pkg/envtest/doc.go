// Package envtest gives tests an API server: etcd and kube-apiserver are started as child processes, custom resource
// definitions and webhook configurations installed, and a client configuration returned.
//
//	env := &envtest.Environment{CRDDirectoryPaths: []string{"config/crd/bases"}}
//	cfg, err := env.Start()
//	…
//	err = env.Stop()
//
// The binaries come from the folder of BinaryAssetsDirectory, else of the variable KUBEBUILDER_ASSETS, else from the
// control plane that `kubebuilder cluster build` made, else from /usr/local/kubebuilder/bin. Nothing is downloaded.
// No controllers run beside the API server: nothing is garbage collected, no pod is scheduled, a namespace that is
// deleted stays in its phase Terminating. With UseExistingCluster, or USE_EXISTING_CLUSTER=true, tests run against the
// cluster that a kubeconfig names.
package envtest
