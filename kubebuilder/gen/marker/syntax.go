package marker

import (
	"errors"
	goscanner "go/scanner"
)

// syntaxErrors turns what the Go parser says into errors with places.
func syntaxErrors(err error) []*Error {
	var found []*Error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			found = append(found, syntaxErrors(e)...)
		}
		return found
	}
	var list goscanner.ErrorList
	if !errors.As(err, &list) {
		return []*Error{{Err: err}}
	}
	for _, e := range list {
		found = append(found, &Error{At: e.Pos, Err: errors.New(e.Msg)})
	}
	return found
}
