package llm

import (
	"strings"

	"agentchat/internal/schema"
)

// maxRules bounds the rules of one schema, in bytes. Above it, the schema itself is shorter to read.
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

// RulesOf returns the Rules of a request whose formats have the schemas that reduce returns. A reply
// schema that is sent as text has none.
func RulesOf(r Request, reduce func(text string) schema.Reduced) string {
	var all []string
	add := func(heading, text string) {
		rules := reduce(text).Rules
		if len(rules) == 0 {
			return
		}
		var out strings.Builder
		out.WriteString(heading)
		for _, rule := range rules {
			out.WriteString("\n" + rule.String())
		}
		if out.Len() > maxRules {
			all = append(all, heading+"\n"+text)
			return
		}
		all = append(all, out.String())
	}
	if r.Schema != "" && len(r.Actions) == 0 {
		add("Rules for the reply that its format does not state:", r.Schema)
	}
	for _, a := range r.Actions {
		add("Rules for the arguments of "+a.Name+":", a.Parameters)
	}
	return strings.Join(all, "\n\n")
}

// WithRules returns a request's instructions with its rules.
func WithRules(r Request) string {
	if r.Rules == "" {
		return r.Instructions
	}
	return strings.TrimSpace(r.Instructions + "\n\n" + r.Rules)
}
