package agent_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"

	"github.com/google/uuid"
)

func TestExportChangesCheck(t *testing.T) {
	t.Parallel()
	named := func(name string) agent.ExportChanges { return agent.ExportChanges{Name: to(name)} }
	rated := func(rate int) agent.ExportChanges { return agent.ExportChanges{RatePerMinute: to(rate)} }
	for name, c := range map[string]struct {
		in   agent.ExportChanges
		want []string
	}{
		"nothing":       {},
		"name":          {in: named(" Shop ")},
		"name of 101":   {in: named(strings.Repeat("x", 101)), want: []string{"name too_long"}},
		"name blank":    {in: named(" "), want: []string{"name blank"}},
		"rate 1":        {in: rated(1)},
		"rate highest":  {in: rated(1_000_000)},
		"rate null":     {in: agent.ExportChanges{RatePerMinute: cleared[int]()}},
		"rate too high": {in: rated(1_000_001), want: []string{"rateLimitPerMinute out_of_range"}},
		"rate below 0":  {in: rated(-600), want: []string{"rateLimitPerMinute out_of_range"}},
		"both": {
			in:   agent.ExportChanges{Name: to("a\x07b"), RatePerMinute: to(0)},
			want: []string{"name invalid_character", "rateLimitPerMinute out_of_range"},
		},
	} {
		if got := problemsOf(t, c.in.Check()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		_, err := agent.NewExport(uuid.Nil, c.in)
		if got := problemsOf(t, err); !slices.Equal(got, c.want) {
			t.Errorf("%s, as a new export: %q, want %q", name, got, c.want)
		}
	}
	null := agent.ExportChanges{Name: cleared[string]()}
	if got := problemsOf(t, null.Check()); !slices.Equal(got, []string{"name missing"}) {
		t.Errorf("name null: %q", got)
	}
	if _, err := agent.NewExport(uuid.Nil, null); err != nil {
		t.Errorf("name null, as a new export: %v", err)
	}
}

func TestApplyExport(t *testing.T) {
	t.Parallel()
	before := agent.Export{Name: "Old", RatePerMinute: 7}
	for name, c := range map[string]struct {
		in   agent.ExportChanges
		want agent.Export
		new  agent.Export
	}{
		"nothing": {agent.ExportChanges{}, before, agent.Export{Name: "API export", RatePerMinute: 600}},
		"name": {
			agent.ExportChanges{Name: to(" New ")},
			agent.Export{Name: "New", RatePerMinute: 7},
			agent.Export{Name: "New", RatePerMinute: 600},
		},
		"rate": {
			agent.ExportChanges{RatePerMinute: to(8)},
			agent.Export{Name: "Old", RatePerMinute: 8},
			agent.Export{Name: "API export", RatePerMinute: 8},
		},
		"rate null": {
			agent.ExportChanges{RatePerMinute: cleared[int]()},
			agent.Export{Name: "Old", RatePerMinute: 600},
			agent.Export{Name: "API export", RatePerMinute: 600},
		},
		"name null": {agent.ExportChanges{Name: cleared[string]()}, before, agent.Export{Name: "API export", RatePerMinute: 600}},
	} {
		if got := agent.ApplyExport(before, c.in); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if got, err := agent.NewExport(uuid.Nil, c.in); got != c.new || err != nil {
			t.Errorf("%s: a new one is %+v %v, want %+v", name, got, err, c.new)
		}
	}
}
