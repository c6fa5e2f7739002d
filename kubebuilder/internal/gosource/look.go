package gosource

import (
	"go/ast"
	"go/token"
	"strings"
)

// marker returns the comment `// +kubebuilder:scaffold:<name>`, or nil.
func (f *File) marker(name string) *ast.Comment {
	for _, group := range f.tree.Comments {
		for _, comment := range group.List {
			text, ok := strings.CutPrefix(comment.Text, "//")
			if ok && strings.TrimSpace(text) == marker+name {
				return comment
			}
		}
	}
	return nil
}

// lastImports returns the last import declaration of the file, or nil.
func (f *File) lastImports() *ast.GenDecl {
	var last *ast.GenDecl
	for _, decl := range f.tree.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			last = gen
		}
	}
	return last
}

// statements calls visit with each statement of each block in the file, outer ones before inner ones.
func (f *File) statements(visit func(ast.Stmt)) {
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if block, ok := n.(*ast.BlockStmt); ok {
			for _, stmt := range block.List {
				visit(stmt)
			}
		}
		return true
	})
}

// findCall returns the first call in n of a method or package function with the given name, or nil. What stands in a
// function literal or a block of its own is not n's.
func findCall(n ast.Node, name string) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == name && found == nil {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// manager returns the name of the variable that holds the manager and the statement that starts it, where there is one.
func (f *File) manager() (string, ast.Stmt) {
	name := "mgr"
	var start ast.Stmt
	f.statements(func(stmt ast.Stmt) {
		if assign, ok := stmt.(*ast.AssignStmt); ok && findCall(assign, "NewManager") != nil {
			if id, ok := assign.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
				name = id.Name
			}
		}
	})
	f.statements(func(stmt ast.Stmt) {
		call := findCall(stmt, "Start")
		if call == nil || start != nil {
			return
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && f.source(sel.X) == name {
			start = stmt
		}
	})
	return name, start
}

// hasComposite reports whether the file makes a value pkg.typ{…}.
func (f *File) hasComposite(pkg, typ string) bool {
	found := false
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil && f.source(lit.Type) == pkg+"."+typ {
			found = true
		}
		return !found
	})
	return found
}

func (f *File) source(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *File) offset(pos token.Pos) int {
	return f.fset.Position(pos).Offset
}

// lineStart is the offset of the first character of the line at pos.
func (f *File) lineStart(pos token.Pos) int {
	offset := f.offset(pos)
	return strings.LastIndexByte(string(f.text[:offset]), '\n') + 1
}

// lineEnd is the offset of the first character of the line after pos.
func (f *File) lineEnd(pos token.Pos) int {
	offset := f.offset(pos)
	if i := strings.IndexByte(string(f.text[offset:]), '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(f.text)
}

// declares reports whether the file declares a package variable or function with this name.
func (f *File) declares(name string) bool {
	for _, decl := range f.tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name == name {
				return true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, id := range value.Names {
					if id.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}
