package gen

import (
	"context"
	"path/filepath"
)

// ProjectOptions say what to generate for a project with the layout that kubebuilder gives it.
type ProjectOptions struct {
	// Dir is the project's folder; empty is the current one.
	Dir string
	// Paths are Go package patterns; none is ./....
	Paths []string
	// Header is the text that generated Go code begins with.
	Header Header
	// Strict makes warnings errors.
	Strict bool
	// Object generates copy methods, Manifests generates definitions and roles.
	Object, Manifests bool
}

// RoleName is the name of the manager's role in a project.
const RoleName = "manager-role"

// Project generates for a project: copy methods beside its types, definitions in config/crd/bases, the manager's
// role in config/rbac/role.yaml and webhook configurations in config/webhook/manifests.yaml.
func Project(ctx context.Context, p ProjectOptions) (Result, error) {
	opts := Options{Dir: p.Dir, Paths: p.Paths, Strict: p.Strict}
	if len(opts.Paths) == 0 {
		opts.Paths = []string{"./..."}
	}
	if p.Object {
		opts.Object = &Object{Header: p.Header}
	}
	if p.Manifests {
		opts.CRD = &CRD{Output: Output{Config: filepath.Join("config", "crd", "bases")}}
		opts.RBAC = &RBAC{RoleName: RoleName}
		opts.Webhook = &Webhook{}
	}
	return Run(ctx, opts)
}
