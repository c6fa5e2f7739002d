package controlplane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AssetsEnv names the environment variable that holds the folder of the control plane's binaries.
const AssetsEnv = "KUBEBUILDER_ASSETS"

// traditionalAssets is where envtest has always looked last.
const traditionalAssets = "/usr/local/kubebuilder/bin"

// AssetsDirs returns the folders that may hold the binaries, in the order in which they are asked: dir if it is given
// and nothing else; KUBEBUILDER_ASSETS if it is set and nothing else; the control plane that the kubebuilder command
// built for this user; and /usr/local/kubebuilder/bin.
func AssetsDirs(dir string) []string {
	if dir != "" {
		return []string{dir}
	}
	if env := os.Getenv(AssetsEnv); env != "" {
		return []string{env}
	}
	var dirs []string
	if built, err := BuiltAssetsDir(); err == nil {
		dirs = append(dirs, built)
	}
	return append(dirs, traditionalAssets)
}

// BuiltAssetsDir is the folder of the newest control plane that the kubebuilder command built for this user.
func BuiltAssetsDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache folder: %w", err)
	}
	return filepath.Join(cache, "kubewright", "controlplane", "current"), nil
}

// FindBinary returns the path of the named binary (etcd, kube-apiserver, kubectl). A variable
// TEST_ASSET_<NAME>, as TEST_ASSET_KUBE_APISERVER, wins over every folder of [AssetsDirs].
func FindBinary(name, dir string) (string, error) {
	variable := "TEST_ASSET_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	dirs := AssetsDirs(dir)
	for _, d := range dirs {
		path := filepath.Join(d, name)
		switch info, err := os.Stat(path); {
		case err == nil && !info.IsDir():
			return path, nil
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return "", fmt.Errorf("look for %s: %w", name, err)
		}
	}
	return "", fmt.Errorf("no %s in %s: run `kubebuilder cluster build`, or set %s to a folder that has it",
		name, strings.Join(dirs, ", "), AssetsEnv)
}
