package deepcopy

import "go/types"

// handwritten says which copy methods people wrote for a type. Methods that come from an embedded field do not count:
// they copy that field alone.
type handwritten struct {
	// into is DeepCopyInto, whole is DeepCopy, and pointer says that DeepCopy gives a pointer.
	into, whole, pointer bool
}

func (h handwritten) any() bool { return h.into || h.whole }

func (c *copier) methods(t types.Type) handwritten {
	var h handwritten
	if sig := c.method(t, "DeepCopy"); sig != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 {
		_, h.pointer = sig.Recv().Type().(*types.Pointer)
		h.whole = types.Identical(sig.Recv().Type(), sig.Results().At(0).Type())
		h.pointer = h.pointer && h.whole
	}
	if sig := c.method(t, "DeepCopyInto"); sig != nil && sig.Params().Len() == 1 && sig.Results().Len() == 0 {
		if target, ok := sig.Params().At(0).Type().(*types.Pointer); ok {
			h.into = types.Identical(target.Elem(), pointee(sig.Recv().Type()))
		}
	}
	return h
}

func (c *copier) method(t types.Type, name string) *types.Signature {
	found, path, _ := types.LookupFieldOrMethod(t, true, c.types, name)
	method, ok := found.(*types.Func)
	if !ok || len(path) != 1 {
		return nil
	}
	return method.Signature()
}

// pointee is what a pointer points to, or the type itself.
func pointee(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isReference says whether copying a value of the type copies a reference.
func isReference(t types.Type) bool {
	switch t.(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	}
	return false
}

// isPlain says whether an assignment makes a full copy of a value of the type.
func isPlain(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid && t.Kind() != types.UnsafePointer
	case *types.Named:
		return isPlain(t.Underlying())
	case *types.TypeParam:
		return plainConstraint(t)
	case *types.Array:
		return isPlain(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !isPlain(field.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// plainConstraint says whether a type parameter stands for basic types only, as ~string does.
func plainConstraint(p *types.TypeParam) bool {
	constraint, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok || constraint.NumEmbeddeds() == 0 {
		return false
	}
	for embedded := range constraint.EmbeddedTypes() {
		union, isUnion := embedded.(*types.Union)
		if !isUnion {
			if !isPlain(embedded) {
				return false
			}
			continue
		}
		for term := range union.Terms() {
			if !isPlain(term.Type()) {
				return false
			}
		}
	}
	return true
}

// byPointer says whether the methods of a type take a pointer: all types do that are not references themselves.
func byPointer(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		t = named.Underlying()
	}
	return !isReference(t)
}

// copyIsPointer says whether DeepCopy of a type, written or generated, gives a pointer.
func copyIsPointer(t types.Type, h handwritten) bool {
	if h.whole {
		return h.pointer
	}
	return byPointer(pointee(t))
}
