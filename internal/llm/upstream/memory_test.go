package upstream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/memory"
)

// TestRequestsTakeMemory shows that a request has a Content-Length and no HTML escapes, that it
// takes memory for each copy of its body, and that it is not sent without memory.
func TestRequestsTakeMemory(t *testing.T) {
	t.Parallel()
	texts := strings.Repeat("<&>\u2028é😀\"\\\n\t\x01", 2000)
	for _, a := range adapters {
		copies := map[string]int64{"openai": 1, "gemini": 3}[a.name]
		s := a.serve(t)
		m := a.model(t, s.URL, quick)
		req := llm.Request{
			Model:        "m",
			Instructions: texts,
			Message:      texts,
			History:      []llm.EarlierTurn{{User: texts, Assistant: texts}},
		}
		acting := req
		acting.Actions = []llm.Action{{Name: "a", Description: texts, Parameters: `{"type":"object"}`}}
		result, _ := json.Marshal(texts)
		acting.Steps = []llm.Step{{Text: texts, Calls: []llm.Call{{
			Name:      "a",
			Arguments: `{"a":` + string(result) + `}`,
		}, {Name: "a"}},
			Results: []llm.ActionResult{{Result: string(result)}, {Error: texts}}}}
		all := memory.Bytes(32 << 20)
		acting.Memory = all.Hold(uuid.New())
		if _, err := llmtest.Ask(t, m, acting); err != nil {
			t.Fatalf("%s: %v", a.name, err)
		}
		if size, want := int64(len(s.Last(t).Body)), map[string]int64{"openai": 1, "gemini": 6}[a.name]; all.Used() < want*size {
			t.Errorf("%s: a request with actions of %d bytes took %d bytes, want %d of each", a.name, size,
				all.Used(), want)
		}
		budget := memory.Bytes(16 << 20)
		req.Memory = budget.Hold(uuid.New())
		if _, err := llmtest.Ask(t, m, req); err != nil {
			t.Fatalf("%s: %v", a.name, err)
		}
		sent := s.Last(t)
		if sent.Header.Get("Content-Length") == "" || bytes.Contains(sent.Body, []byte(`\u003c`)) ||
			bytes.Contains(sent.Body, []byte(`\u2028`)) {
			t.Errorf("%s: %d bytes with the header %v: %.200s", a.name, len(sent.Body), sent.Header,
				sent.Body)
		}
		size := int64(len(sent.Body))
		if used := budget.Used(); used < copies*size || used > copies*size*11/10 {
			t.Errorf("%s: a request of %d bytes took %d bytes, want %d of each", a.name, size, used, copies)
		}
		requests := len(s.Requests())
		req.Memory = memory.Bytes(2*copies*size - 2).Hold(uuid.New())
		if _, err := m.Generate(t.Context(), req, nil); !fault.Is(err, fault.Unavailable) ||
			len(s.Requests()) != requests ||
			errors.Is(err, llm.ErrAnswered) {
			t.Errorf("%s: with too little memory: %v, %d requests more", a.name, err,
				len(s.Requests())-requests)
		}
	}
}

// TestAnswersTakeMemory shows that an answer takes memory for its longest part and for its calls,
// and ends if no memory is left. That is not an outage of the provider.
func TestAnswersTakeMemory(t *testing.T) {
	t.Parallel()
	const long = 100 << 10
	text := strings.Repeat("x", long)
	pieces := slices.Repeat([]string{text[:long/100]}, 100)
	call := llm.Call{Name: "wait", Arguments: `{"a":"` + text[:long/10] + `"}`}
	calls := llmtest.Calls("", slices.Repeat([]llm.Call{call}, 20)...)
	for _, a := range adapters {
		s := a.serve(t)
		m := a.model(t, s.URL, quick)
		for name, c := range map[string]struct {
			reply  llmtest.Reply
			budget int64
			fits   bool
		}{
			"a long text":                        {llmtest.Text(text), 32 * long, true},
			"a long text with too little memory": {llmtest.Text(text), 8 * long, false},
			"short pieces":                       {llmtest.Text(pieces...), 8 * long, true},
			"calls":                              {calls, 32 * long, true},
			"calls with too little memory":       {calls, 8 * long, false},
		} {
			s.Next(c.reply)
			ctx, attempts := llmtest.Attempts(t.Context())
			req := request()
			req.Actions = []llm.Action{{Name: "wait", Parameters: `{"type":"object"}`}}
			req.Memory = memory.Bytes(c.budget).Hold(uuid.New())
			reply, err := m.Generate(ctx, req, func(string) error { return nil })
			if (err == nil) != c.fits || c.fits && reply.Text != text && len(reply.Calls) != 20 ||
				err != nil && (!fault.Is(err, fault.Unavailable) || !errors.Is(err, llm.ErrAnswered)) {
				t.Errorf("%s, %s: %d bytes of text, %v", a.name, name, len(reply.Text), err)
			}
			if _, outages := attempts(); outages != 0 {
				t.Errorf("%s, %s: %d outages", a.name, name, outages)
			}
		}
	}
}
