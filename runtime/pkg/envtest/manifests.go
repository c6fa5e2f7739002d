package envtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// document is one object of a manifest file.
type document struct {
	apiVersion, kind string
	data             []byte
}

func (d document) into(object any) error {
	if err := yaml.Unmarshal(d.data, object); err != nil {
		return fmt.Errorf("read %s of %s: %w", d.kind, d.apiVersion, err)
	}
	return nil
}

// readManifests gives each object in the files of the paths to visit and returns the number of files. A path is a
// file or a folder, whose own files are read and not those of folders in it.
func readManifests(paths []string, errorIfMissing bool, visit func(document) error) (int, error) {
	read := 0
	for _, path := range paths {
		files, err := manifestFiles(path)
		if errors.Is(err, fs.ErrNotExist) && !errorIfMissing {
			continue
		}
		if err != nil {
			return read, err
		}
		for _, file := range files {
			if err := readManifest(file, visit); err != nil {
				return read, fmt.Errorf("%s: %w", file, err)
			}
			read++
		}
	}
	return read, nil
}

func manifestFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if !entry.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name())) {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files, nil
}

func readManifest(file string, visit func(document) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var head metav1.TypeMeta
		if err := yaml.Unmarshal(part, &head); err != nil {
			return err
		}
		if err := visit(document{apiVersion: head.APIVersion, kind: head.Kind, data: part}); err != nil {
			return err
		}
	}
}

// createOrUpdate brings the object to the server whether or not it is there.
func createOrUpdate(ctx context.Context, client dynamic.ResourceInterface, object runtime.Object) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	wanted := &unstructured.Unstructured{Object: content}
	for {
		_, err := client.Create(ctx, wanted, metav1.CreateOptions{})
		if !apierrors.IsAlreadyExists(err) {
			return err
		}
		present, err := client.Get(ctx, wanted.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		update := wanted.DeepCopy()
		update.SetResourceVersion(present.GetResourceVersion())
		_, err = client.Update(ctx, update, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			return err
		}
	}
}

func apiextensionsGVR(crd *apiextensionsv1.CustomResourceDefinition, version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: crd.Spec.Group, Version: version, Resource: crd.Spec.Names.Plural}
}
