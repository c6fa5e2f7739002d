package deepcopy

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"kubewright.dev/kubebuilder/gen/load"
)

// imports names the packages that generated code refers to.
type imports struct {
	pkg    *load.Package
	names  map[string]string // by path
	inUse  map[string]bool
	report func(format string, args ...any)
}

func newImports(pkg *load.Package, report func(string, ...any)) *imports {
	return &imports{pkg: pkg, names: map[string]string{}, inUse: map[string]bool{pkg.Name: true}, report: report}
}

// name is what to call a package: as many of the last parts of its path, written as one word, as make it unique.
func (i *imports) name(path string) string {
	if at := strings.LastIndex(path, "/vendor/"); at >= 0 {
		path = path[at+len("/vendor/"):]
	}
	if known, ok := i.names[path]; ok {
		return known
	}
	parts := strings.Split(path, "/")
	name := ""
	for n := len(parts) - 1; name == "" || i.inUse[name]; n-- {
		if n < 0 {
			name += "x"
			continue
		}
		name = word(parts[n]) + name
	}
	i.names[path], i.inUse[name] = name, true
	return name
}

func word(part string) string {
	part = strings.TrimLeftFunc(part, unicode.IsDigit)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, part)
}

// specs are the import lines, sorted by path.
func (i *imports) specs() string {
	paths := make([]string, 0, len(i.names))
	for path := range i.names {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var text strings.Builder
	for _, path := range paths {
		if imported := i.pkg.Import(path); imported != nil && imported.Name == i.names[path] {
			fmt.Fprintf(&text, "%q\n", path)
		} else {
			fmt.Fprintf(&text, "%s %q\n", i.names[path], path)
		}
	}
	return text.String()
}

// syntax writes a type as code in the package.
func (i *imports) syntax(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		return t.Name()
	case *types.TypeParam:
		return t.Obj().Name()
	case *types.Pointer:
		return "*" + i.syntax(t.Elem())
	case *types.Slice:
		return "[]" + i.syntax(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), i.syntax(t.Elem()))
	case *types.Map:
		return "map[" + i.syntax(t.Key()) + "]" + i.syntax(t.Elem())
	case *types.Alias:
		return i.qualified(t.Obj(), t.TypeArgs())
	case *types.Named:
		return i.qualified(t.Obj(), t.TypeArgs())
	}
	i.report("the type %s cannot be named in generated code; declare a type for it", t)
	return t.String()
}

func (i *imports) qualified(obj *types.TypeName, arguments *types.TypeList) string {
	name := obj.Name()
	if pkg := obj.Pkg(); pkg != nil && pkg.Path() != i.pkg.Path {
		name = i.name(pkg.Path()) + "." + name
	}
	if arguments.Len() == 0 {
		return name
	}
	var list []string
	for argument := range arguments.Types() {
		list = append(list, i.syntax(argument))
	}
	return name + "[" + strings.Join(list, ", ") + "]"
}
