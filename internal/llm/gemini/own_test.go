package gemini_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// TestTools shows that actions are sent as functions, without undocumented keywords, and a schema
// along with them as text, never as a format.
func TestTools(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	s.Next(llmtest.Status(503)) // the retry sends it again
	m, req := newModel(t, s.URL), actionsRequest()
	warm := 0.5
	req.History, req.Temperature = []llm.EarlierTurn{{User: "Hi <é>", Assistant: "Ho"}}, &warm
	const shape = `{"type":"object","required":["a"]}`
	for _, mode := range []string{"", "NONE"} {
		req.Answered, req.Schema = mode != "", shape
		if _, err := ask(t, m, req); err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Requests() {
			sent := r.Gemini(t)
			if len(sent.Tools) != 1 || len(sent.Tools[0].FunctionDeclarations) != 2 {
				t.Fatalf("sent %s", r.Body)
			}
			first, second := sent.Tools[0].FunctionDeclarations[0], sent.Tools[0].FunctionDeclarations[1]
			if first.Name != "order_status" || first.Description != "Where an order is." ||
				string(first.Parameters) != `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}` ||
				second.Name != "wait" || string(second.Parameters) != `{"type":"object"}` {
				t.Errorf("tools %s", r.Body)
			}
			if sent.GenerationConfig.ResponseJSONSchema != nil ||
				sent.GenerationConfig.ResponseMIMEType != "" || *sent.GenerationConfig.Temperature != 0.5 ||
				!strings.HasPrefix(sent.SystemInstruction.Text(), req.Instructions) ||
				!strings.Contains(sent.SystemInstruction.Text(), shape) {
				t.Errorf("the schema of a request with tools: %s", r.Body)
			}
			if len(sent.Contents) != 3 || sent.Contents[0].Text() != "Hi <é>" ||
				sent.Contents[1].Role != "model" || sent.Contents[2].Text() != prompt ||
				sent.Contents[2].Role != "user" {
				t.Errorf("contents %s", r.Body)
			}
		}
		if got := s.Last(t).Gemini(t).ToolConfig.FunctionCallingConfig.Mode; got != mode {
			t.Errorf("mode %q, want %q", got, mode)
		}
	}
}

// TestSteps shows that a reply is sent back verbatim, with one result per call. Only Gemini 3 gets
// a signature if one is missing.
func TestSteps(t *testing.T) {
	t.Parallel()
	const signed, unsigned = `{"functionCall":{"args":{"n":12345678901234567890},"id":"7","name":"order_status"},"thoughtSignature":"c2ln"}`, `{"functionCall":{"name":"wait"}}`
	const none = `"thoughtSignature":"skip_thought_signature_validator"`
	results := []llm.ActionResult{{Result: `{"n": 12345678901234567890}`}, {Error: "It is \"gone\"."}}
	for name, tc := range map[string]struct {
		step          llm.Step
		model, answer string
		before3       string // for Gemini 2.5, if it differs
	}{
		"own": {llm.Step{ProviderState: `[{"text":"Let "},{"text":"me look."},` + signed + "," + unsigned + "]", Calls: []llm.Call{{Name: "order_status", ProviderState: "7"}, {Name: "wait"}}, Results: results},
			`{"role":"model","parts":[{"text":"Let "},{"text":"me look."},` + signed + `,` + unsigned + `]}`,
			`{"role":"user","parts":[{"functionResponse":{"id":"7","name":"order_status","response":{"result":{"n":12345678901234567890}}}},{"functionResponse":{"name":"wait","response":{"error":"It is \"gone\"."}}}]}`, ""},
		"own without a signature": {llm.Step{ProviderState: "[" + unsigned + "," + unsigned + "]", Calls: []llm.Call{{Name: "wait"}, {Name: "wait"}}, Results: []llm.ActionResult{{Result: "null"}}},
			`{"role":"model","parts":[{"functionCall":{"name":"wait"},` + none + `},` + unsigned + `]}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"wait","response":{"result":null}}},{"functionResponse":{"name":"wait","response":{"error":"It was not run."}}}]}`,
			`{"role":"model","parts":[` + unsigned + `,` + unsigned + `]}`},
		"another model's": {llm.Step{Text: "Let me <look>.", Calls: []llm.Call{{ID: "act_1", Name: "order_status", Arguments: `{"n":12345678901234567890,"n":1}`}, {ID: "act_2", Name: "wait", Arguments: `{"a":`}}, Results: results},
			`{"role":"model","parts":[{"text":"Let me <look>."},{"functionCall":{"name":"order_status","args":{"n":12345678901234567890,"n":1}},` + none + `},{"functionCall":{"name":"wait","args":{}}}]}`,
			`{"role":"user","parts":[{"functionResponse":{"name":"order_status","response":{"result":{"n":12345678901234567890}}}},{"functionResponse":{"name":"wait","response":{"error":"It is \"gone\"."}}}]}`,
			`{"role":"model","parts":[{"text":"Let me <look>."},{"functionCall":{"name":"order_status","args":{"n":12345678901234567890,"n":1}}},{"functionCall":{"name":"wait","args":{}}}]}`},
	} {
		for model, newer := range map[string]bool{"gemini-3.8-flash": true, "gemini-flash-latest": true, "gemini-2.5-pro": false} {
			s := llmtest.NewGemini(t)
			req := actionsRequest()
			req.Model, req.Steps = model, []llm.Step{tc.step, tc.step}
			if _, err := ask(t, newModel(t, s.URL), req); err != nil {
				t.Fatal(err)
			}
			want := tc.model
			if !newer && tc.before3 != "" {
				want = tc.before3
			}
			if body := string(s.Last(t).Body); !strings.Contains(body, `]},`+want+","+tc.answer+","+want+","+tc.answer+"]") || !newer && strings.Contains(body, none) {
				t.Errorf("%s, %s: sent %s", name, model, body)
			}
		}
	}
}

// TestRoundTrip shows a chain in Gemini's own form, and one that continues after the agent has lost
// its actions.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	s.Next(llmtest.Calls("Let me look.", llm.Call{Name: "order_status", Arguments: `{"order":"A-1"}`},
		llm.Call{Name: "wait", Arguments: "{}"}))
	m, req := newModel(t, s.URL), actionsRequest()
	reply, err := ask(t, m, req)
	if err != nil || reply.Text != "Let me look." || len(reply.Calls) != 2 || usage(reply) != "11 3" ||
		reply.Calls[0].ID != "" {
		t.Fatalf("%+v, %v", reply, err)
	}
	req.Steps = []llm.Step{{
		Text:          reply.Text,
		Calls:         reply.Calls,
		ProviderState: reply.ProviderState,
		Results:       []llm.ActionResult{{Result: "1"}, {Error: "no"}},
	}}
	for range 2 {
		if _, err := ask(t, m, req); err != nil {
			t.Fatal(err)
		}
		contents := s.Last(t).Gemini(t).Contents
		if len(contents) != 3 || contents[1].Parts[1].ThoughtSignature == "" ||
			contents[1].Parts[2].FunctionCall.Name != "wait" {
			t.Fatalf("sent %s", s.Last(t).Body)
		}
		var ids []string
		for _, p := range contents[2].Parts {
			ids = append(ids, p.FunctionResponse.ID)
		}
		if !slices.Equal(ids, []string{"call-1", "call-2"}) {
			t.Errorf("results under %q", ids)
		}
		req.Actions = nil
	}
	req.Schema = `{"type":"object"}`
	if _, err := ask(t, m, req); err != nil {
		t.Fatal(err)
	}
	if sent := s.Last(t).Gemini(t); sent.Tools != nil || len(sent.Contents) != 3 ||
		string(sent.GenerationConfig.ResponseJSONSchema) != `{"type":"object"}` {
		t.Errorf("without actions: %s", s.Last(t).Body)
	}
}
