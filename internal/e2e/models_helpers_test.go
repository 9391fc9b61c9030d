package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
)

// privateText is in every message to a provider. No log and no error may contain it.
const privateText = "the-customers-own-words"

// providerText is the text of a provider's errors. It quotes the key and the message.
func providerText(key string) string { return "API key " + key + " cannot ask for " + privateText }

// modelReplica is a replica with a model's server of the test and an agent that uses it.
type modelReplica struct {
	*pair
	r      *replica
	server *llmtest.Server
	// key is the provider's key, and keyHeader the only header that may contain it.
	key, keyHeader string
	// model is the agent's model.
	model   string
	fixture storetest.Fixture
	http    *http.Client
}

// newModelReplica starts a replica with the settings and creates an agent with one of its models.
func newModelReplica(t testing.TB, server *llmtest.Server, key, keyHeader, model string, env ...string) *modelReplica {
	t.Helper()
	h := &modelReplica{pair: &pair{url: storetest.URL(t)}, server: server, key: key, keyHeader: keyHeader, model: model, http: client(t)}
	h.store = storetest.Open(t, h.url)
	h.r = start(t, h.url, append([]string{"LOG_LEVEL=debug"}, env...)...)
	h.fixture = storetest.Seed(t, h.store, storetest.Options{Model: model, Instructions: "You are a harbour pilot."})
	t.Cleanup(func() { h.expectNoSecrets(t) })
	return h
}

// limit publishes the agent with a temperature and an output limit.
func (h *modelReplica) limit(t *testing.T, temperature float64, maxOutputTokens int) {
	t.Helper()
	changed, err := agents.On(h.store).UpdateAgent(t.Context(), h.fixture.Account.ID, h.fixture.Agent.ID, agent.Changes{
		Temperature:     agent.Change[float64]{Set: true, Value: &temperature},
		MaxOutputTokens: agent.Change[int]{Set: true, Value: &maxOutputTokens}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, h.store, changed)
}

// expectNoSecrets checks that neither the log nor the requests to the provider contain secrets.
func (h *modelReplica) expectNoSecrets(t testing.TB) {
	t.Helper()
	log := h.r.log.String()
	for _, secret := range []string{h.key, privateText, h.fixture.Key.Reveal(), "harbour pilot"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log contains %q", secret)
		}
	}
	if !strings.Contains(log, `"level":"`) || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log is empty or contains an error: %s", log)
	}
	if h.server.Holds(h.key, h.keyHeader) {
		t.Error("the key went to the provider outside its header")
	}
}

func (h *modelReplica) say(t *testing.T, session, message string) answer {
	t.Helper()
	got, err := ask(t.Context(), h.http, h.r.Chat, h.fixture.Key.Reveal(), session, message)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range got.Header {
		if strings.Contains(strings.Join(values, " "), h.key) {
			t.Errorf("the header %s contains the key", name)
		}
	}
	if strings.Contains(string(got.Body), h.key) {
		t.Errorf("the response contains the key: %s", got.Body)
	}
	return got
}

// ledger is what a message changes in the database. Replies counts turns with a stored reply, in any state.
type ledger struct{ Balance, Held, Entries, Answered, Pending, Replies int }

func (h *modelReplica) ledger(t *testing.T) (l ledger) {
	t.Helper()
	err := h.store.SQL().QueryRowContext(t.Context(), `
		SELECT a.credit_balance, a.credits_held, (SELECT count(*) FROM credit_entries e WHERE e.account_id = a.id),
			count(t.id) FILTER (WHERE t.state = 'ANSWERED'), count(t.id) FILTER (WHERE t.state = 'PENDING'), count(t.reply)
		FROM accounts a LEFT JOIN turns t ON t.account_id = a.id WHERE a.id = $1 GROUP BY a.id`, h.fixture.Account.ID).
		Scan(&l.Balance, &l.Held, &l.Entries, &l.Answered, &l.Pending, &l.Replies)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// charged returns the ledger after one more answered message.
func (l ledger) charged() ledger {
	l.Balance--
	l.Entries++
	l.Answered++
	l.Replies++
	return l
}

// replyDetails are the fields of a reply besides its text.
type replyDetails struct {
	Finish string `json:"finish_reason"`
	Model  string `json:"model"`
	Usage  struct {
		In  int64 `json:"input_tokens"`
		Out int64 `json:"output_tokens"`
	} `json:"usage"`
}

func (a answer) details(t *testing.T) (details replyDetails) {
	t.Helper()
	if err := json.Unmarshal(a.Body, &details); err != nil {
		t.Fatal(err)
	}
	return details
}

// expectRefusal checks that an error has the documented code and shape, and contains nothing of the provider or the message.
func (h *modelReplica) expectRefusal(t *testing.T, got answer, status int, code string) {
	t.Helper()
	if got.Status != status || got.outcome() != code || got.Error.Message == "" || got.Reply != "" {
		t.Errorf("answered %d %s, want %d %s", got.Status, got.Body, status, code)
	}
	if status == http.StatusServiceUnavailable && got.Header.Get("Retry-After") == "" {
		t.Error("a 503 without Retry-After")
	}
	for _, text := range []string{privateText, "Gemini", "google", "OpenAI", "openai", "INVALID", "invalid_", "<html",
		"captive", "So far so", h.server.URL} {
		if strings.Contains(string(got.Body), text) {
			t.Errorf("the error contains %q: %s", text, got.Body)
		}
	}
}

// sayStreamed is say with a streamed reply, in a new session. If the reply was streamed, the answer is that of the last event; if it
// was refused before the first event, it is that of the response.
func (h *modelReplica) sayStreamed(t *testing.T, message string) (got answer, streamed bool) {
	t.Helper()
	resp, lines, err := openStream(t.Context(), h.http, h.r.Chat, h.fixture.Key.Reveal(), message)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	whole, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	got = answer{Status: resp.StatusCode, Header: resp.Header, Body: whole}
	streamed = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	if streamed {
		_, last, _ := strings.Cut(string(whole), "event: error\n")
		if before, rest, ended := strings.Cut(string(whole), "event: end\n"); ended {
			last = rest
			got.Reply = strings.Join(deltas(t, before), "")
		}
		got.Body = []byte(strings.TrimPrefix(strings.TrimSpace(last), "data: "))
	}
	reply := got.Reply
	if err := json.Unmarshal(got.Body, &got); err != nil {
		t.Fatalf("%v in %s", err, whole)
	}
	if streamed && got.Reply != reply {
		t.Errorf("the deltas are %q, the reply is %q", reply, got.Reply)
	}
	if strings.Contains(string(whole), h.key) {
		t.Errorf("the stream contains the key: %s", whole)
	}
	return got, streamed
}

// deltas returns the chunks of text in a stream.
func deltas(t *testing.T, stream string) (pieces []string) {
	t.Helper()
	for _, event := range strings.Split(stream, "event: delta\n")[1:] {
		data, _, _ := strings.Cut(event, "\n")
		var delta struct{ Text string }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(data, "data: ")), &delta); err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, delta.Text)
	}
	return pieces
}
