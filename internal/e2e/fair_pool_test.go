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

// TestManyMessagesOfOneSession: of 2,000 messages at once in one session, 64 wait for the one before them at a time; the others are
// told that the session is busy.
func TestManyMessagesOfOneSession(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N14")
	const messages, most = 2000, 200 << 20
	url := storetest.URL(t)
	// One address may have fewer connections than that before its first key is checked, where few files may be open.
	s, r := storetest.Open(t, url), start(t, url, behindProxy)
	c := client(t)
	answered := 0
	for range faults.Times(1, 10) {
		f := storetest.Seed(t, s, storetest.Options{Credits: 1 << 20, RatePerMinute: 1_000_000})
		got := parallel(messages, messages, func(int) string {
			got, err := ask(t.Context(), c, r.Chat, f.Key.Reveal(), "one", "hello")
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
		if got["200"] < 65 || got["200"]+got["session_busy"] != messages {
			t.Errorf("%v, want at least 65 replies, and session_busy for the others", got)
		}
		answered += got["200"]
		t.ran(messages)
	}
	t.auditOnce(s)
	peak := r.peakMemory(tt)
	if peak > most {
		t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, most>>20)
	}
	t.measured("%d answered, the others session_busy; at most %d MiB resident", answered, peak>>20)
}
