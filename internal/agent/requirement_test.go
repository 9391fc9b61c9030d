package agent_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"
)

func pointer[T any](v T) *T { return &v }

func TestMissing(t *testing.T) {
	t.Parallel()
	whole := agent.Agent{
		Name:     "n",
		Settings: agent.Settings{Instructions: "i", Model: pointer("sandbox/assistant")},
	}
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
		"long default values": {
			change: func(a *agent.Agent) {
				a.Instructions = strings.Repeat("{{v}}", 33)
				a.Variables = []agent.Variable{{Name: "v", Default: pointer(strings.Repeat("ü", 4_000))}}
			},
			want: []agent.Requirement{}, fields: []string{"variables too_long"},
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
