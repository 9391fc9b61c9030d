package gemini_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// actionsRequest is a request of an agent that has two actions.
func actionsRequest() llm.Request {
	req := request()
	req.Actions = []llm.Action{
		{Name: "order_status", Description: "Where an order is.", Parameters: `{"type":"object","properties":{"order":{"type":"string","pattern":"^A"}},"required":["order"]}`},
		{Name: "wait", Parameters: `{"type":"object"}`},
	}
	return req
}

// part returns a chunk with parts in JSON, and without a finish reason.
func part(json string) string { return `{"candidates":[{"content":{"parts":[` + json + `]}}]}` }

// TestCalls reads calls in every form, also one character at a time, with the parts that are sent
// back to the model.
func TestCalls(t *testing.T) {
	t.Parallel()
	chunks := func(of ...string) string { return "[" + strings.Join(of, ",") + "]" }
	const order, wait = `{"functionCall":{"name":"order_status","args":{"order":"A-1"}},"thoughtSignature":"c2ln"}`, `{"functionCall":{"id":"7","name":"wait"}}`
	for name, tc := range map[string]struct {
		body        string
		finish      llm.FinishReason
		kind        fault.Kind
		text, calls string
		kept        string
	}{
		"each in a chunk": {body: chunks(part(order), part(wait), ended("1")), calls: `order_status{"order":"A-1"} wait{}7 `, kept: "[" + order + "," + wait + "]"},
		"all in one":      {body: chunks(parts(order + "," + wait)), calls: `order_status{"order":"A-1"} wait{}7 `, kept: "[" + order + "," + wait + "]"},
		"no reason":       {body: chunks(part(order)), calls: `order_status{"order":"A-1"} `, kept: "[" + order + "]"},
		"after a text, with spaces": {body: chunks(chunk("Let me "), part(`{"text":"look."}`), "{\n \"candidates\": [ {\"content\": {\"parts\": [\n"+
			"  { \"functionCall\": {\n \"name\": \"wait\", \"args\": { \"a\" : [ 1, \" \" ] } } } ] } } ] }"), text: "Let me look.", calls: `wait{"a":[1," "]} `,
			kept: `[{"text":"Let me "},{"text":"look."},{"functionCall":{"name":"wait","args":{"a":[1," "]}}}]`},
		"large numbers": {body: chunks(parts(`{"functionCall":{"name":"wait","args":{"n":12345678901234567890,"m":6271e0,"n":0.10}}}`)), calls: `wait{"n":12345678901234567890,"m":6271e0,"n":0.10} `,
			kept: `[{"functionCall":{"name":"wait","args":{"n":12345678901234567890,"m":6271e0,"n":0.10}}}]`},
		"thoughts and signatures": {body: chunks(part(`{"text":"hm","thought":true}`), part(wait), part(`{"text":"","thoughtSignature":"c2ln"}`), ended("1")), calls: "wait{}7 ",
			kept: `[{"text":"hm","thought":true},` + wait + `,{"text":"","thoughtSignature":"c2ln"}]`},
		"no arguments":         {body: chunks(parts(`{"functionCall":{"name":"a","args":null}},{"functionCall":{"name":"b","args":{}}}`)), calls: "a{} b{} ", kept: `[{"functionCall":{"name":"a","args":null}},{"functionCall":{"name":"b","args":{}}}]`},
		"bad UTF-8":            {body: chunks(parts(`{"functionCall":{"name":"a","args":{"b":"` + "\xff" + `"}}}`)), calls: "a{\"b\":\"\uFFFD\"} ", kept: "[{\"functionCall\":{\"name\":\"a\",\"args\":{\"b\":\"\uFFFD\"}}}]"},
		"cut":                  {body: chunks(part(wait), ended("2")), finish: llm.FinishLength, calls: "wait{}7 ", kept: "[" + wait + "]"},
		"cut after a text":     {body: chunks(chunk("yes"), ended("2")), finish: llm.FinishLength, text: "yes"},
		"nothing in it":        {body: chunks(chunk("yes"), parts(`{"functionCall":{}},{"functionCall":null},null`)), text: "yes"},
		"empty parts":          {body: chunks(part(`null,{"text":""},`+wait+`,{ "text": "" }`), ended("1")), calls: "wait{}7 ", kept: "[" + wait + "]"},
		"another reason":       {body: chunks(part(wait), ended("5")), calls: "wait{}7 ", kept: "[" + wait + "]"},
		"malformed":            {body: chunks(ended("10")), kind: fault.ModelError},
		"malformed, by name":   {body: chunks(ended(`"MALFORMED_FUNCTION_CALL"`)), kind: fault.ModelError},
		"blocked":              {body: chunks(part(wait), ended("3")), kind: fault.ContentBlocked},
		"blocked after a text": {body: chunks(chunk("yes"), part(wait), ended("3")), finish: llm.FinishBlocked, text: "yes"},
		"an error later":       {body: chunks(part(wait), `{"error":{"code":500}}`), kind: fault.ModelError},
		"half a call":          {body: "[" + part(wait)[:50], kind: fault.ModelError},
		"a call of nonsense":   {body: chunks(part(`{"functionCall":"` + prompt + `"}`)), kind: fault.ModelError},
		"a part of nonsense":   {body: chunks(part(`7`)), kind: fault.ModelError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewGemini(t)
			for _, pieces := range [][]string{{tc.body}, strings.Split(tc.body, "")} {
				s.Next(llmtest.Body("application/json", pieces...))
				reply, err := ask(t, newModel(t, s.URL), actionsRequest())
				if tc.kind != "" {
					if !fault.Is(err, tc.kind) || reply.Text != "" || reply.Calls != nil {
						t.Errorf("%+v, %v, want %s", reply, err, tc.kind)
					}
					continue
				}
				got := ""
				for _, c := range reply.Calls {
					got += c.Name + c.Arguments + c.ProviderState + " "
				}
				if tc.finish == "" {
					tc.finish = llm.FinishStop
				}
				if err != nil || reply.Text != tc.text || reply.Finish != tc.finish || got != tc.calls ||
					reply.ProviderState != tc.kept || !utf8.ValidString(reply.ProviderState) {
					t.Errorf("%+v, %v", reply, err)
				}
			}
		})
	}
}

// TestCallsAreBounded shows that a reply ends when its calls exceed the limit, and that parts which
// are too long are not stored.
func TestCallsAreBounded(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	m := newModel(t, s.URL)
	long := part(`{"functionCall":{"name":"wait","args":{"a":"` + strings.Repeat("a", 64<<10) + `"}}}`)
	s.Next(llmtest.GeminiChunks(long, long, long, long, long, ended("1")))
	reply, err := ask(t, m, actionsRequest())
	if err != nil || reply.Finish != llm.FinishLength || len(reply.Calls) != 4 ||
		reply.ProviderState == "" {
		t.Errorf("%d calls, %s, %v", len(reply.Calls), reply.Finish, err)
	}
	thought := part(`{"text":"` + strings.Repeat("a", 64<<10) + `","thought":true}`)
	end := parts(`{"functionCall":{"id":"7","name":"wait"}}`)
	s.Next(llmtest.GeminiChunks(thought, thought, thought, thought, thought, thought, thought, thought,
		end))
	if reply, err = ask(t, m, actionsRequest()); err != nil || reply.ProviderState != "" ||
		len(reply.Calls) != 1 || reply.Calls[0].ProviderState != "" || reply.Finish != llm.FinishStop {
		t.Errorf("%d bytes are stored of long parts: %v", len(reply.ProviderState), err)
	}
	s.Next(llmtest.GeminiChunks(parts(strings.TrimSuffix(strings.Repeat(`{"functionCall":{"name":"wait"}},`, 1000), ","))))
	if reply, err = ask(t, m, actionsRequest()); err != nil || reply.Finish != llm.FinishLength ||
		len(reply.Calls) != 65 {
		t.Errorf("%d of 1,000 calls, %s, %v", len(reply.Calls), reply.Finish, err)
	}
}
