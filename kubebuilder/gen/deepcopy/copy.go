package deepcopy

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"

	"kubewright.dev/kubebuilder/gen/load"
	"kubewright.dev/kubebuilder/gen/marker"
)

// copier writes the copy methods of one package's types.
type copier struct {
	pkg     *load.Package
	types   *types.Package
	imports *imports
	out     *bytes.Buffer
	at      token.Pos // what is being copied, for errors
	errors  []*marker.Error
}

func (c *copier) fail(format string, args ...any) {
	at := c.pkg.Program().Fset.Position(c.at)
	c.errors = append(c.errors, &marker.Error{At: at, Err: fmt.Errorf(format, args...)})
}

func (c *copier) write(format string, args ...any) {
	fmt.Fprintf(c.out, format, args...)
	c.out.WriteByte('\n')
}

// braced writes a block with its head.
func (c *copier) braced(head string, body func()) {
	c.write("%s {", head)
	body()
	c.write("}")
}

// named writes a type as code when it is called, so that only types that the code mentions are imported.
func (c *copier) named(t types.Type) func() string {
	return func() string { return c.imports.syntax(t) }
}

// into writes statements that copy *in to *out, both of type t, which is written as name.
func (c *copier) into(name func() string, t types.Type) {
	under := t.Underlying()
	if _, isPointer := under.(*types.Pointer); !isPointer && c.methods(t).any() {
		c.write("*out = in.DeepCopy()")
		return
	}
	switch under := under.(type) {
	case *types.Map:
		c.mapInto(name, under)
	case *types.Slice:
		c.sliceInto(name, under)
	case *types.Pointer:
		c.pointerInto(under)
	case *types.Struct:
		c.structInto(under)
	default:
		if !isPlain(t) && !isPlain(under) {
			c.fail("values of type %s cannot be copied: use a struct, slice, map, pointer or basic type", t)
			return
		}
		c.write("*out = *in")
	}
}

func (c *copier) mapInto(name func() string, m *types.Map) {
	if !isPlain(m.Key()) && !isPlain(m.Key().Underlying()) {
		c.fail("keys of type %s cannot be copied by assignment", m.Key())
		return
	}
	c.write("*out = make(%s, len(*in))", name())
	c.braced("for key, val := range *in", func() { c.mapValue(m.Elem()) })
}

func (c *copier) mapValue(value types.Type) {
	under := value.Underlying()
	h := c.methods(value)
	_, isPointer := value.(*types.Pointer)
	switch {
	case h.any():
		switch gives := copyIsPointer(value, h); {
		case gives == isPointer:
			c.write("(*out)[key] = val.DeepCopy()")
		case isPointer:
			c.braced("", func() { c.write("x := val.DeepCopy()\n(*out)[key] = &x") })
		default:
			c.write("(*out)[key] = *val.DeepCopy()")
		}
	case isPlain(value):
		c.write("(*out)[key] = val")
	case isReference(under):
		c.write("var outVal %s", c.imports.syntax(under))
		c.write("if val == nil {\n(*out)[key] = nil\n} else {")
		c.write("inVal := (*in)[key]\nin, out := &inVal, &outVal")
		c.into(c.named(value), value)
		c.write("}\n(*out)[key] = outVal")
	default:
		if _, isStruct := under.(*types.Struct); isStruct {
			c.write("(*out)[key] = *val.DeepCopy()")
			return
		}
		if isPlain(under) {
			c.write("(*out)[key] = val")
			return
		}
		c.fail("map values of type %s cannot be copied", value)
	}
}

func (c *copier) sliceInto(name func() string, s *types.Slice) {
	element := s.Elem()
	under := element.Underlying()
	_, isStruct := under.(*types.Struct)
	c.write("*out = make(%s, len(*in))", name())
	switch {
	case c.methods(element).any():
		c.write("for i := range *in {\n(*in)[i].DeepCopyInto(&(*out)[i])\n}")
	case isPlain(under):
		c.write("copy(*out, *in)")
	case isReference(under):
		c.braced("for i := range *in", func() {
			c.braced("if (*in)[i] != nil", func() {
				c.write("in, out := &(*in)[i], &(*out)[i]")
				c.into(c.named(element), element)
			})
		})
	case isStruct:
		c.write("for i := range *in {\n(*in)[i].DeepCopyInto(&(*out)[i])\n}")
	default:
		c.fail("slice elements of type %s cannot be copied", element)
	}
}

func (c *copier) pointerInto(p *types.Pointer) {
	element := p.Elem()
	under := element.Underlying()
	if h := c.methods(element); h.any() {
		if copyIsPointer(element, h) {
			c.write("*out = (*in).DeepCopy()")
		} else {
			c.write("x := (*in).DeepCopy()\n*out = &x")
		}
		return
	}
	_, isStruct := under.(*types.Struct)
	switch {
	case isPlain(under):
		c.write("*out = new(%s)\n**out = **in", c.imports.syntax(element))
	case isReference(under):
		c.write("*out = new(%s)", c.imports.syntax(element))
		c.braced("if **in != nil", func() {
			c.write("in, out := *in, *out")
			c.into(c.named(element), element)
		})
	case isStruct:
		c.write("*out = new(%s)\n(*in).DeepCopyInto(*out)", c.imports.syntax(element))
	default:
		c.fail("what a pointer of type %s points to cannot be copied", p)
	}
}

func (c *copier) structInto(s *types.Struct) {
	c.write("*out = *in")
	for field := range s.Fields() {
		if field.Name() == "_" {
			continue
		}
		if field.Pkg() == c.types {
			c.at = field.Pos()
		}
		c.field(field.Name(), field.Type())
	}
}

// field copies what the assignment of the whole struct did not.
func (c *copier) field(name string, t types.Type) {
	under := t.Underlying()
	h := c.methods(t)
	_, isPointer := t.(*types.Pointer)
	switch {
	case h.any() && !isPointer && !copyIsPointer(t, h):
		c.write("out.%[1]s = in.%[1]s.DeepCopy()", name)
	case h.any() && !isPointer:
		c.write("in.%[1]s.DeepCopyInto(&out.%[1]s)", name)
	case isReference(under):
		c.braced(fmt.Sprintf("if in.%s != nil", name), func() {
			c.write("in, out := &in.%[1]s, &out.%[1]s", name)
			c.into(c.named(t), t)
		})
	default:
		c.valueField(name, t)
	}
}

func (c *copier) valueField(name string, t types.Type) {
	switch under := t.Underlying().(type) {
	case *types.Struct:
		if isPlain(t) {
			c.write("out.%[1]s = in.%[1]s", name)
		} else {
			c.write("in.%[1]s.DeepCopyInto(&out.%[1]s)", name)
		}
	case *types.Array:
		if !isPlain(under.Elem()) {
			c.braced(fmt.Sprintf("for i := range in.%s", name), func() {
				c.field(name+"[i]", under.Elem())
			})
		}
	default:
		if !isPlain(t) && !isPlain(under) {
			c.fail("field %s of type %s cannot be copied: write DeepCopyInto for its struct, or use another type", name, t)
		}
	}
}
