package e2e_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

const (
	geminiKey   = "AIza-a-key-that-nobody-may-see-0123456789"
	geminiModel = "gemini/gemini-2.5-flash"
	// providerText is what a provider writes into its refusals: it quotes the key and the message.
	providerText = "API key " + geminiKey + " cannot ask for " + privateText
	// privateText is in every message here; neither a log nor a refusal may hold it.
	privateText = "the-customers-own-words"
)

// geminiHouse is a replica whose agents are behind a server that speaks Gemini's wire format.
type geminiHouse struct {
	*pair
	r      *replica
	google *llmtest.Server
	seat   storetest.Fixture
	http   *http.Client
}

func newGeminiHouse(t *testing.T, env ...string) *geminiHouse {
	t.Helper()
	h := &geminiHouse{pair: &pair{url: storetest.URL(t)}, google: llmtest.NewGemini(t), http: client(t)}
	h.store = storetest.Open(t, h.url)
	h.r = start(t, h.url, append([]string{"GEMINI_API_KEY=" + geminiKey, "GEMINI_BASE_URL=" + h.google.URL, "LOG_LEVEL=debug"},
		env...)...)
	h.seat = storetest.Seed(t, h.store, storetest.Options{Model: geminiModel, Instructions: "You are a harbour pilot."})
	t.Cleanup(func() { h.expectSilence(t) })
	return h
}

// expectSilence checks that neither the log nor the provider's address line held what they must not hold.
func (h *geminiHouse) expectSilence(t *testing.T) {
	t.Helper()
	log := h.r.log.String()
	for _, secret := range []string{geminiKey, privateText, h.seat.Key.Reveal(), "harbour pilot"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if !strings.Contains(log, `"level":"`) || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log is empty or has an error of ours: %s", log)
	}
	if h.google.Holds(geminiKey, "X-Goog-Api-Key") {
		t.Error("the key went to the provider in another place than its header")
	}
}

func (h *geminiHouse) say(t *testing.T, session, message string) answer {
	t.Helper()
	got, err := ask(t.Context(), h.http, h.r.Chat, h.seat.Key.Reveal(), session, message)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range got.Header {
		if strings.Contains(strings.Join(values, " "), geminiKey) {
			t.Errorf("the header %s holds the key", name)
		}
	}
	if strings.Contains(string(got.Body), geminiKey) {
		t.Errorf("the response holds the key: %s", got.Body)
	}
	return got
}

// ledger is what a message changes in the database. Replies counts turns with a stored reply, in whichever state.
type ledger struct{ Balance, Held, Entries, Answered, Pending, Replies int }

func (h *geminiHouse) ledger(t *testing.T) (l ledger) {
	t.Helper()
	err := h.store.DB().QueryRowContext(t.Context(), `
		SELECT a.credit_balance, a.credits_held, (SELECT count(*) FROM credit_entries e WHERE e.account_id = a.id),
			count(t.id) FILTER (WHERE t.state = 'ANSWERED'), count(t.id) FILTER (WHERE t.state = 'PENDING'), count(t.reply)
		FROM accounts a LEFT JOIN turns t ON t.account_id = a.id WHERE a.id = $1 GROUP BY a.id`, h.seat.Account.ID).
		Scan(&l.Balance, &l.Held, &l.Entries, &l.Answered, &l.Pending, &l.Replies)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// charged is the ledger after one more answered message.
func (l ledger) charged() ledger {
	l.Balance--
	l.Entries++
	l.Answered++
	l.Replies++
	return l
}

// TestGeminiAnswers: the instructions and the conversation go to Gemini as it wants them, and its answers come back: whole,
// in pieces, and cut at the output limit.
func TestGeminiAnswers(t *testing.T) {
	t.Parallel()
	h := newGeminiHouse(t)
	if _, err := h.store.DB().ExecContext(t.Context(),
		`UPDATE agents SET temperature = 0.25, max_output_tokens = 77 WHERE id = $1`, h.seat.Agent.ID); err != nil {
		t.Fatal(err)
	}
	before := h.ledger(t)
	h.google.Next(llmtest.Text("Hel", "lo ", "Ada."), llmtest.Text("You are Ada."), llmtest.Cut("A long tale that"))
	first := h.say(t, "s", "I am Ada, "+privateText)
	second := h.say(t, "s", "Who am I?")
	third := h.say(t, "s", "Tell me a tale.")
	for i, want := range []struct {
		got           answer
		reply, finish string
	}{{first, "Hello Ada.", "stop"}, {second, "You are Ada.", "stop"}, {third, "A long tale that", "length"}} {
		var body struct {
			Finish string `json:"finish_reason"`
			Model  string `json:"model"`
			Usage  struct {
				In  int64 `json:"input_tokens"`
				Out int64 `json:"output_tokens"`
			} `json:"usage"`
		}
		if err := json.Unmarshal(want.got.Body, &body); err != nil {
			t.Fatal(err)
		}
		if want.got.Status != 200 || want.got.Reply != want.reply || body.Finish != want.finish || body.Model != geminiModel ||
			body.Usage.In != 11 || body.Usage.Out != 3 || want.got.Usage.CreditsRemaining != int64(99-i) {
			t.Errorf("message %d: %d %s", i+1, want.got.Status, want.got.Body)
		}
	}
	if got, want := h.ledger(t), before.charged().charged().charged(); got != want {
		t.Errorf("the books say %+v, want %+v", got, want)
	}
	all := h.google.Requests()
	if len(all) != 3 || !strings.HasSuffix(all[2].Path, "/models/gemini-2.5-flash:streamGenerateContent") ||
		all[2].Header.Get("X-Goog-Api-Key") != geminiKey {
		t.Fatalf("%d requests, the last to %s", len(all), h.google.Last(t).Path)
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

// TestGeminiFailures: whatever Gemini does instead of answering is one documented code, costs nothing, ends its hold, leaves
// no reply and nothing in the conversation.
func TestGeminiFailures(t *testing.T) {
	t.Parallel()
	h := newGeminiHouse(t)
	h.google.Next(llmtest.Text("Aye."))
	if got := h.say(t, "s", "Ahoy"); got.Status != 200 {
		t.Fatalf("the first message: %d %s", got.Status, got.Body)
	}
	before := h.ledger(t)
	refuse := llmtest.GeminiError
	for _, c := range []struct {
		name   string
		reply  llmtest.Reply
		status int
		code   string
	}{
		{"blocked prompt", llmtest.GeminiBlockedPrompt("1"), 422, "content_blocked"},
		{"blocked prompt, a later reason", llmtest.GeminiBlockedPrompt("4"), 422, "content_blocked"},
		{"blocked candidate", llmtest.GeminiBlockedReply("So far so", "3"), 422, "content_blocked"},
		{"recitation", llmtest.GeminiBlockedReply("Once upon a", "4"), 422, "content_blocked"},
		{"prohibited content", llmtest.GeminiBlockedReply("", "8"), 422, "content_blocked"},
		{"cut before a text", llmtest.Cut(""), 502, "model_error"},
		{"400", refuse(400, "INVALID_ARGUMENT", providerText), 502, "model_error"},
		{"401", refuse(401, "UNAUTHENTICATED", providerText), 503, "model_unavailable"},
		{"403", refuse(403, "PERMISSION_DENIED", providerText), 503, "model_unavailable"},
		{"404", refuse(404, "NOT_FOUND", providerText), 502, "model_error"},
		{"429", refuse(429, "RESOURCE_EXHAUSTED", providerText), 503, "model_unavailable"},
		{"500", refuse(500, "INTERNAL", providerText), 502, "model_error"},
		{"503", refuse(503, "UNAVAILABLE", providerText), 503, "model_unavailable"},
		{"garbage", llmtest.Garbage(), 502, "model_error"},
		{"a web page", llmtest.HTML(), 502, "model_error"},
		{"a web page with 502", llmtest.StatusBody(502, "<html>"+providerText), 503, "model_unavailable"},
		{"nothing", llmtest.GeminiChunks(), 502, "model_error"},
		{"cut off", llmtest.CutOff("half of ", "an answer"), 502, "model_error"},
		{"connection closed", llmtest.Drop(), 502, "model_error"},
		{"a text too large", llmtest.EndlessText(64<<20, func(int) {}), 502, "model_error"},
		{"pieces without end", llmtest.EndlessPieces(64<<20, func(int) {}), 502, "model_error"},
		{"a compressed text too large", llmtest.GzipBomb(64 << 20), 502, "model_error"},
		{"a redirect", llmtest.Redirect(307, "http://127.0.0.1:1/"), 502, "model_error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.google.Always(c.reply)
			got := h.say(t, "s", "Tell me of "+privateText)
			h.expectRefusal(t, got, c.status, c.code)
			if l := h.ledger(t); l != before {
				t.Errorf("the books say %+v, want %+v", l, before)
			}
		})
	}
	h.google.Always(llmtest.Text("Aye, still."))
	if got := h.say(t, "s", "Are you there?"); got.Status != 200 || got.Reply != "Aye, still." {
		t.Errorf("afterwards: %d %s", got.Status, got.Body)
	}
	if sent := h.google.Last(t).Gemini(t); len(sent.Contents) != 3 {
		t.Errorf("the failures are in the conversation: %d contents", len(sent.Contents))
	}
	if l := h.ledger(t); l != before.charged() {
		t.Errorf("the books say %+v at the end, want %+v", l, before.charged())
	}
	storetest.Audit(t, h.store)
}

// expectRefusal checks one documented code in the documented shape, with nothing of the provider or the message in it.
func (h *geminiHouse) expectRefusal(t *testing.T, got answer, status int, code string) {
	t.Helper()
	if got.Status != status || got.outcome() != code || got.Error.Message == "" || got.Reply != "" {
		t.Errorf("answered %d %s, want %d %s", got.Status, got.Body, status, code)
	}
	if status == http.StatusServiceUnavailable && got.Header.Get("Retry-After") == "" {
		t.Error("a 503 without Retry-After")
	}
	for _, text := range []string{privateText, "Gemini", "google", "INVALID", "<html", "captive", "So far so", h.google.URL} {
		if strings.Contains(string(got.Body), text) {
			t.Errorf("the refusal holds %q: %s", text, got.Body)
		}
	}
}

// TestGeminiHangs: a Gemini that never answers, or never goes on, is model_timeout after MODEL_TIMEOUT, and the call is given up.
func TestGeminiHangs(t *testing.T) {
	t.Parallel()
	h := newGeminiHouse(t, "MODEL_TIMEOUT=1s")
	before := h.ledger(t)
	for name, reply := range map[string]llmtest.Reply{"no answer": llmtest.Hang(), "half an answer": llmtest.HangAfter("So far so")} {
		t.Run(name, func(t *testing.T) {
			h.google.Always(reply)
			h.expectRefusal(t, h.say(t, "s", privateText), http.StatusGatewayTimeout, "model_timeout")
			if l := h.ledger(t); l != before {
				t.Errorf("the books say %+v, want %+v", l, before)
			}
			<-h.google.Done() // the call to Gemini has ended too
		})
	}
	h.google.Always(llmtest.Text("Aye."))
	if got := h.say(t, "s", "Ahoy"); got.Status != 200 || h.ledger(t) != before.charged() {
		t.Errorf("afterwards: %d %s, %+v", got.Status, got.Body, h.ledger(t))
	}
	storetest.Audit(t, h.store)
}

// TestGeminiChangesThePanel: with a provider, its models are on offer and strangers may not sign up; without, the other way
// round. SIGN_UP decides otherwise.
func TestGeminiChangesThePanel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		env           []string
		open, offered bool
	}{
		{"with a key", []string{"GEMINI_API_KEY=" + geminiKey}, false, true},
		{"with a key, opened", []string{"GEMINI_API_KEY=" + geminiKey, "SIGN_UP=open"}, true, true},
		{"without a key", nil, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := storetest.URL(t)
			r := start(t, url, append(c.env, "LOG_LEVEL=debug")...)
			owner := start(t, url) // a replica on which the account can be opened in any case
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
			got, err = b.do(r, `mutation($input: CompleteAgentInput!) { completeAgent(input: $input) { agent { state } } }`,
				map[string]any{"id": made.Agent.ID})
			if err != nil || (got.code() == "ok") != c.offered {
				t.Errorf("completing an agent behind Gemini: %v %s", err, got.Raw)
			}
			if strings.Contains(r.log.String(), geminiKey) {
				t.Error("the log holds the key")
			}
		})
	}
}
