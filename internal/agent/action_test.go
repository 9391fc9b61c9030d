package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"
)

const anyObject = `{"type":"object"}`

// schemaOf returns a schema with the given size in bytes.
func schemaOf(bytes int) string {
	return `{"type":"object"` + strings.Repeat(" ", bytes-len(anyObject)) + `}`
}

// actionsOf returns n actions with a schema.
func actionsOf(n int, schema string) (out []agent.Action) {
	for i := range n {
		out = append(out, agent.Action{Name: fmt.Sprintf("a%d", i), Description: "d", Parameters: schema})
	}
	return out
}

func TestActionsCheck(t *testing.T) {
	t.Parallel()
	named := func(names ...string) (out []agent.Action) {
		for _, name := range names {
			out = append(out, agent.Action{
				Name:        name,
				Description: "Looks up an order",
				Parameters:  anyObject,
			})
		}
		return out
	}
	described := func(text string) []agent.Action {
		return []agent.Action{{Name: "a", Description: text, Parameters: anyObject}}
	}
	taking := func(schema string) []agent.Action {
		return []agent.Action{{Name: "a", Description: "d", Parameters: schema}}
	}
	for name, c := range map[string]struct {
		in   []agent.Action
		want []string
	}{
		"none":                      {in: []agent.Action{}},
		"one":                       {in: named("order_status")},
		"names at their limits":     {in: named("a", "z9_", strings.Repeat("x", 48))},
		"16":                        {in: actionsOf(16, anyObject)},
		"17":                        {in: actionsOf(17, anyObject), want: []string{"actions too_long"}},
		"a name of 49":              {in: named(strings.Repeat("x", 49)), want: []string{"actions.0.name invalid_value"}},
		"no name":                   {in: named("a", ""), want: []string{"actions.1.name invalid_value"}},
		"other names":               {in: named("A", "1a", "_a", "a-b", "a b", "a\n", "é"), want: pathsOf("actions.%d.name invalid_value", 7)},
		"a name twice":              {in: named("a", "b", "a"), want: []string{"actions.2.name invalid_value"}},
		"a description of 1,000":    {in: described(strings.Repeat("\U0001f600", 1000))},
		"a description of 1,001":    {in: described(strings.Repeat("x", 1001)), want: []string{"actions.0.description too_long"}},
		"a blank description":       {in: described(" \n"), want: []string{"actions.0.description blank"}},
		"a description with lines":  {in: described("a\nb")},
		"a description with U+0000": {in: described("a\x00"), want: []string{"actions.0.description invalid_character"}},
		"a schema of 16 KiB":        {in: taking(schemaOf(16 << 10))},
		"a schema over 16 KiB":      {in: taking(schemaOf(16<<10 + 1)), want: []string{"actions.0.parameters too_long"}},
		"a schema with U+0000":      {in: taking(anyObject + "\x00"), want: []string{"actions.0.parameters invalid_character"}},
		"an empty schema":           {in: taking(""), want: []string{"actions.0.parameters invalid_value"}},
		"a schema of a list":        {in: taking(`{"type":"array"}`), want: []string{"actions.0.parameters invalid_value"}},
		"a remote reference":        {in: taking(`{"type":"object","$ref":"http://a"}`), want: []string{"actions.0.parameters invalid_value"}},
		"all at once": {in: []agent.Action{{}, {Name: "A", Description: "\x00", Parameters: "[]"}},
			want: []string{"actions.0.name invalid_value", "actions.0.description blank", "actions.0.parameters invalid_value",
				"actions.1.name invalid_value", "actions.1.description invalid_character", "actions.1.parameters invalid_value"}},
	} {
		if got := problemsOf(t, agent.Changes{Actions: to(c.in)}.Check(known)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func pathsOf(format string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

// TestSchemasTogether shows that all schemas of an agent together have at most 64 KiB.
func TestSchemasTogether(t *testing.T) {
	t.Parallel()
	most := actionsOf(4, schemaOf(16<<10))
	less := append(actionsOf(3, schemaOf(16<<10)),
		agent.Action{Name: "less", Description: "d", Parameters: schemaOf(16<<10 - 17)})
	for name, c := range map[string]struct {
		before agent.Settings
		in     agent.Changes
		want   []string
	}{
		"all of it":              {in: agent.Changes{Actions: to(most)}},
		"two at once":            {in: agent.Changes{Actions: to(most), ReplySchema: to(anyObject)}, want: []string{"actions too_long"}},
		"two that fit":           {in: agent.Changes{Actions: to(less), ReplySchema: to(anyObject)}},
		"actions to a reply":     {before: agent.Settings{ReplySchema: new(anyObject)}, in: agent.Changes{Actions: to(most)}, want: []string{"actions too_long"}},
		"a reply to actions":     {before: agent.Settings{Actions: most}, in: agent.Changes{ReplySchema: to(anyObject)}, want: []string{"replySchema too_long"}},
		"a reply in their place": {before: agent.Settings{Actions: most}, in: agent.Changes{Actions: cleared[[]agent.Action](), ReplySchema: to(anyObject)}},
		"something else":         {before: agent.Settings{Actions: most, ReplySchema: new(anyObject)}, in: agent.Changes{Name: to("x")}},
	} {
		if err := c.in.Check(known); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after := agent.Apply(agent.Agent{Settings: c.before}, c.in)
		if got := problemsOf(t, c.in.CheckTogether(after.Settings)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	created := agent.Changes{Name: to("x"), Actions: to(most), ReplySchema: to(anyObject)}
	if got := problemsOf(t, created.CheckNew(known)); !slices.Equal(got, []string{"actions too_long"}) {
		t.Errorf("a new agent: %q", got)
	}
}
