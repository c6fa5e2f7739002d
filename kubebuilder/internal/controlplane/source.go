package controlplane

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// sourceFiles are the files that, together with the versions and the platform, decide what the binary will be.
var sourceFiles = []string{"go.mod", "go.sum", "main.go"}

// source is the folder of the controlplane module, and the key of what a build of it gives.
type source struct {
	dir string
	key string
}

// findSource finds the controlplane module beside the module that this file was compiled from.
func findSource() (source, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return source{}, errors.New("this kubebuilder command does not know its checkout (it was built with -trimpath); " +
			"build it without, or set " + AssetsVariable + " to a folder with etcd and kube-apiserver")
	}
	module := filepath.Join(filepath.Dir(file), "..", "..")
	dir := filepath.Join(module, "..", "controlplane")
	hash := sha256.New()
	fmt.Fprintln(hash, Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, name := range sourceFiles {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return source{}, fmt.Errorf("the control plane's source is not at %s: keep the checkout that this command was "+
				"built from, or set %s to a folder with etcd and kube-apiserver", dir, AssetsVariable)
		}
		if err != nil {
			return source{}, err
		}
		fmt.Fprintln(hash, name, len(data))
		hash.Write(data)
	}
	return source{dir: dir, key: hex.EncodeToString(hash.Sum(nil))[:12]}, nil
}
