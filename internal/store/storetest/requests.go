package storetest

import (
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
)

// RefusedRequest returns a request that ended with a timeout of the model.
func RefusedRequest(key apikey.Key) conversations.TurnlessRequest {
	return conversations.TurnlessRequest{Key: key.Hash(), At: Time("2026-03-20T10:01:00Z"),
		RequestID: "r", Status: 504, Code: "model_timeout",
		Detail: "The model did not answer.", ClientAddress: "192.0.2.1", SessionID: new("s"),
		Duration: time.Millisecond}
}

// WhileLocked runs work while a transaction holds the rows of a query, and returns once work waits
// for them. release commits that transaction and waits for work.
func WhileLocked(t *testing.T, s *store.DB, rows string, work func() error) (release func()) {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	if _, err := tx.ExecContext(t.Context(), rows+" FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	WaitForLocks(t, s, 1)
	return func() {
		t.Helper()
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
