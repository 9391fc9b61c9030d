package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const (
	openAIKey   = "sk-a-key-that-must-stay-secret-0123456789"
	openAIModel = "openai/gpt-5-mini"
)

// libraryVariables are environment variables of OpenAI's own library. The service must ignore them.
func libraryVariables() []string {
	return []string{"OPENAI_ORG_ID=org-stray", "OPENAI_PROJECT_ID=proj-stray", "OPENAI_ADMIN_KEY=sk-admin-stray",
		"OPENAI_CUSTOM_HEADERS=X-Custom: stray"}
}

// newOpenAIReplica starts a replica with a model's server that speaks OpenAI's wire format.
func newOpenAIReplica(t testing.TB, env ...string) *modelReplica {
	t.Helper()
	server := llmtest.NewOpenAI(t, openAIKey)
	t.Cleanup(func() {
		if server.Holds("stray", "") {
			t.Error("a value from the environment went to the provider")
		}
	})
	env = append(env, libraryVariables()...)
	return newModelReplica(t, server, openAIKey, "Authorization", openAIModel,
		append([]string{"OPENAI_API_KEY=" + openAIKey, "OPENAI_BASE_URL=" + server.URL + "/v1"}, env...)...)
}

// TestOpenAIAnswers: the instructions and the conversation go to the provider in its format, and its replies come back: in one chunk,
// in several, and cut at the output limit. Implausible usage is ignored.
func TestOpenAIAnswers(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	h := newOpenAIReplica(t)
	h.limit(t, 0.25, 77)
	before := h.ledger(t)
	h.server.Next(llmtest.Text("Hel", "lo ", "Ada."), llmtest.OpenAIWhole(`{"role":"assistant","content":"You are Ada."}`, `"stop"`),
		llmtest.Cut("A long tale that"), llmtest.OpenAIChunks(llmtest.OpenAIChunk("Aye.", "stop"),
			llmtest.OpenAIUsage(`{"prompt_tokens":9223372036854775807,"completion_tokens":-1,"total_tokens":"1e308"}`)),
		llmtest.Raw("caf\xe9\\u0000!"))
	for i, want := range []struct {
		message, reply, finish string
		in, out                int64
	}{
		{"I am Ada, " + privateText, "Hello Ada.", "stop", 11, 3}, {"Who am I?", "You are Ada.", "stop", 11, 3},
		{"Tell me a tale.", "A long tale that", "length", 11, 3}, {"Aye?", "Aye.", "stop", 0, 0},
		{"Coffee?", "caf\uFFFD!", "stop", 11, 3},
	} {
		got := h.say(t, "s", want.message)
		says := got.details(t)
		if got.Status != 200 || got.Reply != want.reply || says.Finish != want.finish || says.Model != openAIModel ||
			says.Usage.In != want.in || says.Usage.Out != want.out || got.Usage.CreditsRemaining != int64(99-i) {
			t.Errorf("message %d: %d %s", i+1, got.Status, got.Body)
		}
	}
	if got, want := h.ledger(t), before.charged().charged().charged().charged().charged(); got != want {
		t.Errorf("the ledger is %+v, want %+v", got, want)
	}
	all := h.server.Requests()
	if len(all) != 5 || all[2].Header.Get("Authorization") != "Bearer "+openAIKey {
		t.Fatalf("%d requests", len(all))
	}
	sent := all[2].OpenAI(t)
	if want := []string{"system: You are a harbour pilot.", "user: I am Ada, " + privateText, "assistant: Hello Ada.",
		"user: Who am I?", "assistant: You are Ada.", "user: Tell me a tale."}; !slices.Equal(sent.Conversation(), want) {
		t.Errorf("sent %q, want %q", sent.Conversation(), want)
	}
	if sent.Model != "gpt-5-mini" || *sent.Temperature != 0.25 || *sent.MaxTokens != 77 || !sent.Stream {
		t.Errorf("sent %s", all[2].Body)
	}
	storetest.Audit(t, h.store)
}

// TestModelFailures: every failure of a provider gives one documented code and costs nothing.
func TestModelFailures(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	h := newOpenAIReplica(t)
	h.expectFailures(t, modelFailures(openAIKey))
	if sent := h.server.Last(t).OpenAI(t); len(sent.Messages) != 4 {
		t.Errorf("failed turns are in the conversation: %q", sent.Conversation())
	}
}

// TestModelHangs: if a provider never answers, the result is model_timeout.
func TestModelHangs(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	newOpenAIReplica(t, "MODEL_TIMEOUT=1s").expectTimeouts(t)
}

// TestModelsFileServesSeveral: a models file with two OpenAI-compatible servers, one with a key from a file and one without a key. Each
// gets the requests for its models, at their prices.
func TestModelsFileServesSeveral(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	cloud, local := llmtest.NewOpenAI(t, openAIKey), llmtest.NewOpenAI(t, "")
	cloud.Always(llmtest.Text("From the cloud."))
	local.Always(llmtest.Text("From this room."))
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	models := write("models.yaml", fmt.Sprintf(`
providers:
  - {name: cloud, kind: openai, base_url: %s/v1, api_key_env: CLOUD_KEY}
  - {name: ollama, kind: openai, base_url: %s/v1}
models:
  - {name: big, provider: cloud, upstream_name: gpt-5, credits: 7, context_window: 400000}
  - {name: llama3.2, provider: ollama, credits: 0, context_window: 8192}
`, cloud.URL, local.URL))
	h := newModelReplica(t, cloud, openAIKey, "Authorization", "cloud/big", append(libraryVariables(), "MODELS_FILE="+models,
		"CLOUD_KEY_FILE="+write("key", openAIKey+"\n"), "OPENAI_API_KEY=sk-stray")...)
	room := storetest.Seed(t, h.store, storetest.Options{Model: "ollama/llama3.2"})
	for range 3 {
		if got := h.say(t, "s", "Ahoy"); got.Reply != "From the cloud." || got.Usage.Credits != 7 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		got, err := ask(t.Context(), h.http, h.r.Chat, room.Key.Reveal(), "s", "Ahoy")
		if err != nil || got.Reply != "From this room." || got.Usage.Credits != 0 {
			t.Errorf("%d %s, %v", got.Status, got.Body, err)
		}
	}
	if n, m := len(cloud.Requests()), len(local.Requests()); n != 3 || m != 3 {
		t.Errorf("%d and %d requests", n, m)
	}
	last := local.Last(t)
	if _, sent := last.Header["Authorization"]; sent || last.OpenAI(t).Model != "llama3.2" || cloud.Last(t).OpenAI(t).Model != "gpt-5" {
		t.Errorf("the local server got the headers %v and %s", last.Header, last.Body)
	}
	for _, s := range []*llmtest.Server{cloud, local} {
		if s.Holds("stray", "") {
			t.Error("a value from the environment went to a provider")
		}
	}
	if strings.Contains(h.r.log.String(), "stray") {
		t.Error("the log contains a value from the environment")
	}
	storetest.Audit(t, h.store)
}
