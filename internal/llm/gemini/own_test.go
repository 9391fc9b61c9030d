package gemini_test

import (
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// TestSchemaWithActions shows that the schema of a request with actions is sent as text, never as a
// format.
func TestSchemaWithActions(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	s.Next(llmtest.Status(503)) // the retry sends it again
	req := actionsRequest()
	req.Schema = `{"type":"object","required":["a"]}`
	if _, err := ask(t, newModel(t, s.URL), req); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		sent := r.Gemini(t)
		if config, text := sent.GenerationConfig, sent.SystemInstruction.Text(); len(sent.Tools) != 1 ||
			config.ResponseJSONSchema != nil || config.ResponseMIMEType != "" ||
			!strings.HasPrefix(text, req.Instructions) || !strings.Contains(text, req.Schema) {
			t.Errorf("sent %s", r.Body)
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

// TestStepsWithoutActions shows that a chain continues after the agent has lost its actions, also
// under a schema.
func TestStepsWithoutActions(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	call := llm.Call{Name: "wait", Arguments: "{}"}
	s.Next(llmtest.Calls("Let me look.", call, call))
	m, req := newModel(t, s.URL), actionsRequest()
	reply, err := ask(t, m, req)
	if err != nil || reply.Text != "Let me look." || len(reply.Calls) != 2 {
		t.Fatalf("%+v, %v", reply, err)
	}
	req.Steps = []llm.Step{{
		Text:          reply.Text,
		Calls:         reply.Calls,
		ProviderState: reply.ProviderState,
		Results:       []llm.ActionResult{{Result: "1"}, {Error: "no"}},
	}}
	for _, req.Schema = range []string{"", `{"type":"object"}`} {
		req.Actions = nil
		if _, err := ask(t, m, req); err != nil {
			t.Fatal(err)
		}
		sent := s.Last(t).Gemini(t)
		if sent.Tools != nil || len(sent.Contents) != 3 ||
			sent.Contents[1].Parts[1].ThoughtSignature == "" ||
			sent.Contents[2].Parts[1].FunctionResponse.ID != "call-2" ||
			string(sent.GenerationConfig.ResponseJSONSchema) != req.Schema {
			t.Errorf("sent %s", s.Last(t).Body)
		}
	}
}

// TestSchema shows that the schema is sent in Gemini's own form, without undocumented keywords,
// along with the fields that the library writes. A retry sends it again.
func TestSchema(t *testing.T) {
	t.Parallel()
	const keywords = `{"type":"object","properties":{"b":{"type":"string","pattern":"^x",` +
		`"enum":["x"]},"a":{"const":12345678901234567890},"n":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":9,"maximum":8},` +
		`"x":{"exclusiveMinimum":0}},"required":["b"],"$id":"https://example.com","not":{}}`
	const notes = `{"type":"object","title":"t","description":"d","default":{},"examples":[{}]}`
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/x","title":"t"}],"title":"u"}},` +
			`"$defs":{"x":{"allOf":[{"minimum":1}],"type":"integer"},"y":{}}}`: `{"type":"object","properties":{` +
			`"a":{"title":"u","$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}}}`,
		notes: `{"type":"object","title":"t","description":"d"}`,
		keywords: `{"type":"object","properties":{"b":{"type":"string","enum":["x"]},"a":{"enum":[12345678901234567890]},` +
			`"n":{"type":"integer","minimum":1,"maximum":8},"x":{}},` +
			`"required":["b"]}`,
		"": "",
	} {
		s := llmtest.NewGemini(t)
		s.Next(llmtest.Status(503))
		req := request()
		warm, most := 0.5, 100
		req.Temperature, req.MaxOutputTokens, req.Schema = &warm, &most, schema
		if _, err := ask(t, newModel(t, s.URL), req); err != nil || len(s.Requests()) != 2 {
			t.Fatalf("%d requests, %v", len(s.Requests()), err)
		}
		for _, r := range s.Requests() {
			sent := r.Gemini(t)
			config := sent.GenerationConfig
			if string(config.ResponseJSONSchema) != want || config.Temperature == nil ||
				(config.ResponseMIMEType == "application/json") != (want != "") ||
				*config.MaxOutputTokens != 100 || sent.SystemInstruction.Text() != req.Instructions ||
				len(sent.Contents) != 1 || sent.Contents[0].Text() != prompt {
				t.Errorf("sent %s", r.Body)
			}
		}
	}
}
