// Package image makes container images of managers without a container engine: the host's Go command cross-compiles the
// manager, so private modules and replace directives work as they do in any build, and the image is put together from the
// binary and the few files that it needs. The same source gives the same image, to the byte.
package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// Options say what image to make.
type Options struct {
	// Dir is the project's folder; empty is the current one.
	Dir string
	// Package is the main package, relative to Dir; empty is ./cmd.
	Package string
	// Tag is the image's name, as registry.example/manager:v1.
	Tag string
	// Platform is what the image runs on, as linux/arm64; empty is linux on the host's architecture.
	Platform string
	// Warnings receives what the user should know though the image could be made; nil drops it.
	Warnings io.Writer
}

// nonroot is the user and group that the manager runs as. A number, because Kubernetes cannot tell from a name that the
// user is not root.
const nonroot = "65532"

// Build compiles the manager and returns its image.
func Build(ctx context.Context, options Options) (v1.Image, error) {
	if _, err := name.NewTag(options.Tag); err != nil {
		return nil, fmt.Errorf("image name %q: %w", options.Tag, err)
	}
	platform, err := parsePlatform(options.Platform)
	if err != nil {
		return nil, err
	}
	if options.Warnings == nil {
		options.Warnings = io.Discard
	}
	manager, err := compile(ctx, options, platform)
	if err != nil {
		return nil, err
	}
	base, err := layer(baseFiles(options.Warnings))
	if err != nil {
		return nil, err
	}
	program, err := layer([]file{{name: "manager", mode: 0o755, data: manager}})
	if err != nil {
		return nil, err
	}
	return assemble(platform, base, program)
}

// assemble makes an image of layers. What changes least comes first, so that registries and nodes fetch it once.
func assemble(platform v1.Platform, layers ...v1.Layer) (v1.Image, error) {
	image, err := mutate.AppendLayers(empty.Image, layers...)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Variant = platform.OS, platform.Architecture, platform.Variant
	config.Config = v1.Config{
		Entrypoint: []string{"/manager"},
		User:       nonroot + ":" + nonroot,
		WorkingDir: "/",
	}
	return mutate.ConfigFile(image, config)
}

func parsePlatform(text string) (v1.Platform, error) {
	if text == "" {
		text = "linux/" + hostArchitecture
	}
	platform, err := v1.ParsePlatform(text)
	if err != nil {
		return v1.Platform{}, fmt.Errorf("platform %q: %w", text, err)
	}
	if platform.OS != "linux" || platform.Architecture == "" {
		return v1.Platform{}, fmt.Errorf("platform %q: managers run on linux; write linux/amd64 or linux/arm64, for example", text)
	}
	return *platform, nil
}

// compile builds the manager's binary for the platform.
func compile(ctx context.Context, options Options, platform v1.Platform) ([]byte, error) {
	pkg := options.Package
	if pkg == "" {
		pkg = "./cmd"
	}
	if _, err := os.Stat(filepath.Join(options.Dir, filepath.FromSlash(pkg))); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the project has no main package at %s: run this in the project's folder", pkg)
	}
	work, err := os.MkdirTemp("", "kubewright-image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a leftover in the temporary folder harms nobody
	output := filepath.Join(work, "manager")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", output, pkg)
	cmd.Dir = options.Dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform.OS, "GOARCH="+platform.Architecture)
	if platform.Architecture == "arm" {
		cmd.Env = append(cmd.Env, "GOARM="+strings.TrimPrefix(platform.Variant, "v"))
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s for %s: %w\n%s", pkg, platform.String(), err, bytes.TrimSpace(said.Bytes()))
	}
	return os.ReadFile(output)
}
