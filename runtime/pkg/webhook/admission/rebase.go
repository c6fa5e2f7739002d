package admission

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// rebase carries a change over to the document that it was not made on. A request's object (raw) goes through a Go
// type, which knows a part of its fields (before), and is changed there (after). The result is raw with exactly that
// change: what the type does not know or leaves out stays, and what only the type writes, as an empty status, does not
// appear.
func rebase(raw, before, after []byte) ([]byte, error) {
	var docs [3]any
	for i, data := range [][]byte{raw, before, after} {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber() // an int64 does not fit a float
		if err := d.Decode(&docs[i]); err != nil {
			return nil, fmt.Errorf("read the object: %w", err)
		}
	}
	return json.Marshal(carry(docs[0], docs[1], docs[2]))
}

// carry returns raw with the difference between before and after.
func carry(raw, before, after any) any {
	if reflect.DeepEqual(before, after) {
		return raw
	}
	switch after := after.(type) {
	case map[string]any:
		rawMap, rawOK := raw.(map[string]any)
		beforeMap, beforeOK := before.(map[string]any)
		if beforeOK && (rawOK || raw == nil) {
			return carryMap(rawMap, beforeMap, after)
		}
	case []any:
		rawList, rawOK := raw.([]any)
		beforeList, beforeOK := before.([]any)
		// A Go type keeps the length of a list; if it did not, the elements cannot be told apart.
		if rawOK && beforeOK && len(rawList) == len(beforeList) {
			return carryList(rawList, beforeList, after)
		}
	}
	return after
}

func carryMap(raw, before, after map[string]any) map[string]any {
	result := make(map[string]any, len(raw)+1)
	for key, value := range raw {
		_, was := before[key]
		_, is := after[key]
		if was && !is {
			continue // removed by the change
		}
		result[key] = value
	}
	for key, value := range after {
		old, was := before[key]
		if was && reflect.DeepEqual(old, value) {
			continue
		}
		result[key] = carry(raw[key], old, value)
	}
	return result
}

// carryList takes an element that did not change from raw, wherever it moved to. One that changed is held against the
// one at its place, unless that has moved.
func carryList(raw, before, after []any) []any {
	result := make([]any, len(after))
	used := make([]bool, len(before))
	open := make([]bool, len(after))
	for i, value := range after {
		at := unusedEqual(before, used, value, i)
		if at < 0 {
			open[i] = true
			continue
		}
		used[at] = true
		result[i] = raw[at]
	}
	for i, value := range after {
		if !open[i] {
			continue
		}
		result[i] = value
		if i < len(before) && !used[i] {
			used[i] = true
			result[i] = carry(raw[i], before[i], value)
		}
	}
	return result
}

// unusedEqual finds the element that equals the value, at the same place first.
func unusedEqual(list []any, used []bool, value any, place int) int {
	if place < len(list) && !used[place] && reflect.DeepEqual(list[place], value) {
		return place
	}
	for i := range list {
		if !used[i] && reflect.DeepEqual(list[i], value) {
			return i
		}
	}
	return -1
}
