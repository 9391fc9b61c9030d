package chat_test

import (
	"context"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/llm"
	"agentchat/internal/store/storetest"
)

// TestCallsWithOneReading tests that a call whose name or arguments have one reading that fits is
// taken after one model call, and that the model is asked again if there are two, or none.
func TestCallsWithOneReading(t *testing.T) {
	t.Parallel()
	actions := append(desk[:2:2], agent.Action{Name: "find", Description: "Finds.", Parameters: `{
		"type": "object",
		"properties": {
			"text": {"type": "string"},
			"count": {"type": "integer"},
			"tags": {"type": "array", "items": {"type": "string"}},
			"state": {"enum": ["open", "shipped"]},
			"near": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
		},
		"required": ["text"],
		"additionalProperties": false
	}`})
	for _, tc := range []struct{ name, arguments, want string }{ // want is empty: asked again
		{"find", `{"text":"a"}`, `{"text":"a"}`},
		{"functions.find", `{"text":"a"}`, `{"text":"a"}`},
		{" Find()", `{"text":"a"}`, `{"text":"a"}`},
		{"find<|channel|>commentary", `{"text":"a"}`, `{"text":"a"}`},
		{"default_api:Order-Status", `{"order":"A-1"}`, `{"order":"A-1"}`},
		{"findings", `{"text":"a"}`, ""},
		// Wrapped.
		{"find", `"{\"text\":\"a\"}"`, `{"text":"a"}`},
		{"find", `[{"text":"a"}]`, `{"text":"a"}`},
		{"find", `{"arguments":{"text":"a"}}`, `{"text":"a"}`},
		{"find", `{"name":"find","parameters":"{\"text\":\"a\"}"}`, `{"text":"a"}`},
		{"find", `{"find":{"text":"a"}}`, `{"text":"a"}`},
		{"find", `{"text":["a"],"count":"5","tags":"b"}`, `{"count":5,"tags":["b"],"text":"a"}`},
		{"find", `{"text":{"type":"string","value":"a"},"tags":"[\"b\"]"}`, `{"tags":["b"],"text":"a"}`},
		{"find", `{"text":"a","near":"{\"city\":\"Bonn\"}"}`, `{"near":{"city":"Bonn"},"text":"a"}`},
		// Repeated.
		{"find", `{"text":"a"}{"text":"a"}`, `{"text":"a"}`},
		{"find", `{}{"text":"a"}`, `{"text":"a"}`},
		{"find", `{"text":["a","a"]}`, `{"text":"a"}`},
		{"find", `{"text":"a"}{"text":"b"}`, ""},
		{"find", `{"text":["a","b"]}`, ""},
		// Nothing.
		{"wait", `null`, `{}`},
		{"wait", `""`, `{}`},
		{"wait", `{"":null}`, `{}`},
		{"find", `{"text":"a","count":null,"state":"","near":"None","other":null}`, `{"text":"a"}`},
		{"find", `{"text":null}`, ""},
		// Numbers are not text, and no reading drops a value.
		{"find", `{"text":5}`, ""},
		{"find", `{"text":"a","other":1}`, ""},
		{"find", `{"text":"a","near":{"city":{}}}`, ""},
		{"find", `{"text":12345678901234567890.10,"count":"many"}`, ""},
	} {
		t.Run(tc.name+" "+tc.arguments, func(t *testing.T) {
			t.Parallel()
			m := script(asksFor("", llm.FinishStop, tc.name, tc.arguments))
			b := newSetup(t, 1, offering(m))
			f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, Actions: actions})
			got, _ := b.replicas[0].Send(context.Background(), newMessage(f, "s", "Find it."))
			if tc.want == "" {
				if len(m.asked) != 2 || got.Answer != nil {
					t.Errorf("%d calls, %+v", len(m.asked), got.Answer)
				}
				return
			}
			if len(m.asked) != 1 || got.Answer == nil || string(got.Answer.Actions[0].Arguments) != tc.want {
				t.Errorf("%d calls, %+v; want %s", len(m.asked), got.Answer, tc.want)
			}
		})
	}
}
