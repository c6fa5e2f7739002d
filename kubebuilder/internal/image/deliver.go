package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// EngineVariable names the environment variable by which users choose a container engine's command; docker if unset.
const EngineVariable = "CONTAINER_TOOL"

// engineTimeout is how long a container engine may take to say that it is there.
const engineTimeout = 10 * time.Second

// Load gives the image to the container engine, if one answers, and returns that engine's command; otherwise an empty name.
func Load(ctx context.Context, image v1.Image, tag string) (engine string, err error) {
	engine = os.Getenv(EngineVariable)
	if engine == "" {
		engine = "docker"
	}
	if !answers(ctx, engine) {
		return "", nil
	}
	work, err := os.MkdirTemp("", "kubewright-image-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a leftover in the temporary folder harms nobody
	archive := filepath.Join(work, "image.tar")
	if err := Save(image, tag, archive); err != nil {
		return "", err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, engine, "load", "--input", archive)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("loading image %s into %s: %w: %s", tag, engine, err, bytes.TrimSpace(said.Bytes()))
	}
	return engine, nil
}

// answers says whether the engine's command is there and its daemon, where it has one, runs.
func answers(ctx context.Context, engine string) bool {
	ctx, cancel := context.WithTimeout(ctx, engineTimeout)
	defer cancel()
	return exec.CommandContext(ctx, engine, "info").Run() == nil
}

// Save writes the image to a file that `docker load` and `podman load` read.
func Save(image v1.Image, tag, path string) error {
	reference, err := name.NewTag(tag)
	if err != nil {
		return fmt.Errorf("image name %q: %w", tag, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := tarball.WriteToFile(path, reference, image); err != nil {
		return fmt.Errorf("writing image %s to %s: %w", tag, path, err)
	}
	return nil
}

// ArchiveName returns the name of the file that holds the image called tag: the last part of its name and its tag.
func ArchiveName(tag string) string {
	reference, err := name.NewTag(tag)
	if err != nil {
		return "image.tar"
	}
	parts := strings.Split(reference.RepositoryStr(), "/")
	return parts[len(parts)-1] + "-" + reference.TagStr() + ".tar"
}

// Push sends the image to its registry, with the credentials that `docker login` and the like have left, and returns the
// name by which just this image can be pulled.
func Push(ctx context.Context, image v1.Image, tag string) (string, error) {
	reference, err := name.NewTag(tag)
	if err != nil {
		return "", fmt.Errorf("image name %q: %w", tag, err)
	}
	digest, err := image.Digest()
	if err != nil {
		return "", err
	}
	err = remote.Write(reference, image, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return "", err
		}
		return "", fmt.Errorf("pushing image %s to %s: %w", tag, reference.RegistryStr(), err)
	}
	return reference.Digest(digest.String()).String(), nil
}
