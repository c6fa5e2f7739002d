package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const (
	runtimeModule = "kubewright.dev/runtime"
	// unpublished is the version that stands for a module which a folder replaces.
	unpublished = "v0.0.0-00010101000000-000000000000"
)

// direct lists the modules besides the runtime whose packages a fresh project imports.
var direct = []string{
	"github.com/onsi/ginkgo/v2", "github.com/onsi/gomega", "k8s.io/apimachinery", "k8s.io/client-go",
}

// module returns the go.mod and go.sum of a project whose module is repo.
//
// A command built from a checkout points the project at the runtime of that checkout, whose requirements are the
// project's own: both files are then complete, and building the project needs neither `go mod tidy` nor a network. A
// released command asks for the runtime of its own version; there is no go.sum then, and tidied is false.
func module(repo string) (mod, sum []byte, tidied bool, err error) {
	dir, err := checkout()
	if err != nil {
		version := release()
		if version == "" {
			return nil, nil, false, err
		}
		mod, err := goMod(repo, "1.26.0", []*modfile.Require{required(runtimeModule, version)}, "")
		return mod, nil, false, err
	}
	path := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, false, fmt.Errorf("read the runtime's requirements: %w", err)
	}
	source, err := modfile.Parse(path, text, nil)
	if err != nil {
		return nil, nil, false, fmt.Errorf("read the runtime's requirements: %w", err)
	}
	requires := []*modfile.Require{required(runtimeModule, unpublished)}
	for _, r := range source.Require {
		one := required(r.Mod.Path, r.Mod.Version)
		one.Indirect = !slices.Contains(direct, r.Mod.Path)
		requires = append(requires, one)
	}
	if mod, err = goMod(repo, source.Go.Version, requires, dir); err != nil {
		return nil, nil, false, err
	}
	if sum, err = os.ReadFile(filepath.Join(dir, "go.sum")); err != nil {
		return nil, nil, false, fmt.Errorf("read the checksums of the runtime's requirements: %w", err)
	}
	return mod, sum, true, nil
}

func required(path, version string) *modfile.Require {
	r := &modfile.Require{}
	r.Mod.Path, r.Mod.Version = path, version
	return r
}

// goMod writes a go.mod; replace is the folder of the runtime, or "".
func goMod(repo, goVersion string, requires []*modfile.Require, replace string) ([]byte, error) {
	var f modfile.File
	err := errors.Join(f.AddModuleStmt(repo), f.AddGoStmt(goVersion))
	f.SetRequireSeparateIndirect(requires)
	if replace != "" {
		err = errors.Join(err, f.AddReplace(runtimeModule, "", replace, ""))
	}
	f.Cleanup()
	text, formatErr := f.Format()
	if err = errors.Join(err, formatErr); err != nil {
		return nil, fmt.Errorf("write go.mod: %w", err)
	}
	return text, nil
}

// checkout returns the folder of the runtime module in the checkout that this command was built from.
func checkout() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if ok && filepath.IsAbs(file) {
		// This file is kubebuilder/internal/scaffold/source.go, beside runtime/.
		dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "runtime")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("the checkout that this command was built from is gone, and the command is no release: " +
		"build it again with `go install` in the folder kubebuilder of a checkout, without -trimpath")
}

// release returns the version of a released command, or "".
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !semver.IsValid(info.Main.Version) || strings.Contains(info.Main.Version, "+dirty") {
		return ""
	}
	return info.Main.Version
}
