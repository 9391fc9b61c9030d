package openai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// shapes are the ways in which servers stream the same two calls.
var shapes = map[string][]string{
	"as OpenAI": {
		`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"order_status","arguments":""}}]}`,
		call(`{"index":0,"function":{"arguments":"{\"or"}}`), call(`{"index":0,"function":{"arguments":"der\":\"A-1\"}"}}`),
		call(`{"index":1,"id":"c2","type":"function","function":{"name":"wait","arguments":""}}`), call(`{"index":1,"function":{"arguments":"{}"}}`)},
	"no index": {
		call(`{"id":"c1","function":{"name":"order_status","arguments":""}}`), call(`{"function":{"arguments":"{\"order\":"}}`), call(`{"function":{"arguments":"\"A-1\"}"}}`),
		call(`{"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"no index, the first not begun": {
		call(`{"function":{"name":"order_status"}}`), call(`{"function":{"arguments":"{\"order\":\"A-1\"}"}}`), call(`{"function":{"name":"wait"}}`)},
	"no index, in turns": {
		call(`{"id":"c1","function":{"name":"order_status","arguments":"{\"order\":"}}`, `{"id":"c2","function":{"name":"wait","arguments":"{"}}`),
		call(`{"id":"c1","function":{"arguments":"\"A-1\"}"}}`), call(`{"id":"c2","function":{"arguments":"}"}}`)},
	"index 0 for all": {
		call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":"{\"order\":"}}`), call(`{"index":0,"function":{"arguments":"\"A-1\"}"}}`),
		call(`{"index":0,"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"index 0 for all, no id": {
		call(`{"index":0,"function":{"name":"order_status","arguments":"{\"order\":\"A-1\""}}`), call(`{"index":0,"function":{"arguments":"}"}}`),
		call(`{"index":0,"function":{"name":"wait","arguments":"{}"}}`)},
	"index 0 for all, the same id": {
		call(`{"index":0,"id":"c","function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}}`), call(`{"index":0,"id":"c","function":{"name":"wait","arguments":"{}"}}`)},
	"no id": {
		call(`{"index":0,"function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}}`), call(`{"index":1,"function":{"name":"wait","arguments":""}}`)},
	"an empty id later": {
		call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":"{\"order\":"}}`), call(`{"index":0,"id":"","function":{"name":"","arguments":"\"A-1\"}"}}`),
		call(`{"index":1,"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"id and name every time": {
		call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":"{\"order\":"}}`), call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":"\"A-1\"}"}}`),
		call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":""}}`), call(`{"index":1,"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"id and name every time, no index": {
		call(`{"id":"c1","function":{"name":"order_status","arguments":"{\"order\":"}}`), call(`{"id":"c1","function":{"name":"order_status","arguments":"\"A-1\"}"}}`),
		call(`{"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"the id later": {
		call(`{"index":0,"function":{"name":"order_status"}}`), call(`{"index":0,"id":"c1","function":{"arguments":"{\"order\":\"A-1\"}"}}`),
		call(`{"index":1,"function":{"name":"wait"}}`), call(`{"index":1,"id":"c2"}`)},
	"whole in one delta": {
		call(`{"id":"c1","function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}}`, `{"id":"c2","function":{"name":"wait","arguments":"{}"}}`)},
	"whole in one delta, without anything else": {
		call(`{"function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}}`, `{"function":{"name":"wait","arguments":"{}"}}`)},
	"arguments as an object": {
		call(`{"index":0,"id":7,"function":{"name":"order_status","arguments":{"order":"A-1"}}}`), call(`{"index":1,"id":8,"function":{"name":"wait","arguments":null}}`)},
	"two in turns": {
		call(`{"index":0,"id":"c1","function":{"name":"order_status","arguments":""}}`, `{"index":1,"id":"c2","function":{"name":"wait","arguments":""}}`),
		call(`{"index":1,"function":{"arguments":"{"}}`), call(`{"index":0,"function":{"arguments":"{\"order\":\"A-1\""}}`),
		call(`{"index":1,"function":{"arguments":"}"}}`), call(`{"index":0,"function":{"arguments":"}"}}`)},
	"nothing in it": {
		`{"tool_calls":null}`, `{"tool_calls":[]}`, call(`{}`, `null`), call(`{"index":0,"function":null}`),
		call(`{"index":1,"id":"c1","function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}}`), call(`{"index":2,"id":"c2","function":{"name":"wait","arguments":" \n"}}`)},
}

// alike are the ways in which servers stream two calls without arguments.
var alike = map[string][]string{
	"index 0 for all, another id": {call(`{"index":0,"id":"c1","function":{"name":"wait"}}`), call(`{"index":0,"id":"c2","function":{"name":"wait"}}`)},
	"no index":                    {call(`{"function":{"name":"wait"}}`), call(`{"function":{"name":"wait"}}`)},
	"no index, one delta":         {call(`{"id":"","function":{"name":"wait","arguments":""}}`, `{"id":"","function":{"name":"wait","arguments":""}}`)},
	"index 0 for all, no id":      {call(`{"index":0,"function":{"name":"wait","arguments":""}}`), call(`{"index":0,"function":{"name":"stay","arguments":""}}`)},
}

// TestCallsAlike shows that two similar calls are not merged.
func TestCallsAlike(t *testing.T) {
	t.Parallel()
	for name, deltas := range alike {
		s := newServer(t)
		m := newModel(t, s)
		var chunks []string
		for _, d := range deltas {
			chunks = append(chunks, llmtest.OpenAIDelta(d, "null"))
		}
		s.Next(llmtest.OpenAIChunks(append(chunks, stop)...))
		reply, err := ask(t, m, actionsRequest())
		if err != nil || len(reply.Calls) != 2 || reply.Calls[0].Arguments != "{}" ||
			reply.Calls[1].Arguments != "{}" {
			t.Errorf("%s: %+v, %v", name, reply, err)
			continue
		}
		sendBack(t, s, m, reply)
	}
}

// TestShapesOfCalls reads each shape whole and one character at a time, with each finish reason
// that servers send. The calls are sent back with a result for each, under unique ids.
func TestShapesOfCalls(t *testing.T) {
	t.Parallel()
	for name, deltas := range shapes {
		for _, reason := range []string{`"tool_calls"`, `"stop"`, ``} {
			t.Run(name+", "+reason, func(t *testing.T) {
				t.Parallel()
				var chunks []string
				for _, d := range deltas {
					chunks = append(chunks, llmtest.OpenAIDelta(d, "null"))
				}
				if reason != "" {
					chunks = append(chunks, llmtest.OpenAIDelta("{}", reason), used)
				}
				stream := "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\n"
				s := newServer(t)
				m := newModel(t, s)
				for _, reply := range []llmtest.Reply{
					llmtest.OpenAIChunks(chunks...), llmtest.Body("text/event-stream", stream),
					llmtest.Body("", strings.Split(stream, "")...),
				} {
					s.Next(reply)
					reply, err := ask(t, m, actionsRequest())
					checkCalls(t, reply, err)
					sendBack(t, s, m, reply)
				}
			})
		}
	}
}

// checkCalls checks that a reply consists of the two calls.
func checkCalls(t *testing.T, reply llm.Reply, err error) {
	t.Helper()
	if err != nil || reply.Text != "" || reply.Finish != llm.FinishStop || len(reply.Calls) != 2 ||
		reply.Calls[0].Name != "order_status" || reply.Calls[0].Arguments != `{"order":"A-1"}` ||
		reply.Calls[1].Name != "wait" || reply.Calls[1].Arguments != "{}" {
		t.Fatalf("%+v, %v", reply, err)
	}
}

// sendBack sends the results of a reply, and checks the request.
func sendBack(t *testing.T, s *llmtest.Server, m llm.Model, reply llm.Reply) llmtest.OpenAIRequest {
	t.Helper()
	step := llm.Step{Text: reply.Text, Calls: reply.Calls, ProviderState: reply.ProviderState}
	for i := range reply.Calls {
		step.Results = append(step.Results, llm.ActionResult{Result: fmt.Sprintf(`{"n":%d}`, i)})
	}
	req := actionsRequest()
	req.Steps = []llm.Step{step}
	if _, err := ask(t, m, req); err != nil {
		t.Fatal(err)
	}
	sent := s.Last(t).OpenAI(t)
	messages := sent.Messages[2:]
	if len(messages) != 1+len(reply.Calls) || messages[0].Role != "assistant" ||
		len(messages[0].ToolCalls) != len(reply.Calls) {
		t.Fatalf("sent back %+v", messages)
	}
	seen := map[string]bool{"": true}
	for i, c := range messages[0].ToolCalls {
		result := messages[1+i]
		if seen[c.ID] || c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) ||
			c.Function.Name != reply.Calls[i].Name ||
			result.Role != "tool" || result.ToolCallID != c.ID ||
			result.Content != fmt.Sprintf(`{"n":%d}`, i) {
			t.Errorf("sent back %+v with %+v", c, result)
		}
		seen[c.ID] = true
	}
	return sent
}
