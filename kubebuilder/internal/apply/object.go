package apply

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Object is an object that a file or a kustomization holds.
type Object struct {
	*unstructured.Unstructured
	source string // where it stands, for messages
}

// Parse reads the objects of YAML or JSON documents. Lists are taken apart. Source says in messages where the data is from.
func Parse(data []byte, source string) ([]Object, error) {
	var objects []Object
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		found, err := parseDocument(document, source)
		if err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", source, number, err)
		}
		objects = append(objects, found...)
	}
}

func parseDocument(document []byte, source string) ([]Object, error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	if string(text) == "null" {
		return nil, nil // comments only
	}
	content := map[string]any{}
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, errors.New("this is no Kubernetes object, which is a mapping with apiVersion, kind and metadata")
	}
	object := &unstructured.Unstructured{Object: content}
	if object.GetAPIVersion() == "" || object.GetKind() == "" {
		return nil, errors.New("the object has no apiVersion or no kind")
	}
	if !object.IsList() {
		if object.GetName() == "" {
			return nil, fmt.Errorf("the %s has no metadata.name", object.GetKind())
		}
		// The API machinery's own decoder makes integers of numbers where it can.
		if err := object.UnmarshalJSON(text); err != nil {
			return nil, err
		}
		return []Object{{object, source}}, nil
	}
	var objects []Object
	items, _ := content["items"].([]any)
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		found, err := parseDocument(text, source)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

// ParseFile reads the objects of a file, of all YAML and JSON files of a folder, or of input where path is "-".
func ParseFile(path string, input io.Reader) ([]Object, error) {
	if path == "-" {
		data, err := io.ReadAll(input)
		if err != nil {
			return nil, fmt.Errorf("reading standard input: %w", err)
		}
		return Parse(data, "standard input")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = manifests(path); err != nil {
			return nil, err
		}
	}
	var objects []Object
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := Parse(data, file)
		if err != nil {
			return nil, err
		}
		objects = append(objects, found...)
	}
	return objects, nil
}

// manifests lists the files of a folder that hold objects, by name.
func manifests(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if !entry.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name())) {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no YAML or JSON file", dir)
	}
	return files, nil
}

// resourceName is how kubectl calls an object: the kind, with its group, and the name.
func (o Object) resourceName() string { return o.typeName() + "/" + o.GetName() }

func (o Object) typeName() string {
	gvk := o.GroupVersionKind()
	if gvk.Group == "" {
		return strings.ToLower(gvk.Kind)
	}
	return strings.ToLower(gvk.Kind) + "." + gvk.Group
}

// wrap says which object an error is about.
func (o Object) wrap(err error) error {
	name := o.GetName()
	if o.GetNamespace() != "" {
		name = o.GetNamespace() + "/" + name
	}
	return fmt.Errorf("%s: %s %s: %w", o.source, o.GetKind(), name, err)
}

func isNamespace(o Object) bool {
	return o.GroupVersionKind().GroupKind() == schema.GroupKind{Kind: "Namespace"}
}

func isDefinition(o Object) bool {
	return o.GroupVersionKind().GroupKind() == schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
}

// rank puts first what others need to be there. Webhook configurations come last: once they are there, the API server
// asks a webhook whose Deployment may be among the objects.
func rank(o Object) int {
	gvk := o.GroupVersionKind()
	switch {
	case isNamespace(o):
		return 0
	case isDefinition(o):
		return 1
	case gvk.Kind == "PriorityClass", gvk.Kind == "StorageClass", gvk.Kind == "IngressClass":
		return 2
	case gvk.Kind == "ServiceAccount", gvk.Group == "rbac.authorization.k8s.io":
		return 3
	case gvk.Group == "" && (gvk.Kind == "ConfigMap" || gvk.Kind == "Secret" || gvk.Kind == "Service"):
		return 4
	case gvk.Group == "admissionregistration.k8s.io":
		return 6
	}
	return 5
}

// inOrder returns the objects by rank, those of a rank as they were given.
func inOrder(objects []Object) []Object {
	ordered := slices.Clone(objects)
	slices.SortStableFunc(ordered, func(a, b Object) int { return rank(a) - rank(b) })
	return ordered
}
