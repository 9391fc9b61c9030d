package llmtest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
)

const method = "/v1beta/models/gemini-2.5-flash:streamGenerateContent"

// post asks a server with a key, and returns the status and the body.
func post(t *testing.T, url, key, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Goog-Api-Key", key)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestGeminiWireFormat(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	s.Next(llmtest.Text("one ", "two\n\"é\""), llmtest.GeminiError(429, "RESOURCE_EXHAUSTED", "slow down", `{"reason":"R"}`))
	const question = `{"contents":[{"role":"user","parts":[{"text":"a"},{"text":"b"}]}]}`
	status, body := post(t, s.URL+method, "k", question)
	var chunks []struct {
		Candidates []struct {
			Content      llmtest.GeminiContent
			FinishReason int
		}
		UsageMetadata map[string]int
	}
	if err := json.Unmarshal([]byte(body), &chunks); err != nil || status != http.StatusOK || len(chunks) != 2 {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	last := chunks[1].Candidates[0]
	if chunks[0].Candidates[0].Content.Text()+last.Content.Text() != "one two\n\"é\"" || last.FinishReason != 1 ||
		chunks[1].UsageMetadata["promptTokenCount"] != 11 {
		t.Errorf("answer %s", body)
	}
	if status, body := post(t, s.URL+method, "k", question); status != 429 || !strings.Contains(body, `"status":"RESOURCE_EXHAUSTED"`) {
		t.Errorf("error %d %s", status, body)
	}
	if status, body := post(t, s.URL+method, "k", question); status != http.StatusOK || !strings.Contains(body, "Hello.") {
		t.Errorf("the default %d %s", status, body)
	}
	if got := s.Last(t); len(s.Requests()) != 3 || got.Gemini(t).Contents[0].Text() != "ab" || got.Path != method {
		t.Errorf("recorded %d, last %+v", len(s.Requests()), got)
	}
	if s.Holds("nowhere", "X-Goog-Api-Key") || !s.Holds(`"role":"user"`, "X-Goog-Api-Key") {
		t.Error("Holds is wrong about the requests")
	}
}

func TestGeminiRefusals(t *testing.T) {
	t.Parallel()
	s := llmtest.NewGemini(t)
	for _, tc := range []struct {
		path, key string
		want      int
	}{
		{"/", "k", http.StatusNotFound}, {"/v1beta/models/m:countTokens", "k", http.StatusNotFound},
		{"/v1beta" + method, "k", http.StatusNotFound}, {method, "", http.StatusForbidden},
	} {
		if status, _ := post(t, s.URL+tc.path, tc.key, "{}"); status != tc.want {
			t.Errorf("%s: %d, want %d", tc.path, status, tc.want)
		}
	}
	if len(s.Requests()) != 0 {
		t.Error("a refused request was recorded")
	}
}

const completions = "/v1/chat/completions"

func TestOpenAIWireFormat(t *testing.T) {
	t.Parallel()
	s := llmtest.NewOpenAI(t, "k")
	s.Next(llmtest.Text("one ", "two\n\"é\""), llmtest.OpenAIError(429, `"a"`, `"b"`, "null", "slow down"))
	const question = `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`
	status, body := post(t, s.URL+completions, "k", question)
	var text, finish string
	tokens := 0
	events := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	for _, event := range events[:len(events)-1] {
		var chunk struct {
			Choices []struct {
				Delta        struct{ Content string }
				FinishReason string `json:"finish_reason"`
			}
			Usage map[string]int
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &chunk); err != nil {
			t.Fatalf("%s: %v", event, err)
		}
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
			finish += choice.FinishReason
		}
		tokens += chunk.Usage["prompt_tokens"]
	}
	if status != http.StatusOK || text != "one two\n\"é\"" || finish != "stop" || tokens != 11 || events[len(events)-1] != "data: [DONE]" {
		t.Errorf("%d %q %q %d\n%s", status, text, finish, tokens, body)
	}
	if status, body := post(t, s.URL+completions, "k", question); status != 429 || !strings.Contains(body, `"code":"b"`) {
		t.Errorf("error %d %s", status, body)
	}
	if got := s.Last(t).OpenAI(t); len(s.Requests()) != 2 || got.Model != "m" || got.Conversation()[0] != "user: hi" || !got.Stream {
		t.Errorf("recorded %+v", got)
	}
}

func TestOpenAIRefusals(t *testing.T) {
	t.Parallel()
	s, local := llmtest.NewOpenAI(t, "k"), llmtest.NewOpenAI(t, "")
	for _, tc := range []struct {
		url, key string
		want     int
	}{
		{s.URL + "/", "k", http.StatusNotFound}, {s.URL + "/chat/completions", "k", http.StatusNotFound},
		{s.URL + completions, "other", http.StatusUnauthorized}, {local.URL + completions, "any", http.StatusOK},
	} {
		if status, _ := post(t, tc.url, tc.key, "{}"); status != tc.want {
			t.Errorf("%s: %d, want %d", tc.url, status, tc.want)
		}
	}
	if len(s.Requests()) != 0 {
		t.Error("a refused request was recorded")
	}
}
