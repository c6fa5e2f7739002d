package controlplane

import (
	"slices"
	"sort"
)

// Arg is the value of one command line flag, given the values that the flag has by default.
type Arg interface {
	// Append returns an Arg that has the values besides those of this one.
	Append(vals ...string) Arg
	// Get returns the flag's values in their order. None means that the flag is not passed.
	Get(defaults []string) []string
}

// flagValue is the only implementation of Arg here: its values follow the defaults or replace them.
type flagValue struct {
	values       []string
	keepDefaults bool
}

func (v flagValue) Append(vals ...string) Arg {
	return flagValue{values: slices.Concat(v.values, vals), keepDefaults: v.keepDefaults}
}

func (v flagValue) Get(defaults []string) []string {
	if v.keepDefaults {
		return slices.Concat(defaults, v.values)
	}
	return v.values
}

// Arguments are the flags of a process. A flag that is not mentioned keeps its default.
type Arguments struct {
	flags map[string]Arg
}

// EmptyArguments returns Arguments that leave all defaults as they are.
func EmptyArguments() *Arguments {
	return &Arguments{flags: map[string]Arg{}}
}

// Get returns the flag as it was set, or nil if it was not.
func (a *Arguments) Get(key string) Arg {
	return a.flags[key]
}

// SetRaw gives the flag a value of the caller's own kind.
func (a *Arguments) SetRaw(key string, val Arg) *Arguments {
	if a.flags == nil {
		a.flags = map[string]Arg{}
	}
	a.flags[key] = val
	return a
}

// Set gives the flag these values and no others; its defaults are dropped.
func (a *Arguments) Set(key string, values ...string) *Arguments {
	return a.SetRaw(key, flagValue{values: values})
}

// Enable passes the flag without a value, as for a boolean one.
func (a *Arguments) Enable(key string) *Arguments {
	return a.Set(key, "")
}

// Disable leaves the flag out, whatever its defaults are.
func (a *Arguments) Disable(key string) *Arguments {
	return a.Set(key)
}

// Append adds values to the flag, after those that it has or after its defaults.
func (a *Arguments) Append(key string, values ...string) *Arguments {
	return a.add(key, true, values)
}

// AppendNoDefaults adds values to those the flag has; if it has none yet, its defaults are dropped.
func (a *Arguments) AppendNoDefaults(key string, values ...string) *Arguments {
	return a.add(key, false, values)
}

func (a *Arguments) add(key string, keepDefaults bool, values []string) *Arguments {
	if present := a.flags[key]; present != nil {
		return a.SetRaw(key, present.Append(values...))
	}
	return a.SetRaw(key, flagValue{values: slices.Clone(values), keepDefaults: keepDefaults})
}

// AsStrings writes the flags out, sorted by name, each one with its values in order. Flags of defaults that nobody
// mentioned are written too.
func (a *Arguments) AsStrings(defaults map[string][]string) []string {
	names := make([]string, 0, len(a.flags)+len(defaults))
	for name := range a.flags {
		names = append(names, name)
	}
	for name := range defaults {
		if _, mentioned := a.flags[name]; !mentioned {
			names = append(names, name)
		}
	}
	sort.Strings(names)

	var line []string
	for _, name := range names {
		values := defaults[name]
		if flag := a.flags[name]; flag != nil {
			values = flag.Get(values)
		}
		for _, value := range values {
			if value == "" {
				line = append(line, "--"+name)
				continue
			}
			line = append(line, "--"+name+"="+value)
		}
	}
	return line
}
