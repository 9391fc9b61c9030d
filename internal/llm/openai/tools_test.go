package openai_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// TestTools shows that actions are sent as tools, without keywords that may crash a server, and a
// schema along with them as text, never as a format.
func TestTools(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m, req := newModel(t, s), actionsRequest()
	for _, answered := range []bool{false, true} {
		req.Answered, req.Schema = answered, closed
		if _, err := ask(t, m, req); err != nil {
			t.Fatal(err)
		}
		sent := s.Last(t).OpenAI(t)
		tools := sent.Tools
		if len(tools) != 2 || tools[0].Type != "function" || tools[0].Function.Name != "order_status" ||
			tools[0].Function.Description != "Where an order is." ||
			string(tools[0].Function.Parameters) != `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}` ||
			tools[1].Function.Name != "wait" ||
			string(tools[1].Function.Parameters) != `{"properties":{},"type":"object","additionalProperties":false}` {
			t.Errorf("tools %s", s.Last(t).Body)
		}
		if want := map[bool]string{false: "", true: "none"}[answered]; sent.ToolChoice != want ||
			sent.ReasoningEffort != "" {
			t.Errorf("tool_choice %q, want %q", sent.ToolChoice, want)
		}
		if sent.ResponseFormat != nil || !strings.HasPrefix(sent.Messages[0].Content, req.Instructions) ||
			!strings.Contains(sent.Messages[0].Content, closed) {
			t.Errorf("the schema of a request with tools: %s", s.Last(t).Body)
		}
	}
	req.Schema = ""
	if _, err := ask(t, m, req); err != nil ||
		s.Last(t).OpenAI(t).Messages[0].Content != req.Instructions {
		t.Errorf("without a schema: %s", s.Last(t).Body)
	}
}

// TestStepsOfOthers shows that calls of another model are sent under ids of nine letters and
// digits, with a result for each, and that arguments which are not an object become an empty one.
func TestStepsOfOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m, req := newModel(t, s), actionsRequest()
	req.Steps = []llm.Step{
		{Text: "Let me look.", Calls: []llm.Call{{ID: "act_019a_1", Name: "order_status", Arguments: `{"order":"<é>"}`}, {ID: "act_019a_2", Name: "nonsense", Arguments: `{"a":`}},
			Results: []llm.ActionResult{{Result: `{"state": "shipped", "n": 12345678901234567890}`}, {Error: "There is no action \"nonsense\"."}}},
		{Calls: []llm.Call{{ID: "act_019b_1", Name: "wait", Arguments: "[1]"}}, Results: []llm.ActionResult{{Result: "null"}}},
		{Calls: []llm.Call{{ID: "act_019c_1", Name: "wait", Arguments: "{}", ProviderState: "own"}}, ProviderState: `{"role":"assistant","tool_calls":[{"id":"own"}],"x":1}`},
	}
	if _, err := ask(t, m, req); err != nil {
		t.Fatal(err)
	}
	body := string(s.Last(t).Body)
	got := s.Last(t).OpenAI(t).Messages[2:]
	var lines []string
	for _, message := range got {
		line := message.Role + " " + message.Content + " " + message.ToolCallID
		for _, c := range message.ToolCalls {
			line += "; " + c.ID + " " + c.Type + " " + c.Function.Name + c.Function.Arguments
		}
		lines = append(lines, line)
	}
	want := []string{
		`assistant Let me look. ; call00001 function order_status{"order":"<é>"}; call00002 function nonsense{}`,
		`tool {"state": "shipped", "n": 12345678901234567890} call00001`, `tool Error: There is no action "nonsense". call00002`,
		`assistant  ; call00003 function wait{}`, `tool null call00003`, `assistant  ; own  `, `tool Error: it was not run. own`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("sent %q, want %q", lines, want)
	}
	if !strings.Contains(body, `{"role":"assistant","tool_calls":[{"id":"own"}],"x":1}`) ||
		!strings.Contains(body, `"content":null`) {
		t.Errorf("sent %s", body)
	}
	for _, message := range got {
		if id := message.ToolCallID; id != "" && id != "own" &&
			!regexp.MustCompile(`^[A-Za-z0-9]{9}$`).MatchString(id) {
			t.Errorf("the id %q", id)
		}
	}
	req.Actions = nil // a draft may have lost them
	if _, err := ask(t, m, req); err != nil || len(s.Last(t).OpenAI(t).Messages) != 9 ||
		strings.Contains(string(s.Last(t).Body), `"tools"`) {
		t.Errorf("without actions: %v, %s", err, s.Last(t).Body)
	}
}

// TestReasoningWithTools shows that a model that refuses tools with its reasoning effort gets the
// request again without reasoning, and later requests at once. Requests without tools keep their
// effort. No other refusal has this effect.
func TestReasoningWithTools(t *testing.T) {
	t.Parallel()
	refuse := func(status int, param, message string) llmtest.Reply {
		return llmtest.OpenAIError(status, `"invalid_request_error"`, "null", param, message)
	}
	for name, refusal := range map[string]llmtest.Reply{
		"by its parameter": refuse(400, `"reasoning_effort"`, "no"),
		"by its message":   refuse(400, "null", "Function tools with reasoning_effort are not supported"),
	} {
		s := newServer(t)
		s.Next(refusal)
		m, other := newModel(t, s), actionsRequest()
		other.Model = "another"
		for _, req := range []llm.Request{actionsRequest(), actionsRequest(), other, request()} {
			if reply, err := ask(t, m, req); err != nil || reply.Text != "Hello." {
				t.Fatalf("%s: %+v, %v", name, reply, err)
			}
		}
		var efforts []string
		for _, r := range s.Requests() {
			efforts = append(efforts, r.OpenAI(t).ReasoningEffort)
		}
		if !slices.Equal(efforts, []string{"", "none", "none", "", ""}) {
			t.Errorf("%s: sent the efforts %q", name, efforts)
		}
	}
	for name, tc := range map[string]struct {
		refusal  llmtest.Reply
		requests int
		cause    string
	}{
		"for ever":          {refuse(400, `"reasoning_effort"`, "no"), 2, "(reasoning_effort)"},
		"another parameter": {refuse(400, `"tools[1].function.parameters"`, "no"), 1, "(tools)"},
		"another status":    {refuse(404, `"reasoning_effort"`, "no"), 1, "404"},
		"none":              {llmtest.Status(400), 1, "400"},
	} {
		s := newServer(t)
		s.Always(tc.refusal)
		m := newModel(t, s)
		for range 2 {
			_, err := ask(t, m, actionsRequest())
			if !fault.Is(err, fault.ModelError) || !strings.Contains(err.Error(), tc.cause) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := len(s.Requests()); got != 2*tc.requests {
			t.Errorf("%s: %d requests", name, got)
		}
	}
}

// TestStepsAreJSON shows that any text of a model is sent as JSON with the same meaning.
func TestStepsAreJSON(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m := newModel(t, s)
	odd := `{"a":"\u0000 \ud800 <&> ` + "\u2028" + `","a":2}`
	quoted, err := json.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	s.Next(llmtest.OpenAIChunks(llmtest.OpenAIDelta(`{"tool_calls":[{"id":"c","x":`+odd+
		`,"function":{"name":"wait","arguments":`+string(quoted)+`}}]}`, `"stop"`)))
	reply, err := ask(t, m, actionsRequest())
	if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Arguments != odd {
		t.Fatalf("%+v, %v", reply, err)
	}
	sent := sendBack(t, s, m, reply)
	if got := sent.Messages[2].ToolCalls[0].Function.Arguments; got != odd {
		t.Errorf("sent back %q, want %q", got, odd)
	}
	if body := string(s.Last(t).Body); strings.ContainsRune(body, 0) ||
		strings.Contains(body, `\u003c`) {
		t.Errorf("sent back %s", body)
	}
}
