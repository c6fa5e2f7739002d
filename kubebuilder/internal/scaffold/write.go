package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// staged is a file whose text lies beside its place, ready to be moved there.
type staged struct{ temp, target string }

// writeAll writes files, whose names are relative to root: first all of them to temporary files in their folders, then
// each to its place by a rename. If any of them cannot be written, none appears and folders made for them go again.
func writeAll(root string, files map[string][]byte) (err error) {
	var done []staged
	var folders []string
	defer func() {
		if err == nil {
			return
		}
		for _, s := range done {
			_ = os.Remove(s.temp)
		}
		for _, dir := range slices.Backward(folders) {
			_ = os.Remove(dir)
		}
	}()
	for _, name := range sortedNames(files) {
		target := filepath.Join(root, filepath.FromSlash(name))
		made, err := makeFolders(filepath.Dir(target))
		folders = append(folders, made...)
		if err != nil {
			return err
		}
		if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("cannot write %s: it is no regular file: move it away and run the command again", name)
		}
		temp, err := stage(target, files[name], mode(name))
		if err != nil {
			return err
		}
		done = append(done, staged{temp, target})
	}
	for _, s := range done {
		if err := os.Rename(s.temp, s.target); err != nil {
			return err
		}
	}
	return nil
}

func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func stage(target string, text []byte, perm os.FileMode) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(target), ".kubebuilder-*")
	if err != nil {
		return "", err
	}
	if info, statErr := os.Stat(target); statErr == nil {
		perm = info.Mode().Perm()
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(perm), f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// makeFolders makes dir with all folders above it and returns those that were not there, outermost first.
func makeFolders(dir string) ([]string, error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		missing = append([]string{d}, missing...)
	}
	var made []string
	for _, d := range missing {
		if err := os.Mkdir(d, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		made = append(made, d)
	}
	return made, nil
}
