package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/knowledge"
)

func TestCitations(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]struct{ cited, without string }{
		"":                             {"[]", ""},
		"30 days [2]. Free [1], [2].":  {"[2 1]", "30 days. Free,."},
		"30 days[1][3]. Yes":           {"[1 3]", "30 days. Yes"},
		"30 days [1, 3; 2] and [4–6].": {"[1 3 2 4 5 6]", "30 days and."},
		"[1] says so.\n [2]  \nEnd":    {"[1 2]", "says so.\n\nEnd"},
		"三十天【1】。免费【2†source】[3]":             {"[1 2 3]", "三十天。免费"},
		"out of range [7] [0] [99] [1-999]":  {"[1 2 3 4 5 6]", "out of range [0]"},
		"[01] [1.5] [a] [] [1000] [-1] [x1]": {"[]", "[01] [1.5] [a] [] [1000] [-1] [x1]"},
		"[1-2-3] [1-] [3-2]":                 {"[]", " [1-]"},
		"a link [1](https://example.com)":    {"[]", "a link [1](https://example.com)"},
		"code `a[1]` and ``b[2] ` c`` [3]":   {"[3]", "code `a[1]` and ``b[2] ` c``"},
		"```go\na[1]\n```\nSee [2].\n":       {"[2]", "```go\na[1]\n```\nSee.\n"},
		"```\na[1] [2]":                      {"[]", "```\na[1] [2]"},
		"a ` alone [1]":                      {"[1]", "a ` alone"},
	} {
		if got := fmt.Sprint(knowledge.Cited(reply, 6)); got != want.cited {
			t.Errorf("%q cites %s, want %s", reply, got, want.cited)
		}
		if got := knowledge.WithoutCitations(reply); strings.TrimSpace(got) != strings.TrimSpace(want.without) {
			t.Errorf("%q without citations: %q, want %q", reply, got, want.without)
		}
	}
	if got := knowledge.Cited("[1]", 0); got == nil || len(got) != 0 {
		t.Errorf("without passages: %v", got)
	}
}

func TestHostileReplies(t *testing.T) {
	t.Parallel()
	var runs strings.Builder
	for i := range 1_000 {
		runs.WriteString(strings.Repeat("`", i+1) + " [1] ")
	}
	for what, reply := range map[string]string{
		"citations": strings.Repeat("[1]", plenty/3), "open": strings.Repeat("[", plenty), "spaces": strings.Repeat(" ", plenty) + "[1]",
		"ticks": strings.Repeat("`[1]", plenty/4), "runs of ticks": runs.String(), "numbers": "[" + strings.Repeat("1,", plenty/2) + "1]",
		"sources": strings.Repeat("[1†", plenty/5), "spaces and citations": strings.Repeat("  [1]", plenty/5),
	} {
		within(t, what, func() {
			knowledge.Cited(reply, 400)
			if got := knowledge.WithoutCitations(reply); len(got) > len(reply) {
				t.Errorf("%s became longer", what)
			}
		})
	}
}
