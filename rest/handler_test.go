package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// answer has what the tests read of a reply; TestOpenAPIAgainstRealAnswers checks each field.
type answer struct {
	MessageID string `json:"message_id"`
	SessionID string `json:"session_id"`
	Reply     string
	Usage     struct {
		CreditsRemaining int64 `json:"credits_remaining"`
	}
}

func (r reply) answer(t *testing.T) (a answer) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.text), &a); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("got %d: %s (%v)", r.StatusCode, r.text, err)
	}
	checkFrame(t, r)
	return a
}

// TestReply tests the text of a reply, in the contract's order.
func TestReply(t *testing.T) {
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

// TestOrderOfRefusals tests that a refusal for the key, the account or the rate wins over one for
// the body, and that what the key's holder did wrong comes in the contract's order.
func TestOrderOfRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	tight := storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 1})
	suspended := storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 1})
	for _, f := range []storetest.Fixture{tight, suspended} {
		sendRaw(t, b.address, request(f.Key.Reveal(), quoted("hi")))[0].answer(t)
	}
	storetest.SetAccountState(t, b.store, suspended.Account.ID, account.Suspended)
	const worst, reused = "\x00", "Idempotency-Key: é"
	for _, tc := range []struct {
		name, body string
		headers    []string
		status     int
		code       string
	}{
		{"everything", worst, []string{"Content-Type: text/plain", "Content-Length: 300000", reused}, 415,
			"unsupported_media_type"},
		{"compressed", worst, []string{"Content-Encoding: gzip"}, 415, "unsupported_media_type"},
		{"size", worst, []string{"Content-Length: 300000", reused}, 413, "payload_too_large"},
		{"JSON", worst, []string{reused, "Accept: text/event-stream"}, 400, "invalid_json"},
		{"empty body", "", nil, 400, "invalid_json"},
		{"field", `{"message":" ","stream":true}`, []string{reused}, 400, "invalid_request"},
		{"field's type", `{"message":"hi","stream":1}`, []string{reused}, 400, "invalid_request"},
		{"header of a stream", `{"message":"hi","stream":true}`, []string{reused}, 400,
			"invalid_idempotency_key"},
		{"header", `{"message":"hi"}`, []string{reused}, 400, "invalid_idempotency_key"},
		{"two headers", `{"message":"hi"}`, []string{"Idempotency-Key: a", "Idempotency-Key: a"}, 400,
			"invalid_idempotency_key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, who := range []struct {
				key       string
				status    int
				code      string
				remaining bool // the answer has the rate
			}{
				{b.fixture.Key.Reveal(), tc.status, tc.code, true},
				{apikey.Mint().Reveal(), 401, "unauthorized", false},
				{suspended.Key.Reveal(), 403, "account_suspended", true},
				{tight.Key.Reveal(), 429, "rate_limited", true},
			} {
				r := sendRaw(t, b.address, request(who.key, tc.body, tc.headers...))[0]
				r.refused(t, who.status, who.code)
				if (r.Header.Get("RateLimit-Remaining") != "") != who.remaining {
					t.Errorf("%s: headers %v", who.code, r.Header)
				}
			}
		})
	}
}

// TestRateOfAnExport tests that every request with a valid key spends the rate of its export,
// except those over it.
func TestRateOfAnExport(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	hello := quoted("Hello")
	for name, second := range map[string]struct{ body, key string }{
		"a reply": {hello, "two"}, "a refusal": {"{", "two"}, "a replay": {hello, "one"},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 2})
		send := func(body, key string) reply {
			return sendRaw(t, b.address, request(f.Key.Reveal(), body, "Idempotency-Key: "+key))[0]
		}
		one, two := send(hello, "one"), send(second.body, second.key)
		if one.Header.Get("RateLimit-Remaining") != "1" || two.Header.Get("RateLimit-Remaining") != "0" ||
			two.StatusCode == http.StatusTooManyRequests {
			t.Errorf("%s: got %v, then %d %v", name, one.Header, two.StatusCode, two.Header)
		}
		for range 2 {
			r := send(hello, "three")
			r.refused(t, http.StatusTooManyRequests, "rate_limited")
			wait, err := strconv.Atoi(r.Header.Get("Retry-After"))
			if err != nil || wait < 1 || wait > 30 || r.Header.Get("RateLimit-Reset") != strconv.Itoa(wait+30) {
				t.Errorf("%s: over the rate: %v", name, r.Header)
			}
		}
		// Another export has its own rate.
		_, _, other := storetest.SeedExport(t, b.store, f.Account.ID, f.Agent.ID, 2)
		sendRaw(t, b.address, request(other.Reveal(), hello))[0].answer(t)
	}
}

// TestTheDatabaseIsAway tests that a database outage never looks like a wrong key, or callers would
// discard their keys.
func TestTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	key := b.fixture.Key.Reveal()
	for name, raw := range map[string]string{
		"in order":       request(key, quoted("hi")),
		"bad body":       request(key, "{"),
		"unknown key":    request(apikey.Mint().Reveal(), quoted("hi")),
		"bad media type": request(key, "", "Content-Type: text/plain"),
	} {
		r := sendRaw(t, b.address, raw)[0]
		r.refused(t, http.StatusServiceUnavailable, "unavailable")
		if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Limit") != "" {
			t.Errorf("%s: headers %v", name, r.Header)
		}
	}
	sendRaw(t, b.address, request("k", quoted("hi")))[0].
		refused(t, http.StatusUnauthorized, "unauthorized")
}
