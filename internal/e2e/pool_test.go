package e2e_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestNoConnectionWhileTheModelThinks: with a pool of 5, 200 chats wait for a model of 2 s at once, each with its hold, and the
// database sees nobody at work meanwhile. All are answered.
func TestNoConnectionWhileTheModelThinks(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F6")
	const chats, thinks = 200, 2 * time.Second
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	auditor, err := store.Open(t.Context(), store.Config{URL: url, ApplicationName: "auditor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = auditor.Close() })
	t.audit(auditor)
	r := start(t, url, "DATABASE_MAX_CONNS=5")
	var slowest time.Duration
	for range t.times(1, 10) {
		f := storetest.Seed(t, s, storetest.Options{Credits: chats})
		var mu sync.Mutex
		counts := make(chan map[string]int, 1)
		began := time.Now()
		go func() {
			counts <- parallel(chats, chats, func(int) string {
				sent := time.Now()
				got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), uuid.NewString(), "[[sandbox delay=2s]]")
				mu.Lock()
				slowest = max(slowest, time.Since(sent))
				mu.Unlock()
				if err != nil {
					return err.Error()
				}
				return got.outcome()
			})
		}()
		eventually(t, "all holds at once", func() bool { return held(t, s, f) == chats })
		if waited := time.Since(began); waited > thinks {
			t.Errorf("the last hold came after %v, when the first model had answered", waited)
		}
		// The last begins end, and the background work has its moments: then nobody is at work while all chats still wait.
		eventually(t, "no connection is in use while the model thinks", func() bool {
			var all, busy, holds int
			err := s.DB().QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE p.state <> 'idle'),
				(SELECT count(*) FROM turns WHERE account_id = $1 AND state = 'PENDING') FROM pg_stat_activity p
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
				AND application_name <> 'auditor'`, f.Account.ID).
				Scan(&all, &busy, &holds)
			if err == nil && holds < chats {
				t.Fatalf("%d of %d connections were in use until the model answered", busy, all)
			}
			return err == nil && all > 0 && busy == 0
		})
		if got := <-counts; got["200"] != chats {
			t.Errorf("%v", got)
		}
		if balance, held := (&pair{store: s}).credits(t, f); balance != 0 || held != 0 {
			t.Errorf("balance %d, held %d", balance, held)
		}
		storetest.Audit(t, s)
		t.ran(chats)
	}
	if slowest > 4*thinks {
		t.Errorf("the slowest took %v", slowest)
	}
	t.measured("0 connections in use while %d chats waited; the slowest took %v with a model of %v", chats, slowest.Round(10*time.Millisecond), thinks)
}
