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
	called := func(name string) agent.ExportChanges { return agent.ExportChanges{Name: to(name)} }
	rated := func(rate int) agent.ExportChanges { return agent.ExportChanges{RatePerMinute: to(rate)} }
	for name, c := range map[string]struct {
		in   agent.ExportChanges
		want []string
	}{
		"nothing":       {},
		"name":          {in: called(" Shop ")},
		"name of 101":   {in: called(strings.Repeat("x", 101)), want: []string{"name too_long"}},
		"name blank":    {in: called(" "), want: []string{"name blank"}},
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
	for name, c := range map[string]struct {
		in            agent.ExportChanges
		changed, made agent.Export
	}{
		"nothing":   {agent.ExportChanges{}, named("Old", 7), named("API export", 600)},
		"name":      {agent.ExportChanges{Name: to(" New ")}, named("New", 7), named("New", 600)},
		"rate":      {agent.ExportChanges{RatePerMinute: to(8)}, named("Old", 8), named("API export", 8)},
		"rate null": {agent.ExportChanges{RatePerMinute: cleared[int]()}, named("Old", 600), named("API export", 600)},
		"name null": {agent.ExportChanges{Name: cleared[string]()}, named("Old", 7), named("API export", 600)},
	} {
		if got := agent.ApplyExport(named("Old", 7), c.in); got != c.changed {
			t.Errorf("%s: %+v, want %+v", name, got, c.changed)
		}
		if got, err := agent.NewExport(uuid.Nil, c.in); got != c.made || err != nil {
			t.Errorf("%s: a new one is %+v %v, want %+v", name, got, err, c.made)
		}
	}
}

func named(name string, rate int) agent.Export {
	return agent.Export{Name: name, RatePerMinute: rate}
}
