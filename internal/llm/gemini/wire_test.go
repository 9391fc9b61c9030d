package gemini_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
)

// numbers replaces the enumeration names in the response files by numbers, which Google sends for
// the library's query, $alt with enum-encoding=int.
var numbers = strings.NewReplacer(
	`"STOP"`, "1", `"MAX_TOKENS"`, "2", `"SAFETY"`, "3", // finish reasons
	`"PROHIBITED_CONTENT"`, "4", // a block reason
	`"TEXT"`, "1", `"HARM_CATEGORY_HARASSMENT"`, "7", `"HARM_CATEGORY_DANGEROUS_CONTENT"`, "10", `"NEGLIGIBLE"`, "1", `"HIGH"`, "4")

// TestWire compares the adapter with complete requests and responses in testdata, which have every
// field that it writes or reads. A replacement of the library must pass it unchanged.
func TestWire(t *testing.T) {
	t.Parallel()
	temperature, limit := 0.5, 256
	question := llm.Request{Model: "gemini-2.5-flash", Message: prompt}
	text, schema, calls := question, question, actionsRequest()
	text.Instructions, text.Temperature, text.MaxOutputTokens = "You work at a small shop.",
		&temperature, &limit
	text.History = []llm.EarlierTurn{{User: "Where is it?", Assistant: "Which order?"}}
	schema.Schema = `{"type":"object","properties":{"city":{"type":"string","pattern":"."}},"required":["city"]}`
	calls.Model, calls.Instructions = "gemini-3-pro-preview", text.Instructions
	const kept = `[{"text":"Let me look."},` +
		`{"functionCall":{"name":"order_status","args":{"order":"A-1"},"id":"k3m9x2ab"},"thoughtSignature":"EtsBCtgBAXLI2nzc"},` +
		`{"functionCall":{"name":"wait","args":{"hours":12345678901234567890},"id":"p7w1c0de"}}]`
	asked := []llm.Call{
		{Name: "order_status", Arguments: `{"order":"A-1"}`, ProviderState: "k3m9x2ab"},
		{Name: "wait", Arguments: `{"hours":12345678901234567890}`, ProviderState: "p7w1c0de"},
	}
	results := calls
	results.Answered, results.Steps = true, []llm.Step{
		{ProviderState: kept, Calls: asked, Results: []llm.ActionResult{{Result: `{"day":"Monday"}`}, {Error: "Too long."}}},
		{
			Text:    "Again.",
			Calls:   []llm.Call{{Name: "wait", Arguments: `{"hours":1}`}},
			Results: []llm.ActionResult{{Result: "true"}},
		},
	}
	for name, tc := range map[string]struct {
		sent   string // the request's file, if its name differs
		req    llm.Request
		status int // 0 means 200
		want   llm.Reply
		tokens string
		kind   fault.Kind
		after  time.Duration
		cause  string
	}{
		"text": {
			req:    text,
			want:   llm.Reply{Text: "Your parcel left on “Monday”. 📦", Finish: llm.FinishStop},
			tokens: "38 - 32",
		},
		"schema": {req: schema, want: llm.Reply{Text: `{"city":"Oslo"`, Finish: llm.FinishLength}, tokens: "19 - 5"},
		"calls": {
			req:    calls,
			want:   llm.Reply{Text: "Let me look.", Finish: llm.FinishStop, Calls: asked, ProviderState: kept},
			tokens: "92 - 85",
		},
		"results": {req: results, want: llm.Reply{Text: "It left on Monday.", Finish: llm.FinishStop}, tokens: "160 - 6"},
		"blocked": {
			sent:   "question",
			req:    question,
			want:   llm.Reply{Text: "First, ", Finish: llm.FinishBlocked},
			tokens: "9 - 2",
		},
		"prompt": {sent: "question", req: question, kind: fault.ContentBlocked},
		"busy": {
			sent:   "question",
			req:    question,
			status: 429,
			kind:   fault.ModelUnavailable,
			after:  42500 * time.Millisecond,
			cause:  "429 RESOURCE_EXHAUSTED",
		},
		"key": {
			sent:   "question",
			req:    question,
			status: 400,
			kind:   fault.ModelUnavailable,
			cause:  "key was refused",
		},
		"interrupted": {
			sent:  "question",
			req:   question,
			kind:  fault.ModelUnavailable,
			cause: "503 UNAVAILABLE",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.sent == "" {
				tc.sent = name
			}
			response := testdata(t, name+".response.json")
			for _, response := range []string{response, numbers.Replace(response)} {
				s := llmtest.NewGemini(t)
				s.Always(llmtest.StatusBody(max(tc.status, 200), response))
				reply, err := ask(t, newModel(t, s.URL), tc.req)
				got := s.Last(t)
				path := "/v1beta/models/" + tc.req.Model + ":streamGenerateContent"
				if got.Path != path || got.Header.Get("X-Goog-Api-Key") != testKey ||
					s.Holds(testKey, "X-Goog-Api-Key") {
					t.Errorf("path %s, header %v", got.Path, got.Header)
				}
				want := testdata(t, tc.sent+".request.json")
				if !reflect.DeepEqual(sentFields(t, string(got.Body)), sentFields(t, want)) {
					t.Errorf("sent %s, want %s", got.Body, want)
				}
				if tc.kind != "" {
					f, _ := errors.AsType[*fault.Error](err)
					if !fault.Is(err, tc.kind) || f.RetryAfter != tc.after ||
						!strings.Contains(err.Error(), tc.cause) {
						t.Errorf("%v, want %s", err, tc.kind)
					}
					continue
				}
				tokens := usage(reply)
				reply.InputTokens, reply.OutputTokens, reply.Accepted = nil, nil, false
				if err != nil || tokens != tc.tokens || !reflect.DeepEqual(reply, tc.want) {
					t.Errorf("%+v, tokens %s, %v; want %+v, tokens %s", reply, tokens, err, tc.want, tc.tokens)
				}
			}
		})
	}
}

// sentFields parses a request, without the fields that only the library sends: the path has the
// model, and one candidate is the default.
func sentFields(t *testing.T, body string) (fields map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "model")
	if config, ok := fields["generationConfig"].(map[string]any); ok {
		if delete(config, "candidateCount"); len(config) == 0 {
			delete(fields, "generationConfig")
		}
	}
	return fields
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
