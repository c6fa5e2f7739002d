package kustomize

import (
	"fmt"
	"strings"
)

// image is what a container's image called name is to be replaced with. An empty part stays as it is.
type image struct {
	name                 string
	newName, tag, digest string
}

// parseImage reads name=reference, where the reference is an image's name with a tag, a digest, both or neither.
func parseImage(text string) (image, error) {
	name, reference, ok := strings.Cut(text, "=")
	if !ok || name == "" || reference == "" {
		return image{}, fmt.Errorf("image %q: write name=reference, as controller=registry.example/manager:v1", text)
	}
	override := image{name: name}
	reference, override.digest, _ = strings.Cut(reference, "@")
	// A colon before the last slash belongs to a registry's port.
	if colon := strings.LastIndexByte(reference, ':'); colon > strings.LastIndexByte(reference, '/') {
		reference, override.tag = reference[:colon], reference[colon+1:]
	}
	if override.newName = reference; reference == "" || strings.ContainsAny(reference, " \t") {
		return image{}, fmt.Errorf("image %q: %q is no image's name", text, reference)
	}
	if override.tag == "" && override.digest == "" {
		override.tag = "latest"
	}
	return override, nil
}

// fields returns the keys and values of an images entry.
func (i image) fields() [][2]string {
	fields := [][2]string{{"newName", i.newName}}
	if i.tag != "" {
		fields = append(fields, [2]string{"newTag", i.tag})
	}
	if i.digest != "" {
		fields = append(fields, [2]string{"digest", i.digest})
	}
	return fields
}
