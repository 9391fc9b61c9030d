package openai_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// actionsRequest is a request of an agent with two actions.
func actionsRequest() llm.Request {
	req := request()
	req.Actions = []llm.Action{
		{Name: "order_status", Description: "Where an order is.", Parameters: `{"type":"object","properties":{"order":{"type":"string","pattern":"^A"}},"required":["order"]}`},
		{Name: "wait", Parameters: `{"type":"object","additionalProperties":false}`},
	}
	return req
}

// call returns a delta with parts of calls, in JSON.
func call(parts ...string) string { return `{"tool_calls":[` + strings.Join(parts, ",") + `]}` }

// TestWholeCalls reads calls from a server that does not stream.
func TestWholeCalls(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]string{
		"as OpenAI":              `{"id":"c1","type":"function","function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}},{"id":"c2","type":"function","function":{"name":"wait","arguments":"{}"}}`,
		"no id, index 0 for all": `{"index":0,"function":{"name":"order_status","arguments":"{\"order\":\"A-1\"}"}},{"index":0,"function":{"name":"wait","arguments":""}}`,
		"arguments as an object": `{"id":"c","function":{"name":"order_status","arguments":{"order":"A-1"}}},{"id":"c","function":{"name":"wait"}}`,
	} {
		for _, reason := range []string{`"tool_calls"`, `"stop"`, "null"} {
			s := newServer(t)
			s.Next(llmtest.OpenAIWhole(`{"role":"assistant","content":null,"tool_calls":[`+calls+`]}`,
				reason))
			m := newModel(t, s)
			reply, err := ask(t, m, actionsRequest())
			checkCalls(t, reply, err)
			sendBack(t, s, m, reply)
			if t.Failed() {
				t.Fatal(name, reason)
			}
		}
	}
}

// TestSameIDsAgain shows that ids which a server repeats in a later reply are replaced, so that the
// calls of a request have unique ids.
func TestSameIDsAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m, req := newModel(t, s), actionsRequest()
	// Of another model.
	req.Steps = []llm.Step{{
		Calls:   []llm.Call{{Name: "wait", Arguments: "{}"}},
		Results: []llm.ActionResult{{Result: "1"}},
	}}
	for _, id := range []string{``, `"id":"call_0",`, `"id":"call_0",`, ``} {
		s.Next(llmtest.OpenAIChunks(llmtest.OpenAIDelta(call(`{"index":0,`+id+
			`"function":{"name":"wait","arguments":"{}"}}`), `"tool_calls"`)))
		reply, err := ask(t, m, req)
		if err != nil || len(reply.Calls) != 1 {
			t.Fatalf("%+v %v", reply, err)
		}
		req.Steps = append(req.Steps,
			llm.Step{
				Calls:         reply.Calls,
				ProviderState: reply.ProviderState,
				Results:       []llm.ActionResult{{Result: "1"}},
			})
	}
	if _, err := ask(t, m, req); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, message := range s.Last(t).OpenAI(t).Messages[2:] {
		if message.Role == "tool" {
			ids = append(ids, message.ToolCallID)
		} else if got := message.ToolCalls[0].ID; got == "" || slices.Contains(ids, got) {
			t.Errorf("the id %q is there again", got)
		}
	}
	if len(ids) != 5 || ids[2] != "call_0" ||
		len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 5 {
		t.Errorf("ids %q", ids)
	}
}

// TestUnknownMembersOfCalls shows that everything that a model sends with its calls is sent back:
// reasoning, signatures, lists.
func TestUnknownMembersOfCalls(t *testing.T) {
	t.Parallel()
	const want = `{"content":"Let me look.","reasoning_content":"The user <wants> Ümit.","reasoning_details":[{"n":12345678901234567890},{"n":2}],"role":"assistant",` +
		`"state":{"b":2},"tool_calls":[{"extra_content":{"google":{"thought_signature":"c2ln"}},"function":{"arguments":"{}","more":[1],"name":"wait"},"id":"c1","type":"function"}]}`
	s := newServer(t)
	m := newModel(t, s)
	s.Next(llmtest.OpenAIChunks(
		llmtest.OpenAIDelta(`{"role":"assistant","content":"","refusal":null,"reasoning_content":"The user <wa"}`, "null"),
		llmtest.OpenAIDelta(`{"role":"assistant","reasoning_content":"nts> \u00dcmit.","reasoning_details":[{"n":12345678901234567890}],"state":{"a":1}}`, "null"),
		llmtest.OpenAIDelta(`{"content":"Let me ","reasoning_content":null,"reasoning_details":[{"n":2}],"state":{"b":2}}`, "null"), llmtest.OpenAIChunk("look.", ""),
		llmtest.OpenAIDelta(call(`{"index":0,"id":"c1","function":{"name":"wait","arguments":"","more":[1]},"extra_content":{"google":{"thought_signature":"c2ln"}}}`), "null"),
		llmtest.OpenAIDelta(call(`{"index":0,"function":{"arguments":"{}"},"extra_content":null}`),
			`"tool_calls"`)),
		llmtest.Text("Done."),
		llmtest.OpenAIWhole(`{"role":"assistant","content":"Let me look.","refusal":null,"reasoning_content":"The user <wants> Ümit.","state":{"b":2},`+
			`"reasoning_details":[{"n":12345678901234567890},{"n":2}],"tool_calls":[{"id":"c1","extra_content":{"google":{"thought_signature":"c2ln"}},"function":{"more":[1],"name":"wait","arguments":"{}"}}]}`, `"stop"`),
	)
	for range 2 {
		reply, err := ask(t, m, actionsRequest())
		if err != nil || reply.Text != "Let me look." || reply.ProviderState != want {
			t.Fatalf("kept %s, %v", reply.ProviderState, err)
		}
		sendBack(t, s, m, reply)
		if body := string(s.Last(t).Body); !strings.Contains(body, want) {
			t.Errorf("sent back %s", body)
		}
	}
}

// TestEndsOfCalls shows the finish reasons of replies with complete and incomplete calls.
func TestEndsOfCalls(t *testing.T) {
	t.Parallel()
	whole, begun := call(`{"index":0,"id":"c1","function":{"name":"wait","arguments":"{}"}}`),
		call(`{"index":0,"id":"c1","function":{"name":"wait","arguments":"{\"a\":"}}`)
	yes, delta := llmtest.OpenAIChunk("yes", ""), llmtest.OpenAIDelta
	for name, tc := range map[string]struct {
		reply  llmtest.Reply
		finish llm.FinishReason
		kind   fault.Kind
		text   string
		calls  string
	}{
		"cut":                         {reply: llmtest.OpenAIChunks(yes, delta(begun, "null"), delta("{}", `"length"`)), finish: llm.FinishLength, text: "yes", calls: `wait{"a":`},
		"cut, nothing said":           {reply: llmtest.OpenAIChunks(delta(begun, "null"), delta("{}", `"length"`)), finish: llm.FinishLength, calls: `wait{"a":`},
		"whole, and cut":              {reply: llmtest.OpenAIChunks(delta(whole, "null"), delta("{}", `"length"`)), finish: llm.FinishLength, calls: "wait{}"},
		"begun, and no reason":        {reply: llmtest.OpenAIChunks(delta(begun, "null")), finish: llm.FinishLength, calls: `wait{"a":`},
		"begun, and no end either":    {reply: llmtest.Body("text/event-stream", "data: "+delta(begun, "null")+"\n\n"), finish: llm.FinishLength, calls: `wait{"a":`},
		"never whole":                 {reply: llmtest.OpenAIChunks(delta(begun, "null"), delta("{}", `"tool_calls"`)), finish: llm.FinishStop, calls: `wait{"a":`},
		"after a text":                {reply: llmtest.OpenAIChunks(yes, delta(whole, `"tool_calls"`)), finish: llm.FinishStop, text: "yes", calls: "wait{}"},
		"before a text":               {reply: llmtest.OpenAIChunks(delta(whole, "null"), llmtest.OpenAIChunk("yes", "stop")), finish: llm.FinishStop, text: "yes", calls: "wait{}"},
		"a text beside":               {reply: llmtest.OpenAIChunks(delta(`{"content":"yes",`+whole[1:], `"stop"`)), finish: llm.FinishStop, text: "yes", calls: "wait{}"},
		"blocked":                     {reply: llmtest.OpenAIChunks(delta(whole, "null"), delta("{}", `"content_filter"`)), kind: fault.ContentBlocked},
		"blocked after a text":        {reply: llmtest.OpenAIChunks(yes, delta(whole, "null"), delta("{}", `"content_filter"`)), finish: llm.FinishBlocked, text: "yes"},
		"an error after calls":        {reply: llmtest.OpenAIChunks(delta(whole, "null"), `{"error":{"code":500}}`), kind: fault.ModelError},
		"a broken connection":         {reply: llmtest.CutOff("yes", "no"), kind: fault.ModelError},
		"no name and no arguments":    {reply: llmtest.OpenAIChunks(delta(call(`{"index":0}`), `"tool_calls"`)), kind: fault.ModelError},
		"no name":                     {reply: llmtest.OpenAIChunks(delta(call(`{"index":0,"function":{"arguments":"{}"}}`), `"tool_calls"`)), finish: llm.FinishStop, calls: "{}"},
		"calls of nonsense":           {reply: llmtest.OpenAIChunks(delta(`{"tool_calls":"`+prompt+`"}`, "null")), kind: fault.ModelError},
		"calls of numbers":            {reply: llmtest.OpenAIChunks(delta(`{"tool_calls":[7]}`, "null")), kind: fault.ModelError},
		"odd fields":                  {reply: llmtest.OpenAIChunks(delta(call(`{"index":"0","id":{},"type":7,"function":{"name":"wait","arguments":[1]}}`), `"stop"`)), finish: llm.FinishStop, calls: "wait[1]"},
		"calls of another choice":     {reply: llmtest.OpenAIChunks(`{"choices":[{"index":1,"delta":` + whole + `},{"index":0,"delta":{"content":"yes"}}]}`), finish: llm.FinishStop, text: "yes"},
		"big numbers and odd letters": {reply: llmtest.OpenAIChunks(delta(call(`{"function":{"name":"wait","arguments":"{\"a\":12345678901234567890,\"b\":6271e0,\"c\":\"\\ud800\"}"}}`), `"stop"`)), finish: llm.FinishStop, calls: `wait{"a":12345678901234567890,"b":6271e0,"c":"\ud800"}`},
		"bad UTF-8":                   {reply: llmtest.OpenAIChunks(delta(call(`{"x":"`+"\xff"+`","function":{"name":"wait","arguments":"{\"a\":\"`+"\xff"+`\"}"}}`), `"stop"`)), finish: llm.FinishStop, calls: `wait{"a":"` + "\uFFFD" + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.Next(tc.reply)
			m := newModel(t, s)
			reply, err := ask(t, m, actionsRequest())
			if tc.kind != "" {
				if !fault.Is(err, tc.kind) || reply.Text != "" || reply.Calls != nil {
					t.Errorf("%+v, %v, want %s", reply, err, tc.kind)
				}
				return
			}
			got := ""
			for _, c := range reply.Calls {
				got += c.Name + c.Arguments
			}
			if err != nil || reply.Text != tc.text || reply.Finish != tc.finish || got != tc.calls ||
				!utf8.ValidString(reply.ProviderState) || (reply.ProviderState == "") != (got == "") {
				t.Fatalf("%+v, %v", reply, err)
			}
			if got != "" {
				sendBack(t, s, m, reply)
			}
		})
	}
}

// TestCallsAreBounded shows that a reply ends when its calls exceed the limit, and that parts which
// are too long are not stored.
func TestCallsAreBounded(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	m := newModel(t, s)
	long := strings.Repeat("a", 64<<10)
	part := llmtest.OpenAIDelta(call(`{"index":0,"id":"c","function":{"name":"wait","arguments":"`+
		long+`"}}`), "null")
	s.Next(llmtest.OpenAIChunks(part, part, part, part, part, llmtest.OpenAIDelta("{}", `"stop"`)))
	reply, err := ask(t, m, actionsRequest())
	if err != nil || reply.Finish != llm.FinishLength || len(reply.Calls) != 1 ||
		len(reply.Calls[0].Arguments) != 4*len(long) {
		t.Errorf("%d calls, %s, %v", len(reply.Calls), reply.Finish, err)
	}
	thought := llmtest.OpenAIDelta(`{"reasoning_content":"`+long+`"}`, "null")
	end := llmtest.OpenAIDelta(call(`{"index":0,"id":"c","function":{"name":"wait","arguments":"{}"}}`), `"tool_calls"`)
	s.Next(llmtest.OpenAIChunks(thought, thought, thought, thought, thought, end))
	if reply, err = ask(t, m, actionsRequest()); err != nil || reply.ProviderState != "" ||
		reply.Calls[0].ProviderState != "" || reply.Finish != llm.FinishStop {
		t.Errorf("%d bytes are stored of a long message: %v", len(reply.ProviderState), err)
	}
	sendBack(t, s, m, reply)
	s.Next(llmtest.OpenAIChunks(llmtest.OpenAIDelta(call(`{"id":"`+strings.Repeat(long, 5)+
		`","function":{"name":"wait","arguments":"{}"}}`), `"stop"`)))
	if reply, err = ask(t, m, actionsRequest()); err != nil || len(reply.Calls) != 1 ||
		reply.ProviderState != "" || reply.Calls[0].ProviderState != "" {
		t.Errorf("%d bytes are stored of a long id: %v", len(reply.ProviderState), err)
	}
	one := strings.TrimSuffix(strings.Repeat(`{"id":"c","function":{"name":"wait","arguments":"{}"}},`,
		1000), ",")
	s.Next(llmtest.OpenAIChunks(llmtest.OpenAIDelta(call(one), "null")),
		llmtest.OpenAIWhole(call(one), "null"))
	for range 2 {
		if reply, err = ask(t, m, actionsRequest()); err != nil || reply.Finish != llm.FinishLength ||
			len(reply.Calls) != 65 {
			t.Errorf("%d of 1,000 calls, %s, %v", len(reply.Calls), reply.Finish, err)
		}
	}
}
