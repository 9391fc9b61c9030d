package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const (
	geminiKey   = "AIza-a-key-that-must-stay-secret-0123456789"
	geminiModel = "gemini/gemini-2.5-flash"
)

// newGeminiReplica starts a replica with a model's server that speaks Gemini's wire format.
func newGeminiReplica(t testing.TB, env ...string) *modelReplica {
	t.Helper()
	server := llmtest.NewGemini(t)
	return newModelReplica(t, server, geminiKey, "X-Goog-Api-Key", geminiModel,
		append([]string{"GEMINI_API_KEY=" + geminiKey, "GEMINI_BASE_URL=" + server.URL}, env...)...)
}

// TestGeminiAnswers: the instructions and the conversation go to Gemini in its format, and its replies come back: in one chunk, in
// several, and cut at the output limit.
func TestGeminiAnswers(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	h := newGeminiReplica(t)
	h.limit(t, 0.25, 77)
	before := h.ledger(t)
	h.server.Next(llmtest.Text("Hel", "lo ", "Ada."), llmtest.Text("You are Ada."), llmtest.Cut("A long tale that"))
	first := h.say(t, "s", "I am Ada, "+privateText)
	second := h.say(t, "s", "Who am I?")
	third := h.say(t, "s", "Tell me a tale.")
	for i, want := range []struct {
		got           answer
		reply, finish string
	}{{first, "Hello Ada.", "stop"}, {second, "You are Ada.", "stop"}, {third, "A long tale that", "length"}} {
		body := want.got.details(t)
		if want.got.Status != 200 || want.got.Reply != want.reply || body.Finish != want.finish || body.Model != geminiModel ||
			body.Usage.In != 11 || body.Usage.Out != 3 || want.got.Usage.CreditsRemaining != int64(99-i) {
			t.Errorf("message %d: %d %s", i+1, want.got.Status, want.got.Body)
		}
	}
	if got, want := h.ledger(t), before.charged().charged().charged(); got != want {
		t.Errorf("the ledger is %+v, want %+v", got, want)
	}
	all := h.server.Requests()
	if len(all) != 3 || !strings.HasSuffix(all[2].Path, "/models/gemini-2.5-flash:streamGenerateContent") ||
		all[2].Header.Get("X-Goog-Api-Key") != geminiKey {
		t.Fatalf("%d requests, the last to %s", len(all), h.server.Last(t).Path)
	}
	sent := all[2].Gemini(t)
	if sent.SystemInstruction == nil || sent.SystemInstruction.Text() != "You are a harbour pilot." {
		t.Errorf("the system instruction is %+v", sent.SystemInstruction)
	}
	var conversation []string
	for _, content := range sent.Contents {
		conversation = append(conversation, content.Role+": "+content.Text())
	}
	if want := []string{"user: I am Ada, " + privateText, "model: Hello Ada.", "user: Who am I?", "model: You are Ada.",
		"user: Tell me a tale."}; !slices.Equal(conversation, want) {
		t.Errorf("sent %q, want %q", conversation, want)
	}
	if c := sent.GenerationConfig; c.Temperature == nil || *c.Temperature != 0.25 || c.MaxOutputTokens == nil || *c.MaxOutputTokens != 77 {
		t.Errorf("the generation config is %+v", c)
	}
	storetest.Audit(t, h.store)
}

// TestGeminiKeyInPanel: with a provider's key, its models are available and sign-up is closed unless SIGN_UP opens it. Without a key, it
// is the other way round.
func TestGeminiKeyInPanel(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	for _, c := range []struct {
		name          string
		env           []string
		open, offered bool
	}{
		{"with a key", []string{"GEMINI_API_KEY=" + geminiKey}, false, true},
		{"with a key and open sign-up", []string{"GEMINI_API_KEY=" + geminiKey, "SIGN_UP=open"}, true, true},
		{"without a key", nil, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := storetest.URL(t)
			r := start(t, url, append(c.env, "LOG_LEVEL=debug")...)
			owner := start(t, url) // a replica on which sign-up is open
			b := newBrowser(t)
			got, err := b.signIn(r, signUpQuery, "ada@example.com", "a good password")
			if want := map[bool]string{true: "ok", false: "SIGN_UP_CLOSED"}[c.open]; err != nil || got.code() != want {
				t.Errorf("sign up: %v %s, want %s", err, got.Raw, want)
			}
			var info struct{ SignUpOpen bool }
			if b.must(r, `{ serviceInfo { signUpOpen } }`, nil).into(t, "serviceInfo", &info); info.SignUpOpen != c.open {
				t.Errorf("signUpOpen is %t", info.SignUpOpen)
			}
			if !c.open {
				b.signedUp(owner, "ada@example.com", "a good password")
			}
			var models []struct {
				Name      string
				Available bool
			}
			b.must(r, `{ models { name available } }`, nil).into(t, "models", &models)
			offered := map[string]bool{}
			for _, m := range models {
				offered[m.Name] = m.Available
			}
			if there, ok := offered[geminiModel]; !ok || there != c.offered || !offered[storetest.SandboxModel] {
				t.Errorf("models: %v", offered)
			}
			input := map[string]any{"name": "Pilot", "instructions": "Pilot.", "model": geminiModel}
			var made struct{ Agent struct{ ID string } }
			b.must(r, `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }`, input).into(t, "createAgent", &made)
			got, err = b.do(r, `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { agent { state } } }`,
				map[string]any{"id": made.Agent.ID})
			if err != nil || (got.code() == "ok") != c.offered {
				t.Errorf("completing an agent behind Gemini: %v %s", err, got.Raw)
			}
			if strings.Contains(r.log.String(), geminiKey) {
				t.Error("the log contains the key")
			}
		})
	}
}
