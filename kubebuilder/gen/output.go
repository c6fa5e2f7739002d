package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// Output says where a generator's files go. The zero value puts manifests to config/<generator> and code beside the
// code that it was made from.
type Output struct {
	// Config is the folder of manifests, Code that of code; empty are the defaults.
	Config, Code string
	// Writer takes the content of all files instead of folders.
	Writer io.Writer
	// Nowhere drops the files.
	Nowhere bool
}

// file is something to write.
type file struct {
	name   string
	text   []byte
	output Output
}

func (o Output) config(dir, generator, name string, text []byte) file {
	folder := o.Config
	if folder == "" {
		folder = filepath.Join("config", generator)
	}
	return file{name: filepath.Join(rooted(dir, folder), name), text: text, output: o}
}

func (o Output) code(dir, packageDir, name string, text []byte) file {
	if o.Code != "" {
		packageDir = rooted(dir, o.Code)
	}
	return file{name: filepath.Join(packageDir, name), text: text, output: o}
}

// write brings the file up to date and says whether it had to. The new content appears at once or not at all.
func (f file) write() (changed bool, err error) {
	if f.output.Nowhere {
		return false, nil
	}
	if f.output.Writer != nil {
		_, err := f.output.Writer.Write(f.text)
		return false, err
	}
	if old, err := os.ReadFile(f.name); err == nil && bytes.Equal(old, f.text) {
		return false, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
		return false, err
	}
	temporary, err := os.CreateTemp(filepath.Dir(f.name), ".kubewright-*")
	if err != nil {
		return false, err
	}
	_, err = temporary.Write(f.text)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), f.name)
	}
	if err != nil {
		return false, errors.Join(fmt.Errorf("write %s: %w", f.name, err), os.Remove(temporary.Name()))
	}
	return true, nil
}

// manifest writes objects as YAML documents without what only a server sets.
func manifest(header string, objects ...any) ([]byte, error) {
	text := []byte(header)
	for _, object := range objects {
		encoded, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		var fields map[string]any
		numbers := json.NewDecoder(bytes.NewReader(encoded))
		numbers.UseNumber()
		if err := numbers.Decode(&fields); err != nil {
			return nil, err
		}
		delete(fields, "status")
		if meta, ok := fields["metadata"].(map[string]any); ok {
			delete(meta, "creationTimestamp")
		}
		document, err := yaml.Marshal(fields)
		if err != nil {
			return nil, err
		}
		text = append(append(text, "---\n"...), document...)
	}
	return text, nil
}
