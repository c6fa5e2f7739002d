// Package marker reads markers: comments of the form `// +name:argument=value` that tell generators what Go types
// cannot. Definitions say which markers there are, what they stand on and which arguments they take; Collect finds
// the markers of a package and the type, field or package that each one describes.
package marker

import (
	"fmt"
	"sort"
	"strings"
)

// Target is what a marker describes.
type Target int

// The targets of markers. Values combine as bits.
const (
	OnPackage Target = 1 << iota
	OnType
	OnField
)

func (t Target) String() string {
	var names []string
	for bit, name := range map[Target]string{OnPackage: "a package", OnType: "a type", OnField: "a field"} {
		if t&bit != 0 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return strings.Join(names, " or ")
}

// Kind is the form of a value in a marker.
type Kind int

// The kinds of values.
const (
	// Flag is a marker without a value.
	Flag Kind = iota
	// String is text, quoted with " or `, or bare.
	String
	// Int is a whole number.
	Int
	// Number is any number; it becomes a float64.
	Number
	// Bool is true or false.
	Bool
	// Strings is a list of strings: a;b or {a,b}.
	Strings
	// Any is a value whose form is guessed: text, number, bool, list or map.
	Any
	// Anys is a list of values of kind Any.
	Anys
	// JSON is a value in JSON; a reference, ref(…), is left out.
	JSON
	// Raw is the text as it stands.
	Raw
)

// Argument is a named argument of a marker.
type Argument struct {
	Name     string
	Kind     Kind
	Optional bool
}

// Definition describes one marker.
type Definition struct {
	// Name is the marker without its plus sign, as in kubebuilder:validation:Maximum.
	Name string
	// On holds the targets it may describe.
	On Target
	// Value is the kind of its one unnamed value; Flag when it has named arguments or none.
	Value Kind
	// Arguments are the named arguments.
	Arguments []Argument
}

func (d *Definition) argument(name string) (Argument, bool) {
	for _, a := range d.Arguments {
		if a.Name == name {
			return a, true
		}
	}
	return Argument{}, false
}

// Registry holds definitions by name.
type Registry struct {
	byName map[string]*Definition
}

// NewRegistry makes a registry of the given definitions. Definitions of the same name join their targets.
func NewRegistry(definitions ...Definition) *Registry {
	r := &Registry{byName: make(map[string]*Definition, len(definitions))}
	for _, d := range definitions {
		if known := r.byName[d.Name]; known != nil {
			known.On |= d.On
			continue
		}
		r.byName[d.Name] = &d
	}
	return r
}

// find splits a marker's text into its definition and what follows the name.
func (r *Registry) find(text string) (def *Definition, rest string) {
	head, tail, hasValue := strings.Cut(text, "=")
	head = strings.TrimSuffix(strings.TrimSpace(head), ":")
	if d := r.byName[head]; d != nil {
		return d, tail
	}
	if colon := strings.LastIndexByte(head, ':'); colon >= 0 {
		if d := r.byName[head[:colon]]; d != nil && len(d.Arguments) > 0 {
			rest = head[colon+1:]
			if hasValue {
				rest += "=" + tail
			}
			return d, rest
		}
	}
	return nil, ""
}

// Nearest is the defined name closest to a misspelt one, or "" when none is close.
func (r *Registry) Nearest(name string) string {
	best, bestDistance := "", len(name)/3+1
	for known := range r.byName {
		d := distance(strings.ToLower(name), strings.ToLower(known))
		if d < bestDistance || d == bestDistance && best != "" && known < best {
			best, bestDistance = known, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// parseDefinitions reads definitions in the notation of builtin.go.
func parseDefinitions(text string) []Definition {
	var all []Definition
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		d := Definition{Name: words[1]}
		for _, letter := range words[0] {
			d.On |= map[rune]Target{'p': OnPackage, 't': OnType, 'f': OnField}[letter]
		}
		for _, word := range words[2:] {
			name, kind, named := strings.Cut(word, "=")
			if !named {
				d.Value = kinds[name]
				continue
			}
			bare := strings.TrimSuffix(name, "?")
			d.Arguments = append(d.Arguments, Argument{Name: bare, Kind: kinds[kind], Optional: bare != name})
		}
		all = append(all, d)
	}
	return all
}

var kinds = map[string]Kind{
	"string": String, "int": Int, "number": Number, "bool": Bool, "strings": Strings, "any": Any, "anys": Anys,
	"json": JSON, "raw": Raw,
}

// Marker is one marker as it stands in the source.
type Marker struct {
	// Name is the name of its definition.
	Name string
	// Value is the unnamed value, nil for markers without one: string, int, float64, bool, []string, []any,
	// map[string]any or json.RawMessage.
	Value any
	// Arguments are the named values.
	Arguments map[string]any
	// At is where it stands.
	At Position
}

// String is the named argument as text, "" when it is not given.
func (m Marker) String(name string) string { s, _ := m.Arguments[name].(string); return s }

// Strings is the named argument as a list, nil when it is not given.
func (m Marker) Strings(name string) []string { s, _ := m.Arguments[name].([]string); return s }

// Int is the named argument as a number, 0 when it is not given.
func (m Marker) Int(name string) int { n, _ := m.Arguments[name].(int); return n }

// Optional is a pointer to the named argument, nil when it is not given or of another type.
func Optional[T any](m Marker, name string) *T {
	if v, ok := m.Arguments[name].(T); ok {
		return &v
	}
	return nil
}

// List is the markers of one package, type or field in the order of the source.
type List []Marker

// Has says whether the list has a marker of one of the names.
func (l List) Has(names ...string) bool {
	for _, m := range l {
		for _, name := range names {
			if m.Name == name {
				return true
			}
		}
	}
	return false
}

// First is the first marker of that name.
func (l List) First(name string) (Marker, bool) {
	for _, m := range l {
		if m.Name == name {
			return m, true
		}
	}
	return Marker{}, false
}

// All are the markers of that name.
func (l List) All(name string) List {
	var found List
	for _, m := range l {
		if m.Name == name {
			found = append(found, m)
		}
	}
	return found
}

// Error is a problem at a place in the source.
type Error struct {
	At  Position
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.At, e.Err) }

// Unwrap returns the problem without its place.
func (e *Error) Unwrap() error { return e.Err }
