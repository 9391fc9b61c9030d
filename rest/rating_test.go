package rest_test

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// ratings rates a reply, changes the rating and withdraws it, at no cost. Everything that cannot be
// rated gets the same error. Accept and Idempotency-Key are ignored.
func (d *answersBench) ratings(t *testing.T) {
	t.Parallel()
	f := storetest.Seed(t, d.store, storetest.Options{})
	key := f.Key.Reveal()
	send := func(body string) (id string) {
		t.Helper()
		_, id = d.ask(t, call{key: key, body: body, status: 200, described: true}).end(t)
		return id
	}
	good := send(`{"message":"Hello","session_id":"s","user_id":"u"}`)
	deleted := send(`{"message":"Hello","session_id":"gone"}`)
	if _, err := erasure.On(d.store).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "gone", nil); err != nil {
		t.Fatal(err)
	}
	balance, _ := storetest.Credits(t, d.store, f.Account.ID)
	rate := func(id, rest string) call {
		return call{
			key: key, body: `{"rating":{"message_id":"` + id + `",` + rest, status: 200, described: true,
			headers: []string{"Accept: text/event-stream", "X-Request-Id: same"},
		}
	}
	for body, want := range map[string]string{
		`"value":-1,"note":"<b>'; =1+1"}}`:     `{"value":-1,"note":"<b>'; =1+1","rated_at":"`,
		`"value":1},"user_id":"u"}`:            `{"value":1,"note":"","rated_at":"`,
		`"value":0},"stream":false}`:           `null}`,
		`"value":1,"note":null}}`:              `{"value":1,"note":"","rated_at":"`,
		`"value":1},"user_id":null}`:           `{"value":1,"note":"","rated_at":"`,
		`"value":0},"background":false}`:       `null}`,
		`"value":0,"note":""},"stream":false}`: `null}`,
	} {
		r := d.ask(t, rate(good, body))
		if about := `{"message_id":"` + good + `","session_id":"s","rating":`; !strings.HasPrefix(r.text, about+want) {
			t.Errorf("%s: %s", body, r.text)
		}
	}
	malformed := rate(good, `"value":1}}`)
	malformed.headers, malformed.described = []string{"Idempotency-Key: a b"}, false
	d.ask(t, malformed)

	second := storetest.SeedAgent(t, d.store, f.Account.ID, storetest.Options{})
	_, _, secondKey := storetest.SeedExport(t, d.store, f.Account.ID, second.ID, 600)
	keys := map[string]string{"another agent's": secondKey.Reveal(), "another account's": d.fixture.Key.Reveal()}
	var first string
	for name, c := range map[string]call{
		"unknown":           rate(uuid.NewString(), `"value":1}}`),
		"another agent's":   rate(good, `"value":1}}`),
		"another account's": rate(good, `"value":1}}`),
		"deleted":           rate(deleted, `"value":1}}`),
		"another user's":    rate(good, `"value":1},"user_id":"v"}`),
		"of no user":        rate(deleted, `"value":0},"user_id":"v"}`),
	} {
		c.key = cmp.Or(keys[name], key)
		c.status, c.code = 404, "not_found"
		r := d.ask(t, c)
		if first == "" {
			first = r.text
		}
		if r.text != first || !strings.Contains(r.text, `"details":{"field":"rating.message_id"}`) {
			t.Errorf("%s: %s, not %s", name, r.text, first)
		}
	}
	if _, err := conversations.On(d.store).BlockEndUser(t.Context(), f.Account.ID, "u", true); err != nil {
		t.Fatal(err)
	}
	blocked := rate(good, `"value":1},"user_id":"u"}`)
	blocked.status, blocked.code = 403, "user_blocked"
	d.ask(t, blocked)
	if after, held := storetest.Credits(t, d.store, f.Account.ID); after != balance || held != 0 {
		t.Errorf("a balance of %d, %d held, want %d", after, held, balance)
	}
}

// TestRatingsAndRequests tests that a rating uses one request of the rate limit, and that only
// rejected ratings are listed as requests. An offline agent can be rated, but not through a paused
// export.
func TestRatingsAndRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{RatePerMinute: 10}, nil)
	var answer struct {
		MessageID string `json:"message_id"`
	}
	if err := json.Unmarshal([]byte(b.post(t, quoted("Hello")).text), &answer); err != nil {
		t.Fatal(err)
	}
	b.access(t)
	body := `{"rating":{"message_id":"` + answer.MessageID + `","value":1},"user_id":"u"}`
	for i, c := range []struct {
		prepare, body string
		status        int
	}{
		{`SELECT 1`, strings.Replace(body, `,"user_id":"u"`, "", 1), 200},
		{`UPDATE agents SET state = 'OFFLINE'`, strings.Replace(body, `,"user_id":"u"`, "", 1), 200},
		{`SELECT 1`, body, 404}, // the conversation has no end user
		{`SELECT 1`, strings.Replace(body, `:1`, `:"1"`, 1), 400},
		{`UPDATE api_exports SET paused_at = now()`, body, 403},
	} {
		storetest.Exec(t, b.store, c.prepare)
		r := b.post(t, c.body)
		got := b.access(t)
		spent := strconv.Itoa(10 - 2 - i)
		if r.StatusCode != c.status || (got.Rejected != nil) != (c.status != 200) || got.Credits != 0 ||
			c.status != 403 && r.Header.Get("RateLimit-Remaining") != spent {
			t.Errorf("%s: %d %s, %s left of the rate, recorded as %+v", c.body, r.StatusCode, r.text,
				r.Header.Get("RateLimit-Remaining"), got.Rejected)
		}
		if c.status == 404 && *got.Rejected.UserID != "u" {
			t.Errorf("recorded as %+v", got.Rejected)
		}
	}
}
