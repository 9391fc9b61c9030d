package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// TestModelPanics: when a model's adapter panics, only that request fails. Concurrent requests are answered and the process goes on.
func TestModelPanics(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F9: in a model's adapter")
	p, c := newPair(t), client(t)
	t.audit(p.store)
	n := 2 * faults.Times(100, 1000)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: int64(n)})
	counts := parallel(8, n, func(i int) string {
		message := []string{"hello", "[[sandbox fail=panic]]"}[i%2]
		got, err := ask(t.Context(), c, p.chat(i/2), f.Key.Reveal(), "", message)
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	})
	if counts["200"] != n/2 || counts["internal"] != n/2 {
		t.Errorf("%v", counts)
	}
	if balance, held := p.credits(t, f); balance != int64(n/2) || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, p.store)
	t.ran(n / 2)
	t.measured("%d panics, each a 500 without a charge; %d concurrent requests answered", counts["internal"], counts["200"])
}

// TestHandlerPanics: a panic before the turn begins is a 500 without a charge, and the same process answers the retry.
func TestHandlerPanics(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F9: in the handler")
	url, c, dir := storetest.URL(t), client(t), t.TempDir()
	s := storetest.Open(t, url)
	t.audit(s)
	r := startProgram(t, failing(), url, "FAILPOINTS_DIR="+dir)
	n := faults.Times(20, 200)
	f := storetest.Seed(t, s, storetest.Options{Credits: int64(n)})
	for i := range n {
		arm(t, dir, "rest.chat", "panic")
		key := fmt.Sprint("key-", i)
		got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "s", "hello", "Idempotency-Key", key)
		if !wasHit(dir, "rest.chat") || err != nil || got.outcome() != "internal" {
			t.Errorf("panic %d: %s %v", i, got.outcome(), err)
		}
		if got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "s", "hello", "Idempotency-Key", key); err != nil ||
			got.Status != http.StatusOK || got.Usage.CreditsRemaining != int64(n-i-1) {
			t.Errorf("the retry after panic %d: %d %s %v", i, got.Status, got.Body, err)
		}
		t.ran(1)
	}
	storetest.Audit(t, s)
	t.measured("%d panics, each a 500 without a charge; the same process answered each retry", n)
}
