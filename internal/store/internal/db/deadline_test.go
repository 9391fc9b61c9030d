package db_test

import (
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/storetest"
)

// TestStatementWithoutAnswerEnds: the client ends a statement that the server does not end, unless
// the statement is exempt.
func TestStatementWithoutAnswerEnds(t *testing.T) {
	t.Parallel()
	const within = 300 * time.Millisecond
	s, err := store.Open(t.Context(), db.WithDeadline(store.Config{URL: storetest.URL(t)}, within))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	conn, err := s.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(db.WithoutDeadline(t.Context()), `SET statement_timeout = 0; SELECT pg_sleep(0.5)`); err != nil {
		t.Errorf("an exempt statement: %v", err)
	}
	began := time.Now()
	_, err = conn.ExecContext(t.Context(), `SELECT pg_sleep(60)`)
	if took := time.Since(began); !fault.Is(db.Translate(err), fault.Unavailable) || took > 30*time.Second {
		t.Errorf("ended after %v with %v", took, err)
	}
}
