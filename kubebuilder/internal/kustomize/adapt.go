package kustomize

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// adapt returns a kustomization file's content as today's kustomize takes it. Components and kustomizations are treated
// alike. A file that is no YAML mapping is left for kustomize to complain about.
func adapt(path string, data []byte, images []image, root bool) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return data, nil
	}
	top := document.Content[0]
	changed := convertBases(top)
	changed = convertPatches(top) || changed
	changed = overrideImages(top, images, root) || changed
	if !changed {
		return data, nil
	}
	return yaml.Marshal(&document)
}

// convertBases moves the entries of the old key bases to the front of resources.
func convertBases(top *yaml.Node) bool {
	bases := value(top, "bases")
	if bases == nil {
		return false
	}
	remove(top, "bases")
	if bases.Kind != yaml.SequenceNode {
		return true // the key was empty
	}
	resources := sequence(top, "resources")
	resources.Content = append(bases.Content, resources.Content...)
	return true
}

// convertPatches turns entries of patches that are bare file names, or patches written out as text, into the mappings that
// have taken their place.
func convertPatches(top *yaml.Node) bool {
	patches := value(top, "patches")
	if patches == nil || patches.Kind != yaml.SequenceNode {
		return false
	}
	changed := false
	for i, entry := range patches.Content {
		if entry.Kind != yaml.ScalarNode {
			continue
		}
		key := "path"
		if strings.Contains(entry.Value, "\n") {
			key = "patch"
		}
		patches.Content[i] = mapping(key, entry.Value)
		changed = true
	}
	return changed
}

// overrideImages makes a file set the given images. Every file that would set one of them must, or the name that the root
// looks for would be gone before its turn comes; the root must in any case.
func overrideImages(top *yaml.Node, images []image, root bool) bool {
	changed := false
	for _, override := range images {
		entry := imageEntry(top, override.name)
		if entry == nil && !root {
			continue
		}
		if entry == nil {
			entry = mapping("name", override.name)
			list := sequence(top, "images")
			list.Content = append(list.Content, entry)
		}
		for _, key := range []string{"newName", "newTag", "digest", "tagSuffix"} {
			remove(entry, key)
		}
		for _, field := range override.fields() {
			entry.Content = append(entry.Content, mapping(field[0], field[1]).Content...)
		}
		changed = true
	}
	return changed
}

// imageEntry finds the entry of images that is about name.
func imageEntry(top *yaml.Node, name string) *yaml.Node {
	list := value(top, "images")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, entry := range list.Content {
		if of := value(entry, "name"); of != nil && of.Value == name {
			return entry
		}
	}
	return nil
}

// value returns what a mapping has under key, or nil.
func value(node *yaml.Node, key string) *yaml.Node {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// remove takes a key and its value out of a mapping.
func remove(node *yaml.Node, key string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			node.Content = append(node.Content[:i:i], node.Content[i+2:]...)
			return
		}
	}
}

// sequence returns the list under key, which it makes if there is none.
func sequence(top *yaml.Node, key string) *yaml.Node {
	if list := value(top, key); list != nil && list.Kind == yaml.SequenceNode {
		return list
	}
	remove(top, key)
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	top.Content = append(top.Content, scalar(key), list)
	return list
}

func mapping(key, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{scalar(key), scalar(value)}}
}

// scalar makes a string, whatever it looks like: a tag may be a number.
func scalar(text string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	return node
}
