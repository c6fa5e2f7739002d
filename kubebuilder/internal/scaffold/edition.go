package scaffold

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kubewright.dev/kubebuilder/internal/gosource"
)

// edition gathers the files that a command writes: fresh ones and edited ones.
type edition struct {
	dir   string
	files map[string][]byte
	force bool
}

// text returns what a file says: as edited so far, or as it lies in the project.
func (e *edition) text(name string) ([]byte, error) {
	if text, ok := e.files[name]; ok {
		return text, nil
	}
	return os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(name)))
}

func (e *edition) has(name string) bool {
	_, err := e.text(name)
	return err == nil
}

// add takes fresh files. Those named in shared belong to more than one kind and stay as they are where they exist; any
// other one that exists is an error unless files may be written anew.
func (e *edition) add(fresh map[string][]byte, shared ...string) error {
	for _, name := range sortedNames(fresh) {
		if !e.has(name) {
			continue
		}
		if slices.Contains(shared, name) {
			delete(fresh, name)
		} else if !e.force {
			return fmt.Errorf("%s is there already: move it away, or add `--force` to write it anew", name)
		}
	}
	maps.Copy(e.files, fresh)
	return nil
}

func (e *edition) addResource(v *apiValues) error {
	fresh, err := render("api/resource", v, v.place)
	if err != nil {
		return err
	}
	crds, samples := "config/crd/kustomization.yaml", "config/samples/kustomization.yaml"
	group := path.Join(path.Dir(v.place("api/VERSION/x")), "groupversion_info.go")
	if err := e.add(fresh, crds, "config/crd/kustomizeconfig.yaml", samples, group); err != nil {
		return err
	}
	var roles []string
	for _, who := range []string{"admin", "editor", "viewer"} {
		roles = append(roles, path.Base(v.place("config/rbac/KIND_"+who+"_role.yaml")))
	}
	for _, edit := range []struct {
		name, marker string
		entries      []string
	}{
		{crds, "crdkustomizeresource", []string{"bases/" + v.APIGroup + "_" + v.Plural + ".yaml"}},
		{samples, "manifestskustomizesamples", []string{v.SampleFile}},
		{"config/rbac/kustomization.yaml", "", roles},
		{"config/default/kustomization.yaml", "", []string{"../crd"}},
	} {
		if err := e.editKustomization(edit.name, edit.marker, edit.entries); err != nil {
			return err
		}
	}
	return nil
}

func (e *edition) editKustomization(name, marker string, entries []string) error {
	text, err := e.text(name)
	if err != nil {
		return fmt.Errorf("add %s to a kustomization: %w", strings.Join(entries, ", "), err)
	}
	edited, err := addResources(name, text, marker, entries...)
	if err == nil && !bytes.Equal(edited, text) {
		e.files[name] = edited
	}
	return err
}

func (e *edition) addController(v *apiValues) error {
	fresh, err := render("api/controller", v, v.place)
	if err != nil {
		return err
	}
	folder, _ := v.controllerPackage()
	suite := path.Join(folder, "suite_test.go")
	old := e.has(suite)
	if err := e.add(fresh, suite); err != nil {
		return err
	}
	if !old || !v.HasAPI {
		return nil
	}
	return e.editGo(suite, func(f *gosource.File) error {
		alias, err := f.AddImport(v.Alias, v.Res.Path)
		if err != nil {
			return err
		}
		return f.AddToScheme(alias)
	})
}

// editMain makes the manager know the kind and run its controller.
func (e *edition) editMain(v *apiValues, controller bool) error {
	return e.editGo("cmd/main.go", func(f *gosource.File) error {
		if v.HasAPI {
			alias, err := f.AddImport(v.Alias, v.Res.Path)
			if err != nil {
				return err
			}
			if err := f.AddToScheme(alias); err != nil {
				return err
			}
		}
		if !controller {
			return nil
		}
		folder, alias := v.controllerPackage()
		alias, err := f.AddImport(alias, path.Join(v.Repo, folder))
		if err != nil {
			return err
		}
		return f.AddController(gosource.Controller{Package: alias, Reconciler: v.Reconciler, Name: v.ControllerName})
	})
}

func (e *edition) editGo(name string, edit func(*gosource.File) error) error {
	text, err := e.text(name)
	if err != nil {
		return fmt.Errorf("edit %s: %w", name, err)
	}
	f, err := gosource.Parse(name, text)
	if err != nil {
		return err
	}
	if err := edit(f); err != nil {
		return err
	}
	edited, err := f.Source()
	if err == nil && !bytes.Equal(edited, text) {
		e.files[name] = edited
	}
	return err
}
