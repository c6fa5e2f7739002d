// Package kustomize builds the objects of a kustomization: a folder whose kustomization.yaml names bases, resources and
// what to change of them. The work is done by kustomize's own library. Around it stand two things: keys that kustomize
// has dropped or changed are still understood, and images can be replaced without writing to the user's files.
package kustomize

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Build returns the objects of the kustomization in dir as YAML documents. Images are overrides of the form
// name=reference: a container whose image is called name gets the reference, wherever the kustomization or one that it
// builds on would set another.
func Build(dir string, images []string) ([]byte, error) {
	overrides := make([]image, 0, len(images))
	for _, text := range images {
		override, err := parseImage(text)
		if err != nil {
			return nil, err
		}
		overrides = append(overrides, override)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("kustomization %s: %w", dir, err)
	}
	view := &view{FileSystem: filesys.MakeFsOnDisk(), root: root, images: overrides}
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(view, root)
	if view.broken != nil {
		return nil, view.broken
	}
	if err != nil {
		return nil, fmt.Errorf("building the kustomization %s: %w", dir, err)
	}
	return objects.AsYaml()
}

// view shows kustomize the disk, with kustomization files as they are to be understood.
type view struct {
	filesys.FileSystem
	root   string
	images []image
	broken error // the first kustomization file that is no YAML; kustomize takes one it cannot read for missing
}

// fileNames are the names by which kustomize finds a kustomization file.
var fileNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// ReadFile returns the file's content, adapted if it is a kustomization file.
func (v *view) ReadFile(path string) ([]byte, error) {
	data, err := v.FileSystem.ReadFile(path)
	if err != nil || !slices.Contains(fileNames, filepath.Base(path)) {
		return data, err
	}
	adapted, err := adapt(path, data, v.images, filepath.Dir(path) == v.root)
	if err != nil && v.broken == nil {
		v.broken = err
	}
	return adapted, err
}
