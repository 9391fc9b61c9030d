package turns_test

import (
	"strings"
	"sync"
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestTooFewConnections: a replica reports a role or a database with too few connections, and the
// number that it needs.
func TestTooFewConnections(t *testing.T) {
	t.Parallel()
	role := storetest.NewRole(t, "CONNECTION LIMIT 3")
	url := storetest.URL(t)
	check := func(maxConns int, says string) {
		t.Helper()
		storetest.Superuser(t, url, othersHaveLeft)
		s, err := store.Open(t.Context(), store.Config{URL: storetest.As(t, url, role), MaxConns: maxConns})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		err = s.CheckConnections(t.Context())
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("with DATABASE_MAX_CONNS=%d: %v, want %q", maxConns, err, says)
		}
		if says != "" {
			storetest.Superuser(t, url, storetest.RemedyOf(t, err, says))
		}
	}
	check(3, "")
	check(9, "the role "+role+" may have only 3 connections, and a replica needs at least 4: ALTER ROLE")
	check(9, "")
	storetest.Superuser(t, url, `ALTER DATABASE `+storetest.DatabaseName(url)+` CONNECTION LIMIT 2`)
	check(9, "may have only 2 connections, and a replica needs at least 4: ALTER DATABASE")
	check(9, "")

	storetest.Superuser(t, url, `ALTER ROLE `+role+` CONNECTION LIMIT 0`)
	if _, err := store.Open(t.Context(), store.Config{URL: storetest.As(t, url, role)}); err == nil ||
		!strings.Contains(err.Error(), "too many connections for role") || !strings.Contains(err.Error(), "needs at least 4") {
		t.Errorf("without any connection: %v", err)
	}
}

// othersHaveLeft waits for the connections that were closed: PostgreSQL counts them until their
// processes have ended.
const othersHaveLeft = `DO $$ BEGIN
	WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) LOOP
		PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	END LOOP; END $$`

// TestPartsShareFewConnections: when a service is left with fewer connections than it has parts,
// all parts keep working, including readiness.
func TestPartsShareFewConnections(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"3", "2", "1"} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			role := storetest.NewRole(t, "CONNECTION LIMIT "+limit)
			url := storetest.URL(t)
			storetest.Superuser(t, url, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO `+role)
			f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
			s := storetest.OpenAs(t, url, role, "")
			chat := func() error {
				in := storetest.NewBegin(f.Key)
				_, err := turns.On(s).BeginTurn(t.Context(), in)
				if err == nil {
					_, err = turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: in.TurnID, State: conversation.Answered, Reply: "Aye."})
				}
				return err
			}
			parts := map[string]func() error{"chats": chat, "readiness": func() error { return s.Ready(t.Context()) },
				"the panel": func() error { _, err := accounts.On(s.Panel()).OwnedAccount(t.Context(), f.Account.ID); return err },
				"own work":  func() error { _, _, err := operator.On(s.Own()).Holds(t.Context()); return err }}
			for range 5 { // one after the other: none keeps what another needs
				for part, work := range parts {
					if err := work(); err != nil {
						t.Errorf("%s: %v", part, err)
					}
				}
			}
			var all sync.WaitGroup
			for part, work := range parts { // and side by side
				all.Go(func() {
					if err := work(); err != nil {
						t.Errorf("%s, while the other parts run: %v", part, err)
					}
				})
			}
			all.Wait()
		})
	}
}
