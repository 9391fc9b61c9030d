package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// answer is the JSON of a reply.
type answer struct {
	MessageID    string `json:"message_id"`
	SessionID    string `json:"session_id"`
	Reply        string `json:"reply"`
	FinishReason string `json:"finish_reason"`
	Model        string `json:"model"`
	AgentVersion int    `json:"agent_version"`
	Usage        struct {
		Credits          int64  `json:"credits"`
		CreditsRemaining int64  `json:"credits_remaining"`
		InputTokens      *int64 `json:"input_tokens"`
		OutputTokens     *int64 `json:"output_tokens"`
	} `json:"usage"`
}

func (r reply) answer(t *testing.T) answer {
	t.Helper()
	var a answer
	decoder := json.NewDecoder(strings.NewReader(r.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("got %d: %s (%v)", r.StatusCode, r.text, err)
	}
	checkFrame(t, r)
	return a
}

func TestReply(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{RatePerMinute: 60}, nil)
	r := b.post(t, `{"message":"Hello <b>&\u2028","session_id":"a/b josé 私"}`, "X-Request-Id: req-1")
	a := r.answer(t)
	id, err := uuid.Parse(a.MessageID)
	if err != nil || id.Version() != 7 || a.SessionID != "a/b josé 私" || a.Reply == "" ||
		a.FinishReason != "stop" ||
		a.Model != storetest.SandboxModel || a.AgentVersion != 1 || a.Usage.Credits != 1 ||
		a.Usage.CreditsRemaining != 99 {
		t.Errorf("got %s", r.text)
	}
	order := regexp.MustCompile(`^\{"message_id":"[^"]+","session_id":"[^"]+","reply":".*","finish_reason":"stop","model":"[^"]+",` +
		`"agent_version":1,"usage":\{"credits":1,"credits_remaining":99,"input_tokens":\S+,"output_tokens":\S+\}\}\n$`)
	if !order.MatchString(r.text) {
		t.Errorf("the fields are not in the contract's order: %s", r.text)
	}
	for name, want := range map[string]string{
		"X-Request-Id": "req-1", "RateLimit-Limit": "60", "RateLimit-Remaining": "59", "RateLimit-Reset": "1",
		"Idempotent-Replayed": "", "Retry-After": "", "WWW-Authenticate": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if balance, held := b.credits(t); balance != 99 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, b.store)
}

func TestReplyIsWrittenAsItIs(t *testing.T) {
	t.Parallel()
	tokens := int64(1<<62 + 1)
	w := httptest.NewRecorder()
	rest.Reply(w, httptest.NewRequest(http.MethodPost, rest.ChatPath, nil), caller(), &chat.Answer{
		MessageID: uuid.MustParse("019a0000-0000-7000-8000-000000000001"), Session: "<s>", Reply: "a<b> & \u2028 \x01 \"é\" 😀 \xff",
		FinishReason: "length", Model: "sandbox/free", Version: 1, Credits: 0, CreditsRemaining: 1 << 60, OutputTokens: &tokens,
	})
	want := `{"message_id":"019a0000-0000-7000-8000-000000000001","session_id":"<s>","reply":"a<b> & ` + "\u2028" +
		` \u0001 \"é\" 😀 ` + "\ufffd" + `","finish_reason":"length","model":"sandbox/free","agent_version":1,` +
		`"usage":{"credits":0,"credits_remaining":1152921504606846976,"input_tokens":null,"output_tokens":4611686018427387905}}` + "\n"
	if got := w.Body.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A refusal for the key or the rate wins over one for the body, and what the key's holder did wrong
// comes in the contract's order.
func TestOrderOfRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	tight := storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 1})
	sendRaw(t, b.address, request(tight.Key.Reveal(), `{"message":"hi"}`))[0].answer(t)
	const worst = "\x00"
	wrong := []struct {
		name, body string
		headers    []string
		status     int
		code       string
	}{
		{"everything", worst, []string{"Content-Type: text/plain", "Content-Length: 300000", "Idempotency-Key: é"},
			415, "unsupported_media_type"},
		{"compressed", worst, []string{"Content-Encoding: gzip"}, 415, "unsupported_media_type"},
		{"size", worst, []string{"Content-Length: 300000", "Idempotency-Key: é"}, 413, "payload_too_large"},
		{"JSON", worst, []string{"Idempotency-Key: é", "Accept: text/event-stream"}, 400, "invalid_json"},
		{"empty body", "", nil, 400, "invalid_json"},
		{"field", `{"message":" ","stream":true}`, []string{"Idempotency-Key: é"}, 400, "invalid_request"},
		{"field of another type", `{"message":"hi","stream":1}`, []string{"Idempotency-Key: é"}, 400,
			"invalid_request"},
		{"Idempotency-Key of a stream", `{"message":"hi","stream":true}`, []string{"Idempotency-Key: é"},
			400, "invalid_idempotency_key"},
		{"Idempotency-Key", `{"message":"hi"}`, []string{"Idempotency-Key: é"}, 400, "invalid_idempotency_key"},
		{"two Idempotency-Keys", `{"message":"hi"}`, []string{"Idempotency-Key: a", "Idempotency-Key: a"},
			400, "invalid_idempotency_key"},
	}
	for _, tc := range wrong {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := b.post(t, tc.body, tc.headers...)
			r.refused(t, tc.status, tc.code)
			if r.Header.Get("RateLimit-Limit") == "" {
				t.Error("a valid key got no rate")
			}
			r = sendRaw(t, b.address, request(apikey.Mint().Reveal(), tc.body, tc.headers...))[0]
			r.refused(t, http.StatusUnauthorized, "unauthorized")
			if r.Header.Get("RateLimit-Limit") != "" {
				t.Error("an unknown key got a rate")
			}
			r = sendRaw(t, b.address, request(tight.Key.Reveal(), tc.body, tc.headers...))[0]
			r.refused(t, http.StatusTooManyRequests, "rate_limited")
			wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
			if err != nil || wait < 1 || wait > 60 || r.Header.Get("RateLimit-Remaining") != "0" {
				t.Errorf("Retry-After %q, RateLimit-Remaining %q", r.Header.Get("Retry-After"),
					r.Header.Get("RateLimit-Remaining"))
			}
		})
	}
}

// Every request with a valid key spends the rate of its export, but for those over it.
func TestRateOfAnExport(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	hello := quoted("Hello")
	for name, spent := range map[string][]string{
		"replies":   {hello, "one", hello, "two"},
		"a refusal": {"{", "one", hello, "two"},
		"a replay":  {hello, "one", hello, "one"},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 2})
		send := func(body, key string) reply {
			return sendRaw(t, b.address, request(f.Key.Reveal(), body, "Idempotency-Key: "+key))[0]
		}
		for i, left := range []string{"1", "0"} {
			if r := send(spent[2*i], spent[2*i+1]); r.Header.Get("RateLimit-Remaining") != left ||
				r.StatusCode == http.StatusTooManyRequests {
				t.Errorf("%s: request %d got %d with %s left", name, i+1, r.StatusCode, r.Header.Get("RateLimit-Remaining"))
			}
		}
		for _, body := range []string{hello, "{", hello} { // refused before the body is looked at
			r := send(body, "three")
			r.refused(t, http.StatusTooManyRequests, "rate_limited")
			wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
			if err != nil || wait < 1 || wait > 30 || r.Header.Get("RateLimit-Reset") != strconv.Itoa(wait+30) {
				t.Errorf("%s: over the rate: %v", name, r.Header)
			}
		}
		_, _, second := storetest.SeedExport(t, b.store, f.Account.ID, f.Agent.ID, 2)
		sendRaw(t, b.address, request(second.Reveal(), hello))[0].answer(t) // another export has its own rate
	}
}

// A database outage must never look like a wrong key, or callers would discard their keys.
func TestTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]reply{
		"in order":       b.post(t, `{"message":"hi"}`),
		"bad body":       b.post(t, `{`),
		"unknown key":    sendRaw(t, b.address, request(apikey.Mint().Reveal(), `{"message":"hi"}`))[0],
		"bad media type": b.post(t, "", "Content-Type: text/plain"),
	} {
		r.refused(t, http.StatusServiceUnavailable, "unavailable")
		if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Limit") != "" {
			t.Errorf("%s: headers %v", name, r.Header)
		}
	}
	sendRaw(t, b.address, request("k", `{"message":"hi"}`))[0].refused(t, http.StatusUnauthorized, "unauthorized")
}
