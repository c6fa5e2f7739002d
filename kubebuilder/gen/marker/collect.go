package marker

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"kubewright.dev/kubebuilder/gen/load"
)

// Position is a place in the source, as file:line:column.
type Position = token.Position

// Declaration is a type that a package declares, with its markers.
type Declaration struct {
	Name    string
	Package *load.Package
	Spec    *ast.TypeSpec
	// Doc is the comment without markers, as it becomes a description.
	Doc     string
	Markers List
	// Fields are the fields when the type is a struct.
	Fields []Field
}

// Field is a struct's field; one line that declares two names gives two fields.
type Field struct {
	// Name is empty for an embedded field.
	Name    string
	Doc     string
	Tag     reflect.StructTag
	Markers List
	Node    *ast.Field
}

// Package is what Collect found in one package.
type Package struct {
	*load.Package
	// Markers are those of the package itself.
	Markers List
	// Types are its declared types in the order of the source.
	Types []*Declaration
	// Errors are markers that could not be read, Warnings markers that mean nothing where they stand.
	Errors, Warnings []*Error

	byName map[string]*Declaration
}

// Type finds a declared type by name, or returns nil.
func (p *Package) Type(name string) *Declaration { return p.byName[name] }

// Collector collects the markers of packages, each package once.
type Collector struct {
	registry *Registry
	done     map[*load.Package]*Package
}

// NewCollector makes a collector of the markers that a registry knows.
func NewCollector(registry *Registry) *Collector {
	return &Collector{registry: registry, done: map[*load.Package]*Package{}}
}

// Collect finds the markers of a package.
//
// Markers in the comment directly above a type or field, or in the comment before that one, describe it. Those that
// only packages can have, and all that stand elsewhere outside of declarations or above a function, describe the
// package.
func (c *Collector) Collect(pkg *load.Package) *Package {
	if known := c.done[pkg]; known != nil {
		return known
	}
	p := &Package{Package: pkg, byName: map[string]*Declaration{}}
	c.done[pkg] = p
	files, err := pkg.Syntax()
	if err != nil {
		p.Errors = append(p.Errors, syntaxErrors(err)...)
	}
	for _, file := range files {
		r := reader{registry: c.registry, pkg: p, file: file}
		r.read()
	}
	return p
}

// reader reads the markers of one file.
type reader struct {
	registry *Registry
	pkg      *Package
	file     *ast.File
	next     int // the first comment of the file that nothing has claimed
}

func (r *reader) line(pos token.Pos) int { return r.pkg.Program().Fset.Position(pos).Line }

// read walks over the declarations from top to bottom and deals out the comments between them.
func (r *reader) read() {
	r.packageLevel(r.before(r.file.Package, token.NoPos), nil)
	last := r.file.Name.End()
	for _, decl := range r.file.Decls {
		gap := r.before(decl.Pos(), last)
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok == token.TYPE {
				r.types(decl, gap)
			} else {
				r.packageLevel(gap, decl.Doc)
			}
		default:
			r.packageLevel(gap, nil)
		}
		r.skipTo(decl.End())
		last = decl.End()
	}
	r.packageLevel(r.before(r.file.FileEnd, last), nil)
}

// before takes the comments that end before a place, without those on the line where the last thing ended.
func (r *reader) before(pos, last token.Pos) []*ast.CommentGroup {
	start := r.next
	r.skipTo(pos)
	groups := r.file.Comments[start:r.next]
	if last.IsValid() && len(groups) > 0 && r.line(groups[0].Pos()) == r.line(last) {
		groups = groups[1:]
	}
	return groups
}

func (r *reader) skipTo(pos token.Pos) {
	for r.next < len(r.file.Comments) && r.file.Comments[r.next].Pos() < pos {
		r.next++
	}
}

// packageLevel gives the markers of the comments to the package, except for the documentation of something else.
func (r *reader) packageLevel(groups []*ast.CommentGroup, except *ast.CommentGroup) {
	for _, group := range groups {
		if group != except {
			r.pkg.Markers = append(r.pkg.Markers, r.markers(group, OnPackage)...)
		}
	}
}

// types reads the types of a declaration that the comments in gap stand before.
func (r *reader) types(decl *ast.GenDecl, gap []*ast.CommentGroup) {
	alone := !decl.Lparen.IsValid()
	if !alone {
		r.packageLevel(gap, decl.Doc)
	}
	last := decl.Lparen
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		doc := spec.Doc
		groups := gap
		if alone && doc == nil {
			doc = decl.Doc
		} else if !alone {
			groups = r.before(spec.Pos(), last)
			last = spec.End()
		}
		own, near, free := split(groups, doc)
		r.packageLevel(free, nil)
		d := &Declaration{Name: spec.Name.Name, Package: r.pkg.Package, Spec: spec, Doc: document(doc)}
		if near != nil {
			mine, packages := r.divide(near)
			d.Markers = append(d.Markers, mine...)
			r.pkg.Markers = append(r.pkg.Markers, packages...)
		}
		if own != nil {
			d.Markers = append(d.Markers, r.markers(own, OnType)...)
		}
		if s, isStruct := spec.Type.(*ast.StructType); isStruct {
			d.Fields = r.fields(s)
		}
		r.skipTo(spec.End())
		r.pkg.Types = append(r.pkg.Types, d)
		r.pkg.byName[d.Name] = d
	}
}

// split sorts the comments before a node: its documentation, the nearest other comment, and the rest.
func split(groups []*ast.CommentGroup, doc *ast.CommentGroup) (own, near *ast.CommentGroup, rest []*ast.CommentGroup) {
	if n := len(groups); n > 0 && groups[n-1] == doc {
		own, groups = doc, groups[:n-1]
	}
	if n := len(groups); n > 0 {
		near, groups = groups[n-1], groups[:n-1]
	}
	return own, near, groups
}

// divide reads a comment that stands apart above a type: its markers are the type's unless only packages have them.
func (r *reader) divide(group *ast.CommentGroup) (onType, onPackage List) {
	for _, comment := range group.List {
		target := OnType
		if text, _, ok := markerText(comment); ok {
			if def, _ := r.registry.find(text); def != nil && def.On&OnType == 0 && def.On&OnPackage != 0 {
				target = OnPackage
			}
		}
		found := r.markers(&ast.CommentGroup{List: []*ast.Comment{comment}}, target)
		if target == OnType {
			onType = append(onType, found...)
		} else {
			onPackage = append(onPackage, found...)
		}
	}
	return onType, onPackage
}

func (r *reader) fields(s *ast.StructType) []Field {
	var fields []Field
	last := s.Fields.Opening
	for _, node := range s.Fields.List {
		own, near, _ := split(r.before(node.Pos(), last), node.Doc)
		var list List
		if near != nil {
			list = append(list, r.markers(near, OnField)...)
		}
		if own != nil {
			list = append(list, r.markers(own, OnField)...)
		}
		field := Field{Doc: document(node.Doc), Tag: tag(node), Markers: list, Node: node}
		if len(node.Names) == 0 {
			fields = append(fields, field)
		}
		for _, name := range node.Names {
			field.Name = name.Name
			fields = append(fields, field)
		}
		r.skipTo(node.End())
		last = node.End()
	}
	return fields
}

func tag(node *ast.Field) reflect.StructTag {
	if node.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(node.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text)
}

// markerText is the text of a marker comment without slashes and plus sign, and its place in the comment.
func markerText(comment *ast.Comment) (text string, offset int, ok bool) {
	body, isLine := strings.CutPrefix(comment.Text, "//")
	if !isLine {
		return "", 0, false
	}
	text, ok = strings.CutPrefix(strings.TrimLeft(body, " \t"), "+")
	return strings.TrimRight(text, " \t\r"), len(comment.Text) - len(text), ok
}

// markers reads the markers of a comment that describe a target; the others are warned about when they are ours.
func (r *reader) markers(group *ast.CommentGroup, target Target) List {
	var found List
	for _, comment := range group.List {
		text, offset, ok := markerText(comment)
		if !ok {
			continue
		}
		at := r.pkg.Program().Fset.Position(comment.Pos())
		at.Column += offset - 1
		at.Offset += offset - 1
		def, rest := r.registry.find(text)
		if def == nil || def.On&target == 0 {
			r.warn(text, def, target, at)
			continue
		}
		value, arguments, err := def.parse(rest)
		if err != nil {
			var syntax *syntaxError
			if errors.As(err, &syntax) {
				at.Column += 1 + len(text) - len(rest) + syntax.offset
			}
			r.pkg.Errors = append(r.pkg.Errors, &Error{At: at, Err: fmt.Errorf("marker +%s: %w", def.Name, err)})
			continue
		}
		found = append(found, Marker{Name: def.Name, Value: value, Arguments: arguments, At: at})
	}
	return found
}

// Markers that begin with ours belong to us, and an unknown one is a mistake; these are read by other commands.
const ours = "kubebuilder:"

var elsewhere = []string{"kubebuilder:scaffold:", "kubebuilder:docs-gen:", "kubebuilder:docs:", "kubebuilder:altName"}

func (r *reader) warn(text string, def *Definition, target Target, at Position) {
	if !strings.HasPrefix(text, ours) {
		return
	}
	for _, prefix := range elsewhere {
		if strings.HasPrefix(text, prefix) {
			return
		}
	}
	name, _, _ := strings.Cut(text, "=")
	err := fmt.Errorf("marker +%s describes %s, not %s; it has no effect here", strings.TrimSuffix(name, ":"), on(def), target)
	if def == nil {
		err = fmt.Errorf("unknown marker +%s", name)
		if near := r.registry.Nearest(name); near != "" {
			err = fmt.Errorf("%w; did you mean +%s?", err, near)
		}
	}
	r.pkg.Warnings = append(r.pkg.Warnings, &Error{At: at, Err: err})
}

func on(def *Definition) Target {
	if def == nil {
		return 0
	}
	return def.On
}

// document makes a description of a comment: markers go, and so do the lines from --- on and those that start with
// TODO, unless they stand in a block of code.
func document(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	kept := &ast.CommentGroup{}
	block := false
	for _, comment := range doc.List {
		if _, _, isMarker := markerText(comment); !isMarker {
			kept.List = append(kept.List, comment)
			block = block || strings.HasPrefix(comment.Text, "/*")
		}
	}
	var lines []string
	inCode := false
	for line := range strings.SplitSeq(strings.TrimSuffix(kept.Text(), "\n"), "\n") {
		if block {
			line = strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			inCode = !inCode
		}
		if !inCode && strings.HasPrefix(line, "---") {
			break
		}
		if inCode || !strings.HasPrefix(line, "TODO") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
