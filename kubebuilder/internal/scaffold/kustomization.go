package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// addResources returns the text of a kustomization with entries added to its resources, each only where it is missing;
// the rest of the text stays as it is. An entry that stands there as the comment `#- entry` is uncommented. New ones go
// above the comment `# +kubebuilder:scaffold:<marker>` where there is one, else below the last one.
func addResources(name string, text []byte, marker string, entries ...string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w: mend the file and run the command again", name, err)
	}
	list, err := resourceList(&doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	have := map[string]bool{}
	if list != nil {
		for _, item := range list.Content {
			have[item.Value] = true
		}
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, entry := range entries {
		if !have[entry] {
			lines = addResource(lines, list, marker, entry)
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n"), nil
}

// resourceList returns the sequence under `resources`, or nil where there is none or an empty one.
func resourceList(doc *yaml.Node) (*yaml.Node, error) {
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: a kustomization must be a mapping", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "resources" {
			continue
		}
		list := root.Content[i+1]
		if list.Kind == yaml.SequenceNode && len(list.Content) == 0 || list.Tag == "!!null" {
			return nil, nil
		}
		if list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 {
			return nil, fmt.Errorf("line %d: write resources as a list with an entry a line", list.Line)
		}
		return list, nil
	}
	return nil, nil
}

func addResource(lines []string, list *yaml.Node, marker, entry string) []string {
	for i, line := range lines {
		if strings.ReplaceAll(strings.TrimSpace(line), " ", "") == "#-"+entry {
			lines[i] = "- " + entry
			return lines
		}
	}
	indent := ""
	if list != nil {
		indent = strings.Repeat(" ", list.Column-1)
	}
	line := indent + "- " + entry
	if marker != "" {
		for i, have := range lines {
			if strings.TrimSpace(have) == "# +kubebuilder:scaffold:"+marker {
				return slices.Insert(lines, i, line)
			}
		}
	}
	if list == nil {
		for i, have := range lines {
			if strings.HasPrefix(have, "resources:") {
				lines[i] = "resources:"
				return slices.Insert(lines, i+1, line)
			}
		}
		return append(lines, "resources:", line)
	}
	// Below the last entry; entries added before it in this run only make it come out in order.
	at := list.Content[len(list.Content)-1].Line
	for at < len(lines) && strings.HasPrefix(lines[at], indent+"- ") {
		at++
	}
	return slices.Insert(lines, at, line)
}
