// Package gosource edits Go files by their syntax tree: it adds an import, the registration of an API package in a
// scheme, and the set-up of a controller, each one only where it is not there yet.
//
// The tree says what a file already has and where a new line belongs; the text between is left as its author wrote it.
// Where a file still has the comments `// +kubebuilder:scaffold:…`, new lines go above them and the comments stay, so
// that tools which go by them alone keep working on the file.
package gosource

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

const marker = "+kubebuilder:scaffold:"

// File is a Go file that is being edited. Edits gather until Source is asked for.
type File struct {
	name  string
	text  []byte
	fset  *token.FileSet
	tree  *ast.File
	edits []insertion
	added map[string]string // the names of imports that edits add, by path
}

type insertion struct {
	offset int
	text   string
}

// Parse reads the text of a Go file. A text that does not parse is an error that begins with file:line:column.
func Parse(name string, text []byte) (*File, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			err = list[0]
		}
		return nil, fmt.Errorf("%w: mend the file and run the command again", err)
	}
	return &File{name: name, text: text, fset: fset, tree: tree, added: map[string]string{}}, nil
}

// Source returns the edited text, formatted.
func (f *File) Source() ([]byte, error) {
	if len(f.edits) == 0 {
		return f.text, nil
	}
	edits := slices.Clone(f.edits)
	slices.SortStableFunc(edits, func(a, b insertion) int { return a.offset - b.offset })
	var out []byte
	last := 0
	for _, e := range edits {
		out = append(out, f.text[last:e.offset]...)
		out = append(out, e.text...)
		last = e.offset
	}
	out = append(out, f.text[last:]...)
	formatted, err := format.Source(out)
	if err != nil {
		return nil, fmt.Errorf("%s: the edited file does not parse: %w", f.name, err)
	}
	return formatted, nil
}

// AddImport makes sure that the file imports the package at importPath and returns the name by which the file calls
// it: alias, or the name that the file's own import of it has.
func (f *File) AddImport(alias, importPath string) (string, error) {
	if name, ok := f.added[importPath]; ok {
		return name, nil
	}
	taken := false
	for _, spec := range f.tree.Imports {
		have, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(have)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if have == importPath && name != "_" && name != "." {
			return name, nil
		}
		taken = taken || name == alias
	}
	if taken {
		return "", fmt.Errorf("%s imports another package as %s: rename that import and run the command again", f.name, alias)
	}
	line := strconv.Quote(importPath)
	if alias != path.Base(importPath) {
		line = alias + " " + line
	}
	group := f.lastImports()
	switch {
	case group == nil:
		f.insert(f.offset(f.tree.Name.End()), "\n\nimport "+line+"\n")
	case !group.Lparen.IsValid():
		f.insert(f.offset(group.End()), "\nimport "+line)
	default:
		at := f.offset(group.Rparen)
		if m := f.marker("imports"); m != nil && m.Pos() > group.Lparen && m.End() < group.Rparen {
			at = f.lineStart(m.Pos())
		}
		f.insert(at, "\t"+line+"\n")
	}
	f.added[importPath] = alias
	return alias, nil
}

// AddToScheme makes sure that the file adds the types of the package called alias to its scheme.
func (f *File) AddToScheme(alias string) error {
	var last ast.Stmt
	scheme, done := "scheme", false
	f.statements(func(stmt ast.Stmt) {
		call := findCall(stmt, "AddToScheme")
		if call == nil || len(call.Args) != 1 {
			return
		}
		last = stmt
		scheme = f.source(call.Args[0])
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && f.source(sel.X) == alias {
			done = true
		}
	})
	if done {
		return nil
	}
	line := "utilruntime.Must(" + alias + ".AddToScheme(" + scheme + "))\n"
	if m := f.marker("scheme"); m != nil {
		return f.insertMust(f.lineStart(m.Pos()), line)
	}
	if last == nil {
		return fmt.Errorf("%s calls AddToScheme nowhere: add `utilruntime.Must(%s.AddToScheme(scheme))` where the manager's scheme is made, and run the command again", f.name, alias)
	}
	return f.insertMust(f.lineEnd(last.End()), line)
}

// insertMust inserts a line that needs the package of utilruntime.Must.
func (f *File) insertMust(offset int, line string) error {
	name, err := f.AddImport("utilruntime", "k8s.io/apimachinery/pkg/util/runtime")
	if err != nil {
		return err
	}
	f.insert(offset, "\t"+strings.Replace(line, "utilruntime", name, 1))
	return nil
}

// Controller is a reconciler whose set-up a file gets.
type Controller struct {
	// Package is the name by which the file calls the reconciler's package.
	Package string
	// Reconciler is the reconciler's type.
	Reconciler string
	// Name is what the log calls the controller when it cannot be set up.
	Name string
}

// AddController makes sure that the file sets up a controller with its manager before the manager starts.
func (f *File) AddController(c Controller) error {
	if f.hasComposite(c.Package, c.Reconciler) {
		return nil
	}
	manager, start := f.manager()
	m := f.marker("builder")
	at := 0
	switch {
	case m != nil:
		at = f.lineStart(m.Pos())
	case start != nil:
		at = f.lineStart(start.Pos())
	default:
		return fmt.Errorf("%s starts no manager: add the comment `// %sbuilder` where controllers are set up, and run the command again", f.name, marker)
	}
	logger := "setupLog"
	if !f.declares(logger) {
		logger = "ctrl.Log"
	}
	f.insert(at, fmt.Sprintf(`	if err := (&%s.%s{
		Client: %s.GetClient(),
		Scheme: %s.GetScheme(),
	}).SetupWithManager(%s); err != nil {
		%s.Error(err, "Unable to set up the controller", "controller", %q)
		os.Exit(1)
	}
`, c.Package, c.Reconciler, manager, manager, manager, logger, c.Name))
	_, err := f.AddImport("os", "os")
	return err
}

func (f *File) insert(offset int, text string) {
	f.edits = append(f.edits, insertion{offset, text})
}
