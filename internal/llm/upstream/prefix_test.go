package upstream_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// wide is a schema with many members, in an unsorted order, and with rules that no format
// states.
const wide = `{"type":"object","required":["z","b"],"additionalProperties":false,"properties":{` +
	`"z":{"type":"string","pattern":"^a","format":"date"},"b":{"type":"integer","multipleOf":7},` +
	`"m":{"anyOf":[{"type":"string","minLength":2},{"$ref":"#/$defs/y"}]},"a":{"enum":["x","c",1]}},` +
	`"$defs":{"y":{"type":"array","uniqueItems":true,"items":{"type":"number"}},"d":{"type":"null"}}}`

// bodyOf returns the body with which a new adapter sends a request.
func (a adapter) bodyOf(t *testing.T, req llm.Request) string {
	t.Helper()
	s := a.serve(t)
	m := a.model(t, s.URL, quick)
	req.Rules = llm.Rules(m, req)
	if _, err := llmtest.Ask(t, m, req); err != nil {
		t.Fatal(err)
	}
	return string(s.Last(t).Body)
}

// TestSharedPrefix tests that providers can reuse the beginning of a conversation: equal requests
// are sent as equal bytes, with the same tools and formats, and the second message only inserts
// bytes after the first one. Whole knowledge follows the instructions, and found passages the
// earlier turns.
func TestSharedPrefix(t *testing.T) {
	t.Parallel()
	actions := []llm.Action{
		{Name: "the-tool", Description: "A tool.", Parameters: wide}, {Name: "other", Parameters: `{"type":"object"}`},
	}
	for name, first := range map[string]llm.Request{
		"text":    {},
		"schema":  {Schema: wide},
		"actions": {Actions: actions},
		"both":    {Actions: actions, Schema: wide},
		"whole":   {Knowledge: &llm.Knowledge{Block: "the-whole\n", First: true}},
	} {
		for _, a := range adapters {
			first.Model, first.Instructions, first.Message = "a-model", "the-instructions", "message-one"
			second := first
			second.History = []llm.EarlierTurn{{User: first.Message, Assistant: "reply-one"}}
			second.Message = "message-two"
			one, two := a.bodyOf(t, first), a.bodyOf(t, second)
			for range 3 {
				if again := a.bodyOf(t, first); again != one {
					t.Fatalf("%s, %s: sent %s, then %s", a.name, name, one, again)
				}
			}
			before, after := sharedPrefix(one, two), sharedPrefix(reversed(one), reversed(two))
			if len(before)+len(after) < len(one) || !strings.Contains(before, first.Message) {
				t.Errorf("%s, %s: sent %s, then %s", a.name, name, one, two)
			}
			second.Knowledge = &llm.Knowledge{Block: "the-passages\n", First: name == "whole"}
			order := []string{"message-one", "reply-one", "the-passages", "message-two"}
			if name == "whole" {
				order = []string{"the-passages", "message-one", "reply-one", "message-two"}
			}
			if a.name == "openai" { // the other one has fields for tools and instructions
				order = append([]string{"the-instructions"}, order...)
				if first.Actions != nil {
					order = append([]string{"the-tool"}, order...)
				}
			}
			wantOrder(t, a.bodyOf(t, second), order)
		}
	}
}

// wantOrder checks that a body contains texts in an order.
func wantOrder(t *testing.T, body string, texts []string) {
	t.Helper()
	at := make([]int, len(texts))
	for i, text := range texts {
		at[i] = strings.Index(body, text)
	}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("%q are at %v of %s", texts, at, body)
	}
}

func sharedPrefix(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func reversed(text string) string {
	out := []byte(text)
	slices.Reverse(out)
	return string(out)
}
