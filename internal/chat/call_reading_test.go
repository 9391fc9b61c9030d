package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/store/storetest"
)

// TestCallsWithOneReading tests that a call whose name or arguments have one reading that fits is
// taken after one model call, whatever the shape of its stream, and that the next request has it as
// it was read, without the model's thoughts. The model is asked again if there are two readings, or
// none.
func TestCallsWithOneReading(t *testing.T) {
	t.Parallel()
	actions := slices.Concat(desk[:2], []agent.Action{{Name: "find", Description: "Finds.", Parameters: `{
		"type": "object",
		"properties": {
			"text": {"type": "string"},
			"count": {"type": "integer"},
			"exact": {"type": "boolean"},
			"tags": {"type": "array", "items": {"type": "string"}},
			"state": {"enum": ["open", "shipped"]},
			"near": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
		},
		"required": ["text"],
		"additionalProperties": false
	}`}})
	server := llmtest.NewOpenAI(t, "key")
	m, err := openai.New(catalogue.ProviderConfig{Name: "test", APIKey: "key", BaseURL: server.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	b := newSetup(t, 1, offering(m))
	fixture := func() storetest.Fixture {
		return storetest.Seed(t, b.store, storetest.Options{Model: testModel, Actions: actions})
	}
	f := fixture()
	for _, tc := range []struct{ name, arguments, want string }{ // want is empty: asked again
		{"find", `{"text":"a"}`, `{"text":"a"}`},
		{"functions.find", `{"text":"a"}`, `{"text":"a"}`},
		{" Find()", `{"text":"a"}`, `{"text":"a"}`},
		{"find<|channel|>commentary", `{"text":"a"}`, `{"text":"a"}`},
		{"default_api:Order-Status", `{"order":"A-1"}`, `{"order":"A-1"}`},
		{"functions.find:0", `{"text":"a"}`, `{"text":"a"}`},
		{"`find`", `{"text":"a"}`, `{"text":"a"}`},
		{"find(text)", `{"text":"a"}`, `{"text":"a"}`},
		{"findings", `{"text":"a"}`, ""},
		// Wrapped.
		{"find", `"{\"text\":\"a\"}"`, `{"text":"a"}`},
		{"find", `[{"text":"a"}]`, `{"text":"a"}`},
		{"find", `{"arguments":{"text":"a"}}`, `{"text":"a"}`},
		{"find", `{"name":"find","parameters":"{\"text\":\"a\"}"}`, `{"text":"a"}`},
		{"find", `{"find":{"text":"a"}}`, `{"text":"a"}`},
		{"find", `{"function":{"name":"find","arguments":{"text":"a"}}}`, `{"text":"a"}`},
		{"find", `{"text":{"text":"a"},"near":{"near":{"city":"Bonn"}}}`, `{"near":{"city":"Bonn"},"text":"a"}`},
		{"find", `{"text":["a"],"count":"5","exact":"True","tags":"b"}`, `{"count":5,"exact":true,"tags":["b"],"text":"a"}`},
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
		{"wait", `None`, `{}`},
		{"wait", `{"":null}`, `{}`},
		{"find", `{"text":"a","count":null,"state":"","near":"None","other":null}`, `{"text":"a"}`},
		{"find", `{"text":null}`, ""},
		// Numbers are not text, and no reading drops a value.
		{"find", `{"text":5}`, ""},
		{"find", `{"text":"a","other":1}`, ""},
		{"find", `{"text":"a","near":{"city":{}}}`, ""},
		{"find", `{"text":12345678901234567890.10,"count":"many"}`, ""},
	} {
		for shape, reply := range map[string]llmtest.Reply{
			"in pieces": llmtest.Calls("<think>secret</think>", llm.Call{Name: tc.name, Arguments: tc.arguments}),
			"whole": llmtest.OpenAIWhole(fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"c1",`+
				`"type":"function","function":{"name":%s,"arguments":%s}}]}`, quoted(tc.name), quoted(tc.arguments)), `"tool_calls"`),
		} {
			server.Forget()
			server.Always(reply)
			if tc.want == "" {
				f = fixture() // many failures in a minute stop an agent
			}
			session := uuid.NewString()
			got, _ := b.replicas[0].Send(t.Context(), newMessage(f, session, "Find it."))
			asked := len(server.Requests())
			if tc.want == "" {
				if asked != 2 || got.Answer != nil {
					t.Errorf("%s %s, %s: %d calls, %+v", tc.name, tc.arguments, shape, asked, got.Answer)
				}
				continue
			}
			if asked != 1 || got.Answer == nil || string(got.Answer.Actions[0].Arguments) != tc.want {
				t.Errorf("%s %s, %s: %d calls, %+v; want %s", tc.name, tc.arguments, shape, asked, got.Answer, tc.want)
				continue
			}
			server.Always(llmtest.Text("Done."))
			send(t, b.replicas[0], bring(f, session, got.Answer, "1"))
			messages := server.Last(t).OpenAI(t).Messages
			sent, call := messages[len(messages)-2].ToolCalls[0].Function, got.Answer.Actions[0]
			if sent.Name != call.Name || sent.Arguments != string(call.Arguments) ||
				strings.Contains(string(server.Last(t).Body), "secret") {
				t.Errorf("%s %s, %s: the next request has %+v", tc.name, tc.arguments, shape, sent)
			}
		}
	}
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}
