// Package controlplane finds the folder that holds the Kubernetes control plane's programs, and builds it when there
// is none. The programs are one binary, made from the controlplane module of the checkout that this command comes
// from, and links to it under the name of each part.
package controlplane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Version is the Kubernetes version that the control plane is built from.
const Version = "v1.37.2"

// AssetsVariable names the environment variable by which users choose a folder of control plane programs themselves.
const AssetsVariable = "KUBEBUILDER_ASSETS"

// binary is the name of the program that all parts are links to.
const binary = "controlplane"

// parts are the names under which the binary acts as a part of the control plane.
var parts = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"}

// ErrNotBuilt is the error of Find when no folder holds a control plane.
var ErrNotBuilt = errors.New("no control plane found")

// Find returns the folder of the control plane's programs: the one that KUBEBUILDER_ASSETS names if it is set, else
// the newest one that Build has made. The folder holds at least etcd and kube-apiserver. When there is none the error
// is ErrNotBuilt and says where Find has looked.
func Find() (string, error) {
	if dir := os.Getenv(AssetsVariable); dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		return dir, Require(dir, "etcd", "kube-apiserver")
	}
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	current := filepath.Join(root, "current")
	dir, err := filepath.EvalSymlinks(current)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(missingParts(dir, parts...)) > 0 {
		return "", fmt.Errorf("%w: %s is not set, and there is none at %s; run `kubebuilder cluster build`",
			ErrNotBuilt, AssetsVariable, current)
	}
	return dir, err
}

// Require returns an error that says what to do unless dir, which Find returned, holds the named programs. A folder that
// the user has chosen may hold some of them only.
func Require(dir string, names ...string) error {
	missing := missingParts(dir, names...)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s has no %s: set %s to a folder that has, or unset it to use the control plane of `kubebuilder cluster build`",
		dir, strings.Join(missing, ", "), AssetsVariable)
}

// cacheRoot is the folder that holds a folder for every control plane that was built, and the link to the newest.
func cacheRoot() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the user's cache folder: %w", err)
	}
	return filepath.Join(cache, "kubewright", "controlplane"), nil
}

// missingParts returns the names that are no files in dir.
func missingParts(dir string, names ...string) []string {
	var missing []string
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.IsDir() {
			missing = append(missing, name)
		}
	}
	return missing
}
