package crd

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"kubewright.dev/kubebuilder/gen/marker"
)

// builder makes schemas of types.
type builder struct {
	collector *marker.Collector
	opts      Options
	flat      map[string]*apiext.JSONSchemaProps // schemas of named types, flattened
	open      []string                           // the named types being made, outermost first
	at        marker.Position                    // what is being made, for errors without a place of their own
	errors    []*marker.Error
}

func newBuilder(collector *marker.Collector, opts Options) *builder {
	return &builder{collector: collector, opts: opts, flat: known(opts.GenerateEmbeddedObjectMeta)}
}

func (b *builder) fail(pkg *marker.Package, node ast.Node, format string, args ...any) {
	b.failAt(pkg.Position(node), format, args...)
}

func (b *builder) failAt(at marker.Position, format string, args ...any) {
	b.errors = append(b.errors, &marker.Error{At: at, Err: fmt.Errorf(format, args...)})
}

// scope is where a type expression stands: its package, and what the type parameters in it mean.
type scope struct {
	*marker.Package
	arguments map[string]argument
}

// argument is a type that stands for a type parameter.
type argument struct {
	expr  ast.Expr
	scope *scope
}

// expr makes the schema of a type expression, with references to named types.
func (b *builder) expr(s *scope, e ast.Expr) *apiext.JSONSchemaProps {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.expr(s, e.X)
	case *ast.StarExpr:
		return b.expr(s, e.X)
	case *ast.Ident:
		if bound, ok := s.arguments[e.Name]; ok {
			return b.expr(bound.scope, bound.expr)
		}
		return b.name(s, e, e, nil)
	case *ast.SelectorExpr:
		return b.name(s, e, e.Sel, nil)
	case *ast.IndexExpr:
		return b.generic(s, e, e.X, []ast.Expr{e.Index})
	case *ast.IndexListExpr:
		return b.generic(s, e, e.X, e.Indices)
	case *ast.ArrayType:
		return b.list(s, e)
	case *ast.MapType:
		return b.dictionary(s, e)
	case *ast.StructType:
		b.fail(s.Package, e, "structs without a name are not supported in schemas: declare a type for it")
	case *ast.InterfaceType:
		b.fail(s.Package, e, "interfaces have no schema: use a struct, or apiextensionsv1.JSON for any value")
	default:
		b.fail(s.Package, e, "%s has no schema", types.ExprString(e))
	}
	return &apiext.JSONSchemaProps{}
}

func (b *builder) generic(s *scope, e, base ast.Expr, arguments []ast.Expr) *apiext.JSONSchemaProps {
	switch base := base.(type) {
	case *ast.Ident:
		return b.name(s, e, base, arguments)
	case *ast.SelectorExpr:
		return b.name(s, e, base.Sel, arguments)
	}
	b.fail(s.Package, e, "%s has no schema", types.ExprString(e))
	return &apiext.JSONSchemaProps{}
}

func (b *builder) list(s *scope, e *ast.ArrayType) *apiext.JSONSchemaProps {
	_, info := s.Check()
	if basic, ok := info.TypeOf(e.Elt).(*types.Basic); ok && basic.Kind() == types.Byte && e.Len == nil {
		return &apiext.JSONSchemaProps{Type: "string", Format: "byte"}
	}
	return &apiext.JSONSchemaProps{Type: "array", Items: &apiext.JSONSchemaPropsOrArray{Schema: b.expr(s, e.Elt)}}
}

func (b *builder) dictionary(s *scope, e *ast.MapType) *apiext.JSONSchemaProps {
	_, info := s.Check()
	key := info.TypeOf(e.Key)
	if basic, ok := key.Underlying().(*types.Basic); !ok || basic.Info()&types.IsString == 0 {
		if _, isParameter := types.Unalias(key).(*types.TypeParam); !isParameter && !implements(key, textMarshaler) {
			b.fail(s.Package, e.Key, "the keys of a map must be strings or implement encoding.TextMarshaler, %s does not", key)
			return &apiext.JSONSchemaProps{}
		}
	}
	return &apiext.JSONSchemaProps{
		Type: "object", AdditionalProperties: &apiext.JSONSchemaPropsOrBool{Allows: true, Schema: b.expr(s, e.Value)},
	}
}

// name makes the schema of a type that is called by its name: a reference, unless the type is built in.
func (b *builder) name(s *scope, e ast.Expr, ident *ast.Ident, arguments []ast.Expr) *apiext.JSONSchemaProps {
	_, info := s.Check()
	obj, ok := info.Uses[ident].(*types.TypeName)
	if !ok || obj.Type() == types.Typ[types.Invalid] {
		b.fail(s.Package, e, "unknown type %s", types.ExprString(e))
		return &apiext.JSONSchemaProps{}
	}
	if obj.Pkg() == nil {
		return b.builtin(s, e, obj.Type())
	}
	key := obj.Pkg().Path() + "." + obj.Name()
	target, isKnown := b.flat[key]
	if !isKnown || len(arguments) > 0 {
		pkg := s.Program().Lookup(obj.Pkg().Path())
		if pkg == nil {
			b.fail(s.Package, e, "package %s of type %s is not loaded", obj.Pkg().Path(), types.ExprString(e))
			return &apiext.JSONSchemaProps{}
		}
		collected := b.collector.Collect(pkg)
		d := collected.Type(obj.Name())
		if d == nil {
			b.fail(s.Package, e, "the declaration of type %s is not found in package %s", types.ExprString(e), obj.Pkg().Path())
			return &apiext.JSONSchemaProps{}
		}
		inner := &scope{Package: collected}
		if len(arguments) > 0 {
			inner.arguments = bind(d.Spec, arguments, s)
			key += "[" + describe(s, arguments) + "]"
		}
		if obj.IsAlias() && isName(d.Spec.Type) && !hasSchemaMarkers(d.Markers) {
			return b.expr(inner, d.Spec.Type)
		}
		if b.cycle(s, e, key) {
			return &apiext.JSONSchemaProps{}
		}
		target = b.declared(collected, d, &instance{key: key, scope: inner})
	}
	ref := &apiext.JSONSchemaProps{Ref: &key}
	switch types.Unalias(obj.Type()).Underlying().(type) {
	case *types.Basic:
		ref.Type, ref.Format = target.Type, target.Format
	case *types.Slice, *types.Map:
		ref.Type = target.Type
	}
	return ref
}

func isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return true
	case *ast.Ident:
		return types.Universe.Lookup(e.Name) == nil
	}
	return false
}

// bind gives the parameters of a generic type their arguments.
func bind(spec *ast.TypeSpec, arguments []ast.Expr, s *scope) map[string]argument {
	bound := map[string]argument{}
	if spec.TypeParams == nil {
		return bound
	}
	for _, field := range spec.TypeParams.List {
		for _, name := range field.Names {
			if len(bound) < len(arguments) {
				a := argument{arguments[len(bound)], s}
				if ident, ok := a.expr.(*ast.Ident); ok {
					if outer, ok := s.arguments[ident.Name]; ok {
						a = outer
					}
				}
				bound[name.Name] = a
			}
		}
	}
	return bound
}

// describe writes type arguments so that equal ones have equal texts.
func describe(s *scope, arguments []ast.Expr) string {
	var texts []string
	for _, e := range arguments {
		at := s
		if ident, ok := e.(*ast.Ident); ok {
			if outer, ok := s.arguments[ident.Name]; ok {
				e, at = outer.expr, outer.scope
			}
		}
		_, info := at.Check()
		texts = append(texts, types.TypeString(info.TypeOf(e), nil))
	}
	return strings.Join(texts, ",")
}

// cycle reports a type that contains itself, which no schema can say.
func (b *builder) cycle(s *scope, e ast.Expr, key string) bool {
	for i, open := range b.open {
		if open == key {
			var path []string
			for _, name := range append(b.open[i:len(b.open):len(b.open)], key) {
				path = append(path, name[strings.LastIndexByte(name, '/')+1:])
			}
			b.fail(s.Package, e, "type %s contains itself (%s), which a schema cannot express: mark the field with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields",
				types.ExprString(e), strings.Join(path, " → "))
			return true
		}
	}
	return false
}

func (b *builder) builtin(s *scope, e ast.Expr, t types.Type) *apiext.JSONSchemaProps {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		b.fail(s.Package, e, "the interface %s has no schema: use a struct, or apiextensionsv1.JSON for any value", types.ExprString(e))
		return &apiext.JSONSchemaProps{}
	}
	schema := &apiext.JSONSchemaProps{}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		schema.Type = "boolean"
	case info&types.IsString != 0:
		schema.Type = "string"
	case info&types.IsInteger != 0:
		schema.Type = "integer"
		switch basic.Kind() {
		case types.Int32, types.Uint32:
			schema.Format = "int32"
		case types.Int64, types.Uint64:
			schema.Format = "int64"
		}
	case info&types.IsFloat != 0 && b.opts.AllowDangerousTypes:
		schema.Type = "number"
	case info&types.IsFloat != 0:
		b.fail(s.Package, e, "%s is a float, whose value depends on the language that reads it: use a string or resource.Quantity, or allow it with crd:allowDangerousTypes=true", basic)
	default:
		b.fail(s.Package, e, "%s has no schema", basic)
	}
	return schema
}

// namedType is the name of a type that has one, with aliases followed.
func namedType(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

var (
	jsonMarshaler = encoder("MarshalJSON")
	textMarshaler = encoder("MarshalText")
)

// encoder is an interface with one method that gives bytes and an error.
func encoder(method string) *types.Interface {
	result := func(t types.Type) *types.Var { return types.NewParam(token.NoPos, nil, "", t) }
	results := types.NewTuple(result(types.NewSlice(types.Typ[types.Byte])), result(types.Universe.Lookup("error").Type()))
	sig := types.NewSignatureType(nil, nil, nil, nil, results, false)
	return types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, method, sig)}, nil).Complete()
}

func implements(t types.Type, i *types.Interface) bool {
	return types.Implements(t, i) || types.Implements(types.NewPointer(t), i)
}
