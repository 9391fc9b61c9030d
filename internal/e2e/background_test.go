package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestBackgroundOverACrash: a replica is killed while it answers in the background. The caller
// polls another replica, and gets one reply for one charge.
func TestBackgroundOverACrash(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	c := newCluster(t, 2)
	f := storetest.Seed(t, c.store, storetest.Options{Credits: 2})
	body := map[string]any{"message": "[[sandbox delay=5s]]", "session_id": "s", "background": true}
	poll := func(i int) answer {
		t.Helper()
		got, err := askWith(t.Context(), client(t), c.chat(i), f.Key.Reveal(), body, "Idempotency-Key", "one")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := poll(0)
	if first.Status != http.StatusAccepted || first.Session != "s" {
		t.Fatalf("the first answer: %s %s", first.outcome(), first.Body)
	}
	c.replicas[0].kill()
	seen, last := map[string]int{}, time.Now()
	eventually(t, "the reply", func() bool {
		got := poll(1)
		seen[got.outcome()]++
		return got.Status == http.StatusOK && got.Header.Get("Idempotent-Replayed") == "true" && got.Message != first.Message
	})
	t.Logf("answered after %s: %v", time.Since(last), seen)
	for outcome := range seen {
		if outcome != "202" && outcome != "200" && outcome != "unavailable" && outcome != "session_busy" {
			t.Errorf("a poll: %s", outcome)
		}
	}
	if charged, answered := chargesOf(t, c.store, f); charged != 1 || answered != 1 {
		t.Errorf("%d charges, %d turns answered, want 1 and 1", charged, answered)
	}
	expectNoHold(t, c.store, f)
	storetest.Audit(t, c.store)
}
