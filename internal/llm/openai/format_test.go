package openai_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

const closed = `{"type":"object","properties":{"b":{"type":"string","pattern":"^a","minLength":1,"format":"email"},"a":{"type":"integer","minimum":1}},` +
	`"required":["b","a"],"additionalProperties":false,"$id":"https://example.com","examples":[{}]}`

// TestFormat shows that a schema is sent in order, without keywords that may crash a server, and as
// strict if OpenAI accepts it as such.
func TestFormat(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema, sent string
		strict       bool
	}{
		{closed, `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer","minimum":1}},"required":["b","a"],"additionalProperties":false}`, true},
		{`{"type":"object"}`, `{"type":"object"}`, false}, {`{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":false}`, true},
		{
			`{"type":"object","title":"t","description":"d","default":{},"format":"x","examples":[{}]}`,
			`{"type":"object","title":"t","description":"d","default":{}}`, false,
		},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, "", false}, {`{"type":"object","properties":{"a":{}},"required":["a"]}`, "", false},
		{`{"type":"object","properties":{"a":{"properties":{"b":{}}}},"required":["a"],"additionalProperties":false}`, "", false},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"additionalProperties":false,"$defs":{"x":{"type":"object","properties":{"y":{}}}}}`, "", false},
		{`{"type":"object","properties":{"a":{"anyOf":[{"const":1},{"enum":["x"]}]}},"required":["a"],"additionalProperties":false}`, "", true},
		{`{"type":"object","properties":{"a":{"oneOf":[{"const":1}]}},"required":["a"],"additionalProperties":false}`, "", false},
		{`{"type":"object","properties":{"a":{"not":{"const":1}}},"required":["a"],"additionalProperties":false}`, "", false},
		{`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"],"additionalProperties":false}`, "", true},
	} {
		server := newServer(t)
		server.Always(llmtest.Text(`{"a":`, `1}`))
		req := request()
		req.Schema = tc.schema
		reply, err := ask(t, newModel(t, server), req)
		sent := server.Last(t).OpenAI(t)
		if err != nil || reply.Text != `{"a":1}` || sent.ResponseFormat == nil {
			t.Fatalf("%s: %+v %v", tc.schema, reply, err)
		}
		if tc.sent == "" {
			tc.sent = tc.schema
		}
		if got := sent.ResponseFormat; got.Type != "json_schema" || got.JSONSchema.Name == "" ||
			string(got.JSONSchema.Schema) != tc.sent || got.JSONSchema.Strict != tc.strict ||
			strings.Contains(sent.Messages[0].Content, "object") {
			t.Errorf("%s: sent %+v with %s", tc.schema, got, got.JSONSchema.Schema)
		}
	}
}

// TestRefusedFormat shows that a server that refuses the format gets the schema as text, and later
// requests at once. Other refusals are final.
func TestRefusedFormat(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 422} {
		server := newServer(t)
		m, req := newModel(t, server), request()
		req.Rules = "Some rules."
		const kind, param = `"invalid_request_error"`, `"response_format"`
		server.Next(llmtest.OpenAIError(status, kind, "null", param, prompt))
		for _, req.Schema = range []string{closed, closed, `{"type":"object"}`} {
			if reply, err := ask(t, m, req); err != nil || reply.Text != "Hello." {
				t.Fatalf("%d: %+v %v", status, reply, err)
			}
		}
		req.Schema = closed
		if got := llm.Rules(m, req); got != "" {
			t.Errorf("%d: rules %s", status, got)
		}
		all := server.Requests()
		for i, asText := range []bool{false, true, true, false} { // the first is refused
			sent := all[i].OpenAI(t)
			system := sent.Messages[0]
			if (sent.ResponseFormat == nil) != asText || system.Role != "system" ||
				strings.Contains(system.Content, closed) != asText ||
				strings.Contains(system.Content, "\n\nSome rules.") == asText ||
				!strings.HasPrefix(system.Content, req.Instructions) {
				t.Errorf("%d: request %d is %s", status, i, all[i].Body)
			}
		}
	}
	for status, want := range map[int]fault.Kind{400: fault.ModelError, 401: fault.ModelUnavailable, 404: fault.ModelError, 500: fault.ModelError} {
		server := newServer(t)
		req := request()
		req.Schema = closed
		server.Always(llmtest.Status(status))
		_, err := ask(t, newModel(t, server), req)
		if requests := len(server.Requests()); !fault.Is(err, want) ||
			(requests == 2) != (status == 400) {
			t.Errorf("%d: %d requests, %v", status, requests, err)
		}
	}
}
