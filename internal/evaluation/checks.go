package evaluation

import (
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
	"agentchat/internal/find"
)

// maxInstructions is the limit of instructions in a case's compiled patterns together. In the worst
// case, each takes about 15 ns per character of a reply.
const maxInstructions = 2_000

// checkType describes a type of check.
type checkType struct {
	// members has the names of its members, besides type and not.
	members []string
	// isFinal means that the check cannot be inverted.
	isFinal bool
	// validate returns the problem with a check at a path, or nil.
	validate func(c *Check, path string) *fault.Field
	// passes is nil for a judge check.
	passes func(c *Check, reply *Reply) bool
}

var checkTypes = map[string]checkType{
	Contains:   {[]string{"text", "exact"}, false, (*Check).checkTexts, contains},
	Equals:     {[]string{"text"}, false, (*Check).checkText, equals},
	Regex:      {[]string{"pattern"}, false, nil, matches},
	JSONEquals: {[]string{"path", "value"}, false, (*Check).checkValue, jsonEquals},
	Action:     {[]string{"name", "arguments"}, false, (*Check).checkCall, calls},
	Cites:      {[]string{"source"}, false, (*Check).checkSource, cites},
	MaxMS:      {[]string{"most"}, true, (*Check).checkMost, isFast},
	Judge:      {[]string{"criterion"}, true, (*Check).checkCriterion, nil},
}

// parse decodes and validates the check at a path, except for a pattern.
func (c *Check) parse(path string, value jsontext.Value) *fault.Field {
	if problem := unmarshal(path, value, c); problem != nil {
		return problem
	}
	kind, ok := checkTypes[c.Type]
	if !ok {
		return bad(path+".type", fault.InvalidValue, " must be one of "+
			strings.Join(slices.Sorted(maps.Keys(checkTypes)), ", ")+".")
	}
	var members map[string]jsontext.Value
	if problem := unmarshal(path, value, &members); problem != nil {
		return problem
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch {
		case name == "not" && kind.isFinal:
			return bad(path+".not", fault.NotSupported, " cannot be used with the type "+c.Type+". Remove it.")
		case name != "type" && name != "not" && !slices.Contains(kind.members, name):
			return bad(path+"."+name, fault.UnknownField, " does not belong to a check of the type "+c.Type+". Remove it.")
		}
	}
	if kind.validate == nil {
		return nil
	}
	return kind.validate(c, path)
}

// passes reports whether a reply passes the check, which must not be a judge check.
func (c *Check) passes(reply *Reply) bool {
	return checkTypes[c.Type].passes(c, reply) != c.Not
}

func (c *Check) checkTexts(path string) *fault.Field {
	path += ".text"
	switch {
	case len(c.Text) == 0:
		return bad(path, fault.Missing, " is missing. Write the text that the reply must contain.")
	case len(c.Text) > MaxTexts:
		return tooMany(path, MaxTexts, "texts")
	}
	for i, text := range c.Text {
		at := path
		if len(c.Text) > 1 {
			at = fmt.Sprintf("%s.%d", path, i)
		}
		switch {
		case utf8.RuneCountInString(text) > MaxText:
			return tooLong(at, MaxText)
		case !c.Exact && find.New(text).Key() == "", text == "":
			return bad(at, fault.Blank, " is blank. Write the text that the reply must contain.")
		}
	}
	return nil
}

func contains(c *Check, reply *Reply) bool {
	return slices.ContainsFunc(c.Text, func(text string) bool {
		if c.Exact {
			return strings.Contains(reply.Text, text)
		}
		return find.New(text).In(reply.Text)
	})
}

func (c *Check) checkText(path string) *fault.Field {
	path += ".text"
	switch {
	case len(c.Text) == 0 || strings.TrimSpace(c.Text[0]) == "":
		return bad(path, fault.Missing, " is missing. Write the text that the reply must be.")
	case len(c.Text) > 1:
		return bad(path, fault.WrongType, " must be a string.")
	}
	return nil
}

func equals(c *Check, reply *Reply) bool {
	return strings.TrimSpace(reply.Text) == strings.TrimSpace(c.Text[0])
}

// checkPattern validates the pattern at a path, and returns the number of its instructions.
func (c *Check) checkPattern(path string) (instructions int, problem *fault.Field) {
	switch {
	case c.Pattern == "":
		return 0, bad(path, fault.Missing, " is missing. Write the regular expression that the reply must match.")
	case utf8.RuneCountInString(c.Pattern) > MaxPattern:
		return 0, tooLong(path, MaxPattern)
	}
	parsed, err := syntax.Parse(c.Pattern, syntax.Perl)
	if err != nil {
		for _, around := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
			if strings.Contains(c.Pattern, around) {
				return 0, bad(path, fault.NotSupported, " contains the lookaround "+around+
					", which RE2 does not support. Use two checks instead: not inverts a check for forbidden text.")
			}
		}
		return 0, bad(path, fault.InvalidValue, " is not a valid regular expression for RE2. Correct it.")
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, bad(path, fault.InvalidValue, " is not a valid regular expression for RE2. Correct it.")
	}
	return len(program.Inst), nil
}

func matches(c *Check, reply *Reply) bool {
	pattern, err := regexp.Compile(c.Pattern)
	return err == nil && pattern.MatchString(reply.Text)
}

func (c *Check) checkSource(path string) *fault.Field {
	if utf8.RuneCountInString(c.Source) > MaxText {
		return tooLong(path+".source", MaxText)
	}
	return nil
}

func cites(c *Check, reply *Reply) bool {
	if c.Source == "" {
		return len(reply.Sources) > 0
	}
	return slices.Contains(reply.Sources, c.Source)
}

func (c *Check) checkMost(path string) *fault.Field {
	if c.Most < 1 || c.Most > MaxModelMS {
		return bad(path+".most", fault.OutOfRange,
			fmt.Sprintf(" must be the most milliseconds of model time, from 1 to %d.", MaxModelMS))
	}
	return nil
}

func isFast(c *Check, reply *Reply) bool { return reply.ModelMS != nil && *reply.ModelMS <= c.Most }

func (c *Check) checkCriterion(path string) *fault.Field {
	path += ".criterion"
	switch {
	case strings.TrimSpace(c.Criterion) == "":
		return bad(path, fault.Missing, " is missing. Describe what the reply must do.")
	case utf8.RuneCountInString(c.Criterion) > MaxCriterion:
		return tooLong(path, MaxCriterion)
	}
	return nil
}
