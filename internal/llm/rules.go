package llm

import (
	"strings"

	"agentchat/internal/schema"
)

// maxRules bounds the rules of one schema, in bytes. Above it, the schema itself is shorter to
// read.
const maxRules = 8 << 10

// Rules returns the Rules of a request to a model, which may be wrapped. They are empty for a model
// that states the schemas of its requests completely.
func Rules(m Model, r Request) string {
	switch m := m.(type) {
	case interface{ Rules(r Request) string }:
		return m.Rules(r)
	case interface{ Unwrap() Model }:
		return Rules(m.Unwrap(), r)
	}
	return ""
}

// RulesOf returns the Rules of a request whose formats have the schemas that reduce returns. A
// reply schema that is sent as text has none.
func RulesOf(r Request, reduce func(text string) schema.Reduced) string {
	var all []string
	if r.Schema != "" && len(r.Actions) == 0 {
		const heading = "Rules for the reply that its format does not state:"
		all = rulesOf(heading, r.Schema, reduce(r.Schema).Rules)
	}
	for _, a := range r.Actions {
		heading, reduced := "Rules for the arguments of "+a.Name+":", reduce(a.Parameters)
		if reduced.Object {
			all = append(all, rulesOf(heading, a.Parameters, reduced.Rules)...)
		} else {
			all = append(all, heading+"\n"+a.Parameters)
		}
	}
	return strings.Join(all, "\n\n")
}

// rulesOf returns rules as text, or the schema if they are longer than maxRules; nil without rules.
func rulesOf(heading, text string, rules []schema.Rule) []string {
	var out strings.Builder
	out.WriteString(heading)
	for _, rule := range rules {
		out.WriteString("\n" + rule.String())
	}
	switch {
	case len(rules) == 0:
		return nil
	case out.Len() > maxRules:
		return []string{heading + "\n" + text}
	}
	return []string{out.String()}
}

// ParametersOf returns the format of an action's arguments. A union of objects, which no provider
// accepts here, is stated by RulesOf.
func ParametersOf(a Action, reduce func(text string) schema.Reduced) string {
	if reduced := reduce(a.Parameters); reduced.Object {
		return reduced.Text
	}
	return `{"type":"object"}`
}

// WithRules returns a request's instructions with its rules.
func WithRules(r Request) string {
	if r.Rules == "" {
		return r.Instructions
	}
	return strings.TrimSpace(r.Instructions + "\n\n" + r.Rules)
}
