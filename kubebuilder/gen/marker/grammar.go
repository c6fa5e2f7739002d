package marker

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// syntaxError is a mistake in a marker's text, offset bytes from the start of the text.
type syntaxError struct {
	offset  int
	message string
}

func (e *syntaxError) Error() string { return e.message }

// scanner walks over the text behind a marker's name.
type scanner struct {
	text string
	at   int
}

func (s *scanner) fail(format string, args ...any) error {
	return &syntaxError{offset: s.at, message: fmt.Sprintf(format, args...)}
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

// peek is the next character after white space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) accept(c byte) bool {
	if s.peek() != c || c == 0 {
		return false
	}
	s.at++
	return true
}

// parse reads the text behind the name of a marker as its definition says.
func (d *Definition) parse(rest string) (value any, arguments map[string]any, err error) {
	s := &scanner{text: rest}
	if len(d.Arguments) > 0 {
		arguments, err = s.arguments(d)
		return nil, arguments, err
	}
	if strings.HasPrefix(d.Name, "k8s:") && d.Value != Raw {
		s.text, _, _ = strings.Cut(rest, "#")
	}
	if d.Value == Flag {
		return nil, nil, nil
	}
	value, err = s.whole(d.Value)
	if err == nil && s.peek() != 0 {
		err = s.fail("unexpected %q after the value", s.text[s.at:])
	}
	return value, nil, err
}

func (s *scanner) arguments(d *Definition) (map[string]any, error) {
	given := map[string]any{}
	for s.peek() != 0 {
		start := s.at
		for s.at < len(s.text) && isWord(s.text[s.at]) {
			s.at++
		}
		name := s.text[start:s.at]
		argument, known := d.argument(name)
		if !known {
			s.at = start
			return nil, s.fail("%s takes no argument %q, it takes %s", d.Name, name, d.argumentNames())
		}
		if !s.accept('=') {
			return nil, s.fail("argument %q needs a value: %s=…", name, name)
		}
		value, err := s.value(argument.Kind, ",")
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", name, err)
		}
		given[name] = value
		if s.peek() != 0 && !s.accept(',') {
			return nil, s.fail("expected a comma before %q", s.text[s.at:])
		}
	}
	for _, a := range d.Arguments {
		if _, ok := given[a.Name]; !ok && !a.Optional {
			return nil, s.fail("%s needs the argument %q", d.Name, a.Name)
		}
	}
	return given, nil
}

func (d *Definition) argumentNames() string {
	names := make([]string, len(d.Arguments))
	for i, a := range d.Arguments {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// whole reads a value that takes the rest of the line.
func (s *scanner) whole(kind Kind) (any, error) {
	switch kind {
	case Raw:
		rest := strings.TrimSpace(s.text[s.at:])
		s.at = len(s.text)
		return rest, nil
	case JSON:
		rest := strings.TrimSpace(s.text[s.at:])
		s.at = len(s.text)
		return parseJSON(rest)
	case Any:
		return s.legacyList()
	default:
		return s.value(kind, "")
	}
}

func parseJSON(text string) (any, error) {
	if strings.HasPrefix(text, "ref(") {
		return nil, nil
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("the value is not JSON: %w", err)
	}
	return value, nil
}

// legacyList reads one value of any form, or several with semicolons between them.
func (s *scanner) legacyList() (any, error) {
	first, err := s.guess(";")
	if err != nil || s.peek() != ';' {
		return first, err
	}
	list := []any{first}
	for s.accept(';') {
		next, err := s.guess(";")
		if err != nil {
			return nil, err
		}
		list = append(list, next)
	}
	return list, nil
}

// value reads a value of a kind. Bare text goes on to one of the characters of stop, or to the end of the line.
func (s *scanner) value(kind Kind, stop string) (any, error) {
	switch kind {
	case String:
		return s.str(stop)
	case Strings:
		return list(s, stop, s.str)
	case Anys:
		return list(s, stop, s.guess)
	case Any:
		return s.guess(stop)
	}
	start := s.at
	word, err := s.str(stop)
	if err != nil {
		return nil, err
	}
	var value any
	switch kind {
	case Int:
		value, err = strconv.Atoi(word)
	case Number:
		value, err = strconv.ParseFloat(word, 64)
	case Bool:
		value, err = word == "true", nil
		if word != "true" && word != "false" {
			err = strconv.ErrSyntax
		}
	}
	if err != nil {
		s.at = start
		return nil, s.fail("%q is not %s", word, map[Kind]string{Int: "a whole number", Number: "a number", Bool: "true or false"}[kind])
	}
	return value, nil
}

// list reads a;b;c or {a,b,c}.
func list[T any](s *scanner, stop string, item func(stop string) (T, error)) ([]T, error) {
	separator, closing := byte(';'), byte(0)
	if s.accept('{') {
		separator, closing, stop = ',', '}', ",}"
		if s.accept('}') {
			return []T{}, nil
		}
	} else {
		stop += ";"
	}
	var items []T
	for {
		value, err := item(stop)
		if err != nil {
			return nil, err
		}
		items = append(items, value)
		if s.accept(separator) {
			continue
		}
		if closing != 0 && !s.accept(closing) {
			return nil, s.fail("the list that { opens is not closed by }")
		}
		return items, nil
	}
}

// str reads text in double or back quotes, or bare text up to a character of stop. Single quotes do not quote.
func (s *scanner) str(stop string) (string, error) {
	quote := s.peek()
	if quote == '"' || quote == '`' {
		return s.quoted(quote)
	}
	end := len(s.text)
	if i := strings.IndexAny(s.text[s.at:], stop); stop != "" && i >= 0 {
		end = s.at + i
	}
	word := strings.TrimSpace(s.text[s.at:end])
	s.at = end
	return word, nil
}

func (s *scanner) quoted(quote byte) (string, error) {
	for i := s.at + 1; i < len(s.text); i++ {
		switch {
		case s.text[i] == '\\' && quote != '`':
			i++
		case s.text[i] == quote:
			literal := s.text[s.at : i+1]
			text, err := strconv.Unquote(literal)
			if err != nil {
				return "", s.fail("%s is not well quoted: %v", literal, err)
			}
			s.at = i + 1
			return text, nil
		}
	}
	return "", s.fail("the quote %c is not closed", quote)
}

// guess reads a value whose form shows its kind.
func (s *scanner) guess(stop string) (any, error) {
	switch s.peek() {
	case '{':
		s.at++
		return s.braces()
	case '"', '`':
		return s.str(stop)
	}
	word, err := s.str(stop)
	if err != nil {
		return nil, err
	}
	return scalar(word), nil
}

// scalar is a bare word as bool or number if it is one. Words such as 4abc, NaN or 1_000 stay text.
func scalar(word string) any {
	if word == "true" || word == "false" {
		return word == "true"
	}
	if word == "" || strings.Trim(word, "+-.0123456789eE") != "" || !strings.ContainsAny(word, "0123456789") || strings.ContainsAny(word[:1], "+eE") {
		return word
	}
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f
	}
	return word
}

// braces reads what stands between { and }: a map when its first item is a key and a colon, else a list. Nothing
// between them is an empty map.
func (s *scanner) braces() (any, error) {
	if s.accept('}') {
		return map[string]any{}, nil
	}
	start := s.at
	if _, err := s.str(":,}"); err == nil && s.peek() == ':' && s.text[start] != '{' {
		s.at = start
		return s.entries()
	}
	s.at = start
	items := []any{}
	for {
		item, err := s.guess(",}")
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if s.accept('}') {
			return items, nil
		}
		if !s.accept(',') {
			return nil, s.fail("the list that { opens is not closed by }")
		}
	}
}

func (s *scanner) entries() (any, error) {
	entries := map[string]any{}
	for {
		key, err := s.str(":,}")
		if err != nil {
			return nil, err
		}
		if !s.accept(':') {
			return nil, s.fail("the key %q needs a colon and a value", key)
		}
		value, err := s.guess(",}")
		if err != nil {
			return nil, err
		}
		entries[key] = value
		if s.accept('}') {
			return entries, nil
		}
		if !s.accept(',') {
			return nil, s.fail("the map that { opens is not closed by }")
		}
	}
}
