package e2e_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// TestFewerConnectionsThanConfigured: a server that allows fewer connections than a replica is configured for makes its pools smaller.
// No chat fails, and the panel and readiness have theirs.
func TestFewerConnectionsThanConfigured(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N15")
	const chats = 200
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1 << 20})
	_, err := s.DB().ExecContext(t.Context(),
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 9', current_database()); END $$`)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Close() // its connections count, too
	r := start(t, url, "DATABASE_MAX_CONNS=30")
	c := client(t)
	for range faults.Times(1, 20) {
		got := parallel(chats, chats, func(int) string {
			got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
		if got["200"] != chats {
			t.Errorf("%v, want %d replies", got, chats)
		}
		if status := r.ready(); status != http.StatusOK {
			t.Errorf("/readyz answers %d", status)
		}
		t.ran(chats)
	}
	r.kill()
	t.auditOnce(storetest.Open(t, url))
	t.measured("0 of %d chats failed; 30 connections configured, 9 allowed", faults.Times(1, 20)*chats)
}
