package agent_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/agent"

	"github.com/google/uuid"
)

func TestExportChangesCheck(t *testing.T) {
	t.Parallel()
	null := cleared[string]()
	for name, c := range map[string]struct {
		in    agent.ExportChanges
		want  []string
		asNew []string
	}{
		"nothing": {},
		"name":    {in: agent.ExportChanges{Name: to(" Shop ")}},
		"name of 101": {
			in:    agent.ExportChanges{Name: to(strings.Repeat("x", 101))},
			want:  []string{"name too_long"},
			asNew: []string{"name too_long"},
		},
		"name blank":   {in: agent.ExportChanges{Name: to(" ")}, want: []string{"name blank"}, asNew: []string{"name blank"}},
		"name null":    {in: agent.ExportChanges{Name: null}, want: []string{"name missing"}},
		"rate 1":       {in: agent.ExportChanges{RatePerMinute: to(1)}},
		"rate highest": {in: agent.ExportChanges{RatePerMinute: to(1_000_000)}},
		"rate null":    {in: agent.ExportChanges{RatePerMinute: cleared[int]()}},
		"both": {
			in:    agent.ExportChanges{Name: to("a\x07b"), RatePerMinute: to(0)},
			want:  []string{"name invalid_character", "rateLimitPerMinute out_of_range"},
			asNew: []string{"name invalid_character", "rateLimitPerMinute out_of_range"},
		},
		"rate too high": {
			in:    agent.ExportChanges{RatePerMinute: to(1_000_001)},
			want:  []string{"rateLimitPerMinute out_of_range"},
			asNew: []string{"rateLimitPerMinute out_of_range"},
		},
		"rate below 0": {
			in:    agent.ExportChanges{RatePerMinute: to(-600)},
			want:  []string{"rateLimitPerMinute out_of_range"},
			asNew: []string{"rateLimitPerMinute out_of_range"},
		},
	} {
		if got := problemsOf(t, c.in.Check()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		_, err := agent.NewExport(uuid.Nil, c.in)
		if got := problemsOf(t, err); !slices.Equal(got, c.asNew) {
			t.Errorf("%s, as a new export: %q, want %q", name, got, c.asNew)
		}
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

func TestExportState(t *testing.T) {
	t.Parallel()
	if got := (agent.Export{}).State(); got != agent.ExportActive {
		t.Errorf("in use: %s", got)
	}
	if got := (agent.Export{RemovedAt: pointer(time.Unix(0, 0))}).State(); got != agent.ExportRemoved {
		t.Errorf("removed: %s", got)
	}
}
