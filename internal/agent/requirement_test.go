package agent_test

import (
	"slices"
	"testing"

	"agentchat/internal/agent"
)

func pointer[T any](v T) *T { return &v }

func TestMissing(t *testing.T) {
	t.Parallel()
	whole := agent.Agent{Name: "n", Instructions: "i", Model: pointer("sandbox/assistant")}
	for name, c := range map[string]struct {
		change func(a *agent.Agent)
		want   []agent.Requirement
		fields []string
	}{
		"nothing": {change: func(*agent.Agent) {}, want: []agent.Requirement{}},
		"everything": {
			change: func(a *agent.Agent) { *a = agent.Agent{} },
			want:   []agent.Requirement{agent.NeedsName, agent.NeedsInstructions, agent.NeedsModel},
			fields: []string{"name missing", "instructions missing", "model missing"},
		},
		"blank texts": {
			change: func(a *agent.Agent) { a.Name, a.Instructions = " ", "\n\t\u00a0" },
			want:   []agent.Requirement{agent.NeedsName, agent.NeedsInstructions},
			fields: []string{"name missing", "instructions missing"},
		},
		"a model that is away": {
			change: func(a *agent.Agent) { a.Model = pointer("gemini/away") },
			want:   []agent.Requirement{agent.NeedsModel}, fields: []string{"model invalid_value"},
		},
	} {
		a := whole
		c.change(&a)
		if got := agent.Missing(a, available); got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: missing %v, want %v", name, got, c.want)
		}
		if got := problemsOf(t, agent.CheckComplete(a, available)); !slices.Equal(got, c.fields) {
			t.Errorf("%s: refused for %q, want %q", name, got, c.fields)
		}
	}
}

func TestCompletedAgentStaysComplete(t *testing.T) {
	t.Parallel()
	whole := agent.Agent{Name: "n", Instructions: "i", Model: pointer("sandbox/assistant"), State: agent.Completed}
	away := whole
	away.Model = pointer("gemini/away")
	draft := whole
	draft.State = agent.Draft
	for name, c := range map[string]struct {
		before agent.Agent
		in     agent.Changes
		want   []string
	}{
		"another name":   {before: whole, in: agent.Changes{Name: to("m")}},
		"no description": {before: whole, in: agent.Changes{Description: cleared[string]()}},
		"no instructions": {
			before: whole,
			in:     agent.Changes{Instructions: cleared[string]()},
			want:   []string{"instructions missing"},
		},
		"blank instructions":   {before: whole, in: agent.Changes{Instructions: to(" \n")}, want: []string{"instructions missing"}},
		"no model":             {before: whole, in: agent.Changes{Model: cleared[string]()}, want: []string{"model missing"}},
		"a model that is away": {before: whole, in: agent.Changes{Model: to("gemini/away")}, want: []string{"model invalid_value"}},
		"all of it": {
			before: whole,
			in:     agent.Changes{Instructions: to(""), Model: cleared[string]()},
			want:   []string{"instructions missing", "model missing"},
		},
		"a draft may lack all":   {before: draft, in: agent.Changes{Instructions: to(""), Model: cleared[string]()}},
		"its model went away":    {before: away, in: agent.Changes{Name: to("m")}},
		"the model as it is":     {before: away, in: agent.Changes{Model: to("gemini/away")}},
		"another model, away":    {before: away, in: agent.Changes{Model: to("gemini/other")}, want: []string{"model invalid_value"}},
		"a model that can be":    {before: away, in: agent.Changes{Model: to("sandbox/assistant")}},
		"away, no instructions":  {before: away, in: agent.Changes{Instructions: to("")}, want: []string{"instructions missing"}},
		"the model away cleared": {before: away, in: agent.Changes{Model: cleared[string]()}, want: []string{"model missing"}},
	} {
		err := agent.CheckChange(c.before, agent.Apply(c.before, c.in), available)
		if got := problemsOf(t, err); !slices.Equal(got, c.want) {
			t.Errorf("%s: refused for %q, want %q", name, got, c.want)
		}
	}
}
