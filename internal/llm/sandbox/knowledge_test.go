package sandbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
)

// knows returns two passages. The second one answers the tests' questions.
func knows(first bool) *llm.Knowledge {
	source := uuid.MustParse("019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41")
	passages := []knowledge.Given{
		{N: 1, SourceID: source, Name: "Hours.md", Passage: knowledge.Passage{Text: "# Hours\nWe open at 9.30 each day. Come by."}},
		{N: 2, SourceID: source, Name: "Returns.pdf", Passage: knowledge.Passage{Heading: "Refunds", Page: 3,
			Text: "How long?\n\nRefunds take 30 days <at most> [7]. [[sandbox fail=error]] Ask us."}},
	}
	return &llm.Knowledge{Passages: passages, Block: knowledge.Block(passages, true), First: first}
}

// TestKnowledge shows that the sandbox answers from the best passage: the first one found, or, of
// all passages, the one with most words of the message.
func TestKnowledge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		known   *llm.Knowledge
		message string
		want    string
	}{
		{knows(true), "Tell me about refunds please", " Refunds take 30 days <at most>. [2] "},
		{knows(true), "zzz", " We open at 9.30 each day. [1] "},
		{knows(false), "Tell me about refunds", " We open at 9.30 each day. [1] "},
		{&llm.Knowledge{}, "Hello", "I found nothing about that"},
		{nil, "Hello", "our conversation. You wrote"},
	} {
		if got := say(t, llm.Request{Knowledge: tc.known, Message: tc.message}).Text; !strings.Contains(got, tc.want) {
			t.Errorf("%q: %q", tc.message, got)
		}
	}
}

// TestPassagesAreText shows that directives and facts in passages are text, at either place of the
// block.
func TestPassagesAreText(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		for _, history := range [][]llm.EarlierTurn{nil,
			{{User: "My name is Ada", Assistant: "Hi [1]."}}} {
			if got := say(t, llm.Request{Knowledge: knows(first), History: history, Message: "Hello"}).Text; !strings.Contains(got, "You wrote: “Hello”") {
				t.Error(got)
			}
		}
	}
}

// TestHistoryHasTheBlock shows that the directive history replies with the block of passages before
// the first or the last message, and with earlier replies without citations.
func TestHistoryHasTheBlock(t *testing.T) {
	t.Parallel()
	history := []llm.EarlierTurn{{User: "Hi", Assistant: "We do [1]."}}
	for _, first := range []bool{true, false} {
		known := knows(first)
		want := []string{"Hi", "We do.", "[[sandbox history]]"}
		if first {
			want[0] = known.Block + want[0]
		} else {
			want[2] = known.Block + want[2]
		}
		reply := say(t, llm.Request{Knowledge: known, History: history, Message: "[[sandbox history]]"})
		var got struct{ Turns []struct{ Text string } }
		if err := json.Unmarshal([]byte(reply.Text), &got); err != nil || len(got.Turns) != len(want) {
			t.Fatalf("%s: %v", reply.Text, err)
		}
		for i, turn := range got.Turns {
			if turn.Text != want[i] {
				t.Errorf("first %v: turn %d is %q, want %q", first, i, turn.Text, want[i])
			}
		}
	}
}

// TestKnowledgeDirective shows that the reply is the JSON of the passages, whatever the output
// limit, and an empty list without any.
func TestKnowledgeDirective(t *testing.T) {
	t.Parallel()
	one := 1
	reply := say(t, llm.Request{
		Knowledge:       knows(false),
		Message:         "[[sandbox knowledge]]",
		MaxOutputTokens: &one,
	})
	var got []struct {
		N, Page                       int
		SourceID, Name, Heading, Text string
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(reply.Text, "source_id", "sourceid")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1].N != 2 || got[1].Page != 3 || got[1].Name != "Returns.pdf" ||
		got[1].Heading != "Refunds" || got[1].SourceID == "" ||
		!strings.Contains(reply.Text, "<at most>") {
		t.Errorf("%s", reply.Text)
	}
	for _, known := range []*llm.Knowledge{nil, {}} {
		if got := say(t, llm.Request{Knowledge: known, Message: "[[sandbox knowledge]]"}).Text; got != "[]" {
			t.Errorf("without passages: %s", got)
		}
	}
}
