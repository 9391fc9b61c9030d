package llm_test

import (
	"slices"
	"testing"

	"agentchat/internal/llm"
)

// TestWithKnowledge shows that the block precedes one text, that citations of earlier replies are
// removed, and that the request itself is unchanged.
func TestWithKnowledge(t *testing.T) {
	t.Parallel()
	history := []llm.EarlierTurn{{User: "one", Assistant: "1 [1]."},
		{User: "two", Assistant: "2 [2] `a[1]`"}}
	step := []llm.Step{{Text: "Look [1]."}}
	for name, tc := range map[string]struct {
		req  llm.Request
		want []string // the user's texts and the replies between them
	}{
		"none":           {llm.Request{History: history, Message: "m"}, []string{"one", "1 [1].", "two", "2 [2] `a[1]`", "m"}},
		"nothing found":  {llm.Request{History: history, Message: "m", Knowledge: &llm.Knowledge{}}, []string{"one", "1.", "two", "2 `a[1]`", "m"}},
		"first":          {llm.Request{History: history, Message: "m", Knowledge: &llm.Knowledge{Block: "B ", First: true}}, []string{"B one", "1.", "two", "2 `a[1]`", "m"}},
		"first of one":   {llm.Request{Message: "m", Knowledge: &llm.Knowledge{Block: "B ", First: true}}, []string{"B m"}},
		"found":          {llm.Request{History: history, Message: "m", Knowledge: &llm.Knowledge{Block: "B "}}, []string{"one", "1.", "two", "2 `a[1]`", "B m"}},
		"under a schema": {llm.Request{History: history[:1], Message: "m", Schema: "{}", Knowledge: &llm.Knowledge{Block: "B "}}, []string{"one", "1 [1].", "B m"}},
		"a second attempt": {llm.Request{History: history, Message: "m", Schema: "{}", Attempt: 2, Knowledge: &llm.Knowledge{Block: "B "}},
			[]string{"one", "1 [1].", "B two", "2 [2] `a[1]`", "m"}},
		"a second attempt at calls": {llm.Request{History: history[:1], Message: "m", Attempt: 2, Steps: step, Knowledge: &llm.Knowledge{Block: "B "}},
			[]string{"one", "1.", "B m"}},
	} {
		before := slices.Clone(tc.req.History)
		got := tc.req.WithKnowledge()
		var texts []string
		for _, e := range got.History {
			texts = append(texts, e.User, e.Assistant)
		}
		if texts = append(texts, got.Message); !slices.Equal(texts, tc.want) || got.Knowledge != nil {
			t.Errorf("%s: %q", name, texts)
		}
		if len(got.Steps) > 0 && got.Steps[0].Text != "Look [1]." {
			t.Errorf("%s: a step of the chain has lost its citation", name)
		}
		if !slices.Equal(tc.req.History, before) {
			t.Errorf("%s: the request has changed", name)
		}
	}
}
