package rest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// stoppedKeys are keys that do not work, or no longer work, for different reasons. All but the
// first have worked.
func stoppedKeys(t *testing.T, b *bench) []string {
	t.Helper()
	keys := []string{apikey.Mint().Reveal()}
	for _, stop := range []func(f storetest.Fixture) error{
		func(f storetest.Fixture) error {
			_, err := exports.On(b.store).RemoveExport(t.Context(), f.Account.ID, f.Export.ID)
			return err
		},
		func(f storetest.Fixture) error {
			return erasure.On(b.store).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID)
		},
		func(f storetest.Fixture) error {
			_, err := b.store.SQL().ExecContext(t.Context(),
				`UPDATE api_keys SET stops_at = now() WHERE id = $1`, f.KeyID)
			return err
		},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{})
		sendRaw(t, b.address, request(f.Key.Reveal(), quoted("Hello")))[0].answer(t)
		if err := stop(f); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, f.Key.Reveal())
	}
	return keys
}

// TestSuspendedAccount: the holder of a good key learns that nothing is wrong with it, whatever
// else is wrong with the request. A bad key learns nothing.
func TestSuspendedAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	key, tight := b.fixture.Key, storetest.Seed(t, b.store, storetest.Options{RatePerMinute: 1})
	for _, f := range []storetest.Fixture{b.fixture, tight} {
		sendRaw(t, b.address, request(f.Key.Reveal(), quoted("Hello")))[0].answer(t)
		b.access(t)
		storetest.SetAccountState(t, b.store, f.Account.ID, account.Suspended)
	}
	for _, body := range []string{quoted("Hello"), "{", `{"message":"Hello","stream":true}`} {
		sendRaw(t, b.address, request(key.Reveal(), body))[0].refused(t, http.StatusForbidden, "account_suspended")
		if a := b.access(t); a.Code != "account_suspended" || a.Status != http.StatusForbidden {
			t.Errorf("recorded as %+v", a)
		}
		sendRaw(t, b.address, request(tight.Key.Reveal(), body))[0].
			refused(t, http.StatusForbidden, "account_suspended")
		b.access(t)
		sendRaw(t, b.address, request(apikey.Mint().Reveal(), body))[0].
			refused(t, http.StatusUnauthorized, "unauthorized")
		b.access(t)
	}
	storetest.SetAccountState(t, b.store, b.fixture.Account.ID, account.Active)
	sendRaw(t, b.address, request(key.Reveal(), quoted("Hello")))[0].answer(t)
	if _, err := exports.On(b.store).RemoveExport(t.Context(), b.fixture.Account.ID,
		b.fixture.Export.ID); err != nil {
		t.Fatal(err)
	}
	storetest.SetAccountState(t, b.store, b.fixture.Account.ID, account.Suspended)
	sendRaw(t, b.address, request(key.Reveal(), quoted("Hello")))[0].
		refused(t, http.StatusUnauthorized, "unauthorized")
}

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
	var charges int
	err := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'`).Scan(&charges)
	if err != nil || charges != 3 {
		t.Errorf("%d charges, want 3 from before, %v", charges, err)
	}
	storetest.Audit(t, b.store)
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
