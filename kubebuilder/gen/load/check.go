package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strconv"
	"strings"
)

// copyAndEncode are the methods that generators look for on types; every other function is left out of type checking.
var copyAndEncode = map[string]bool{
	"DeepCopy": true, "DeepCopyInto": true, "DeepCopyObject": true, "MarshalJSON": true, "MarshalText": true,
}

// Check works out the types of the package's declarations. Errors in them are not reported: what is wrong shows as an
// invalid type where a generator meets it, and code that waits for generated code is expected to be incomplete.
func (p *Package) Check() (*types.Package, *types.Info) {
	if p.checked {
		return p.types, p.info
	}
	p.checked = true
	p.types = types.NewPackage(p.Path, p.Name)
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	files, _ := p.Syntax()
	trimmed := make([]*ast.File, len(files))
	needed := map[string]bool{}
	for i, file := range files {
		trimmed[i] = trim(file)
		maps.Copy(needed, p.mentioned(trimmed[i]))
	}
	conf := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         importer{pkg: p, needed: needed},
		Error:            func(error) {},
	}
	// The error repeats the first of those that went to conf.Error.
	_ = types.NewChecker(&conf, p.program.Fset, p.types, p.info).Files(trimmed)
	return p.types, p.info
}

// trim is the file with its imports, types, constants and the methods that matter, sharing their nodes.
func trim(file *ast.File) *ast.File {
	short := &ast.File{Package: file.Package, Name: file.Name, GoVersion: file.GoVersion, Imports: file.Imports,
		FileStart: file.FileStart, FileEnd: file.FileEnd}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok != token.VAR {
				short.Decls = append(short.Decls, decl)
			}
		case *ast.FuncDecl:
			if decl.Recv != nil && copyAndEncode[decl.Name.Name] {
				short.Decls = append(short.Decls, decl)
			}
		}
	}
	return short
}

// mentioned are the paths of the imports that the file's declarations refer to. What interfaces mention does not
// count: no generator looks into them, and they pull in the most.
func (p *Package) mentioned(file *ast.File) map[string]bool {
	byName := map[string]string{}
	found := map[string]bool{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		switch {
		case spec.Name == nil:
			byName[p.importedName(path)] = path
		case spec.Name.Name == ".":
			found[path] = true
		default:
			byName[spec.Name.Name] = path
		}
	}
	look := func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.InterfaceType, *ast.BlockStmt:
			return false
		case *ast.SelectorExpr:
			if name, ok := node.X.(*ast.Ident); ok {
				if path, imported := byName[name.Name]; imported {
					found[path] = true
				}
			}
		}
		return true
	}
	for _, decl := range file.Decls {
		ast.Inspect(decl, look)
	}
	return found
}

func (p *Package) importedName(path string) string {
	if imported := p.imports[path]; imported != nil && imported.Name != "" {
		return imported.Name
	}
	return path[strings.LastIndex(path, "/")+1:]
}

// importer hands the type checker the packages that are needed, and empty ones for the rest.
type importer struct {
	pkg    *Package
	needed map[string]bool
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if imported := i.pkg.imports[path]; imported != nil && i.needed[path] {
		checked, _ := imported.Check()
		return checked, nil
	}
	empty := types.NewPackage(path, i.pkg.importedName(path))
	empty.MarkComplete()
	return empty, nil
}
