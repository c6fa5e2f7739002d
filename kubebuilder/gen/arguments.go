package gen

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kubewright.dev/kubebuilder/gen/crd"
)

// ToolVersion is the version of controller-gen whose output this package's equals.
const ToolVersion = crd.ToolVersion

// request collects what arguments ask for.
type request struct {
	opts      Options
	generator bool
	everyone  *Output
	outputs   map[string]Output
	stdout    io.Writer
}

// ParseArguments reads arguments as controller-gen takes them: generators with options (crd:maxDescLen=0),
// paths=<pattern>;…, and output rules for all (output:stdout) or one generator (output:crd:artifacts:config=<folder>).
// Content for output:stdout goes to stdout. All mistakes are reported together.
func ParseArguments(args []string, stdout io.Writer) (Options, error) {
	r := &request{outputs: map[string]Output{}, stdout: stdout}
	var problems []error
	for _, arg := range args {
		if err := r.argument(arg); err != nil {
			problems = append(problems, fmt.Errorf("argument %q: %w", arg, err))
		}
	}
	if !r.generator {
		problems = append(problems, errors.New("no generator is named: say object, crd, rbac or webhook"))
	}
	if r.opts.Object != nil {
		r.opts.Object.Output = r.output("object")
	}
	if r.opts.CRD != nil {
		r.opts.CRD.Output = r.output("crd")
	}
	if r.opts.RBAC != nil {
		r.opts.RBAC.Output = r.output("rbac")
	}
	if r.opts.Webhook != nil {
		r.opts.Webhook.Output = r.output("webhook")
	}
	return r.opts, errors.Join(problems...)
}

func (r *request) output(generator string) Output {
	if own, ok := r.outputs[generator]; ok {
		return own
	}
	if r.everyone != nil {
		return *r.everyone
	}
	return Output{}
}

func (r *request) argument(arg string) error {
	switch {
	case strings.HasPrefix(arg, "--load-build-tags="):
		r.opts.Tags = strings.Split(strings.TrimPrefix(arg, "--load-build-tags="), ",")
		return nil
	case arg == "--strict":
		r.opts.Strict = true
		return nil
	case strings.HasPrefix(arg, "paths="):
		for path := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(arg, "paths="), "{}"), ";") {
			for part := range strings.SplitSeq(path, ",") {
				r.opts.Paths = append(r.opts.Paths, strings.Trim(part, "\"'`"))
			}
		}
		return nil
	case strings.HasPrefix(arg, "output:"):
		return r.rule(strings.TrimPrefix(arg, "output:"))
	case strings.HasPrefix(arg, "-"):
		return errors.New("unknown flag")
	}
	name, rest, _ := strings.Cut(arg, ":")
	given, err := options(rest)
	if err != nil {
		return err
	}
	return r.addGenerator(name, given)
}

func (r *request) addGenerator(name string, given *optionSet) error {
	header := Header{File: given.text("headerFile"), Year: given.text("year")}
	switch name {
	case "object":
		r.opts.Object = &Object{Header: header}
	case "rbac":
		r.opts.RBAC = &RBAC{Header: header, RoleName: given.text("roleName"), FileName: given.text("fileName")}
		if r.opts.RBAC.RoleName == "" {
			given.fail("rbac needs roleName=<name>")
		}
	case "crd":
		r.opts.CRD = &CRD{Header: header, Options: crd.Options{
			MaxDescLen:                 given.number("maxDescLen"),
			AllowDangerousTypes:        given.yes("allowDangerousTypes"),
			IgnoreUnexportedFields:     given.yes("ignoreUnexportedFields"),
			GenerateEmbeddedObjectMeta: given.yes("generateEmbeddedObjectMeta"),
			OmitToolVersion:            given.yes("omitToolVersion"),
			PreserveUnknownFields:      given.bool("deprecatedV1beta1CompatibilityPreserveUnknownFields"),
		}}
		if versions := given.text("crdVersions"); versions != "" && strings.Trim(versions, "{}\"") != "v1" {
			given.fail("crdVersions=%s: v1 is the only version of definitions", versions)
		}
	case "webhook":
		r.opts.Webhook = &Webhook{Header: header}
	default:
		return fmt.Errorf("unknown generator %q: there are object, crd, rbac and webhook", name)
	}
	r.generator = true
	return given.err(name)
}

// rule reads an output rule behind its prefix: [<generator>:]none|stdout|dir=<folder>|artifacts[:code=…][:config=…].
func (r *request) rule(text string) error {
	for _, generator := range []string{"object", "crd", "rbac", "webhook"} {
		if rest, ok := strings.CutPrefix(text, generator+":"); ok {
			output, err := r.parseRule(rest)
			r.outputs[generator] = output
			return err
		}
	}
	output, err := r.parseRule(text)
	r.everyone = &output
	return err
}

func (r *request) parseRule(text string) (Output, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case text == "none":
		return Output{Nowhere: true}, nil
	case text == "stdout":
		return Output{Writer: r.stdout}, nil
	case strings.HasPrefix(text, "dir="):
		folder := strings.TrimPrefix(text, "dir=")
		return Output{Config: folder, Code: folder}, nil
	case kind == "artifacts":
		given, err := options(rest)
		if err != nil {
			return Output{}, err
		}
		output := Output{Config: given.text("config"), Code: given.text("code")}
		return output, given.err("artifacts")
	}
	return Output{}, fmt.Errorf("unknown output rule %q: there are none, stdout, dir=<folder> and artifacts:config=<folder>", text)
}

// optionSet are the options of a generator; each is taken once, and what is left is a mistake.
type optionSet struct {
	values   map[string]string
	problems []error
}

func options(text string) (*optionSet, error) {
	set := &optionSet{values: map[string]string{}}
	if text == "" {
		return set, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return set, fmt.Errorf("the option %q needs a value: %s=…", part, part)
		}
		set.values[name] = strings.Trim(value, "\"'`")
	}
	return set, nil
}

func (s *optionSet) fail(format string, args ...any) {
	s.problems = append(s.problems, fmt.Errorf(format, args...))
}

func (s *optionSet) text(name string) string {
	value := s.values[name]
	delete(s.values, name)
	return value
}

func (s *optionSet) number(name string) *int {
	text, given := s.values[name]
	delete(s.values, name)
	if !given {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		s.fail("%s=%s is not a whole number", name, text)
	}
	return &n
}

func (s *optionSet) bool(name string) *bool {
	text, given := s.values[name]
	delete(s.values, name)
	if !given {
		return nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		s.fail("%s=%s is not true or false", name, text)
	}
	return &value
}

func (s *optionSet) yes(name string) bool {
	value := s.bool(name)
	return value != nil && *value
}

func (s *optionSet) err(of string) error {
	for name := range s.values {
		s.fail("%s has no option %q", of, name)
	}
	return errors.Join(s.problems...)
}
