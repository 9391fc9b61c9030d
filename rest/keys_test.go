package rest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// stoppedKeys are keys that do not work, or no longer work, for different reasons. All but the
// first have worked.
func stoppedKeys(t *testing.T, b *bench) []string {
	t.Helper()
	keys := []string{apikey.Mint().Reveal()}
	for _, stop := range []string{
		`UPDATE api_exports SET removed_at = now() WHERE account_id = $1`,
		`UPDATE agents SET deleted_at = now() WHERE account_id = $1`,
		`UPDATE api_keys SET stops_at = now() WHERE account_id = $1`,
	} {
		f := storetest.Seed(t, b.store, storetest.Options{})
		sendRaw(t, b.address, request(f.Key.Reveal(), quoted("Hello")))[0].answer(t)
		storetest.Exec(t, b.store, stop, f.Account.ID)
		keys = append(keys, f.Key.Reveal())
	}
	return keys
}

// TestStoppedKeysAreAllRefusedAlike tests that a refusal does not tell why a key does not work.
func TestStoppedKeysAreAllRefusedAlike(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	var first reply
	for i, key := range stoppedKeys(t, b) {
		r := sendRaw(t, b.address, request(key, quoted("Hello"), "X-Request-Id: same"))[0]
		r.refused(t, http.StatusUnauthorized, "unauthorized")
		if i == 0 {
			first = r
		}
		if r.text != first.text || len(r.Header) != len(first.Header) {
			t.Errorf("key %d differs from the first: %s %v", i, r.text, r.Header)
		}
	}
}

func TestStoppedKeysTakeTheSameTime(t *testing.T) {
	testlong.Only(t) // it compares times, which needs a quiet machine
	b := newBench(t, storetest.Options{}, unobserved)
	keys := stoppedKeys(t, b)
	const rounds = 41
	times := make([][]time.Duration, len(keys))
	for range rounds {
		for i, key := range keys {
			began := time.Now()
			sendRaw(t, b.address, request(key, quoted("Hello")))
			times[i] = append(times[i], time.Since(began))
		}
	}
	medians := make([]time.Duration, len(keys))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][rounds/2]
	}
	t.Logf("medians: %v", medians)
	if least, most := slices.Min(medians), slices.Max(medians); most > 3*least {
		t.Errorf("rejections take %v: callers can distinguish the keys", medians)
	}
}

// The body of a refused request is never read as the next request.
func TestABodyIsNoRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	key := b.fixture.Key.Reveal()
	inner := request(key, quoted("Hello"))
	for name, outer := range map[string]string{
		"a malformed key":           request("no", inner),
		"no media type":             request(key, inner, "Content-Type:"),
		"no JSON":                   request(key, inner),
		"another path":              strings.Replace(request(key, inner), "/v1/agent/chat", "/v1/nothing", 1),
		"another method":            strings.Replace(request(key, inner), "POST", "GET", 1),
		"no chunks":                 chunked(key, inner),
		"HTTP/1.0, no chunks":       http10(chunked(key, inner)),
		"HTTP/1.0 without a length": http10(request(key, inner, "Content-Length:")),
	} {
		replies := sendRaw(t, b.address, outer)
		if len(replies) != 1 || replies[0].StatusCode < 400 || replies[0].StatusCode > 499 {
			t.Errorf("%s: %d answers, the first %d", name, len(replies), replies[0].StatusCode)
		}
	}
	b.untouched(t)
}
