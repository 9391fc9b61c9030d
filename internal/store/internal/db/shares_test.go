package db_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/storetest"
)

// TestPanelSharesItsConnections: an account that reads slowly waits for itself and is refused after
// a while; another account, chats, sign-ins and readiness have connections at once.
func TestPanelSharesItsConnections(t *testing.T) {
	t.Parallel()
	cfg := db.WithPanelLimits(store.Config{URL: storetest.URL(t), MaxConns: 8}, 1500*time.Millisecond, 3600*time.Millisecond)
	s, err := store.Open(t.Context(), cfg) // two of its connections are for the panel
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	busy, quiet := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	if err := s.Ready(t.Context()); err != nil { // the rehearsal of a chat would wait for the lock
		t.Fatal(err)
	}
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 0;
		LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE`) // its pages end at their time limit
	if err != nil {
		t.Fatal(err)
	}
	const pages = 9
	ended := make(chan error, pages)
	for range pages {
		go func() {
			ctx := store.ForAccount(t.Context(), busy.Account.ID)
			_, err := conversations.On(s.Panel()).ConversationPage(ctx, busy.Account.ID, conversations.ConversationQuery{First: 1})
			ended <- err
		}()
	}
	eventually(t, "a page waits for the lock", func() bool {
		return storetest.CountRows(t, s, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
	ctx := store.ForAccount(t.Context(), quiet.Account.ID)
	for range 5 {
		if _, err := agents.On(s.Panel()).Agent(ctx, quiet.Account.ID, quiet.Agent.ID); err != nil {
			t.Errorf("another account in the panel: %v", err)
		}
	}
	if _, err := accounts.On(s).Account(ctx, quiet.Account.ID); err != nil {
		t.Errorf("the connections of chats: %v", err)
	}
	if _, err := accounts.On(s.Own()).Account(t.Context(), quiet.Account.ID); err != nil {
		t.Errorf("the connections of sign-ins: %v", err)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("readiness: %v", err)
	}
	if len(ended) > 0 {
		t.Error("the others waited for the busy account")
	}
	kinds := map[fault.Kind]int{}
	for range pages {
		err := <-ended
		kinds[fault.KindOf(err)]++
		if f, ok := errors.AsType[*fault.Error](err); fault.Is(err, fault.RateLimited) && (!ok || f.RetryAfter <= 0) {
			t.Errorf("%v has no time", err)
		}
	}
	if kinds[fault.Unavailable] < 2 || kinds[fault.RateLimited] < 2 || kinds[fault.Unavailable]+kinds[fault.RateLimited] != pages {
		t.Errorf("%v, want the first ones to end at their time limit, and the last ones to be refused", kinds)
	}
}

// TestFewConnections: fewer connections than parts of the service are for all parts.
func TestFewConnections(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	for _, conns := range []int{1, 3, 4, 30} {
		s, err := store.Open(t.Context(), store.Config{URL: url, MaxConns: conns})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Connections(); got != conns {
			t.Errorf("of %d connections, %d are used", conns, got)
		}
		for _, part := range []*store.DB{s, s.Panel(), s.Own()} {
			if _, err := accounts.On(part).Account(t.Context(), uuid.New()); !fault.Is(err, fault.NotFound) {
				t.Errorf("with %d connections: %v", conns, err)
			}
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("with %d connections: %v", conns, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
