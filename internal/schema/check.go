package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Reason is the reason why a reply does not match a schema.
type Reason string

// The reasons in the public API.
const (
	// Length is a reply that was cut, or is larger than MaxReply.
	Length Reason = "length"
	// NotJSON is a reply that is not one JSON value.
	NotJSON Reason = "not_json"
	// Mismatch is a reply that violates a rule of the schema, or that is too large to be checked.
	Mismatch Reason = "mismatch"
)

// Violation describes how a reply breaks its schema. It holds no value of the reply, and no name
// that is not the schema's.
type Violation struct { //nolint:errname // a noun reads better at its callers than ViolationError
	Reason Reason
	// Path is a JSON pointer into the reply, "" for the whole, and Rule is the keyword; for Mismatch
	// only. Rule is empty for a reply that is too large to be checked.
	Path, Rule string
	// Start and End delimit the bytes of the reply that broke the rule: the value at Path, the place
	// where the reply stops being JSON, or its end for Length.
	Start, End int
}

// Error returns a sentence for the log, and for the model.
func (v *Violation) Error() string {
	switch {
	case v.Reason == Length:
		return "the reply is too long"
	case v.Reason == NotJSON:
		return "the reply is not one JSON value"
	case v.Rule == "":
		return "the reply is too large to be checked against its schema"
	case v.Path == "":
		return "the reply breaks the schema's rule " + v.Rule
	}
	return "the reply breaks the schema's rule " + v.Rule + " at " + v.Path
}

// Check returns a reply as compact JSON text, with its strings and numbers verbatim, if it matches
// the schema. It takes the only JSON object out of a code fence or of prose. An error is a
// *Violation.
func (s *Schema) Check(reply string) (string, error) {
	if len(reply) > MaxReply {
		return "", &Violation{Reason: Length, Start: len(reply), End: len(reply)}
	}
	begins, inner := unwrap(reply)
	if violation := s.check(inner, &work{left: maxWork}); violation != nil {
		if violation.Reason == Mismatch {
			violation.Start, violation.End = spanOf(inner, violation.Path)
		}
		violation.Start, violation.End = begins+violation.Start, begins+violation.End
		return "", violation
	}
	text := jsontext.Value(inner)
	if err := text.Compact(); err != nil {
		return "", &Violation{Reason: NotJSON}
	}
	return string(text), nil
}

// check validates JSON text against the schema. It takes its steps from work, which becomes
// negative if there are too few.
func (s *Schema) check(text string, work *work) *Violation {
	value, problem := parse(text)
	if problem != nil {
		return &Violation{Reason: NotJSON, Start: problem.offset, End: problem.offset}
	}
	return s.validate(value, work)
}

// validate validates a value. The library cannot be canceled, so the work is computed first.
func (s *Schema) validate(value any, work *work) (violation *Violation) {
	defer func() {
		if recover() != nil {
			violation = &Violation{Reason: Mismatch}
		}
	}()
	if work.add(s.root, value); work.left < 0 {
		return &Violation{Reason: Mismatch}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	failed, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return &Violation{Reason: Mismatch}
	}
	return s.violation(value, first(failed))
}

// first returns the error to report: the first one by path and rule, so that the result is
// deterministic. It descends into rules that must all hold, but not into alternatives.
func first(failed *jsonschema.ValidationError) *jsonschema.ValidationError {
	switch failed.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf:
	default:
		return failed
	}
	var found *jsonschema.ValidationError
	for _, cause := range failed.Causes {
		cause = first(cause)
		if found == nil || before(cause, found) {
			found = cause
		}
	}
	if found == nil {
		return failed
	}
	return found
}

func before(a, b *jsonschema.ValidationError) bool {
	if order := slices.Compare(a.InstanceLocation, b.InstanceLocation); order != 0 {
		return order < 0
	}
	return ruleOf(a) < ruleOf(b)
}

// ruleOf returns the keyword that an error is about.
func ruleOf(failed *jsonschema.ValidationError) string {
	switch failed.ErrorKind.(type) {
	case *kind.FalseSchema: // the last keyword on the path to the schema false
		parts := strings.Split(failed.SchemaURL, "/")
		for _, part := range slices.Backward(parts) {
			if positions[part] != noSchema {
				return part
			}
		}
	case *kind.Not:
		return "not"
	}
	if path := failed.ErrorKind.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return ""
}

// violation describes an error. The path ends before the first name that is not in the schema.
func (s *Schema) violation(value any, failed *jsonschema.ValidationError) *Violation {
	out := &Violation{Reason: Mismatch, Rule: ruleOf(failed)}
	for _, name := range failed.InstanceLocation {
		switch in := value.(type) {
		case map[string]any:
			if !s.names[name] {
				return out
			}
			value = in[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i < 0 || i >= len(in) {
				return out
			}
			value = in[i]
		}
		out.Path = pointer(out.Path, name)
	}
	return out
}
