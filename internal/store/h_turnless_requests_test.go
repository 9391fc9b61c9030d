package store_test

import (
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/store"
)

func refusedRequest(key apikey.Key) store.TurnlessRequest {
	return store.TurnlessRequest{Key: key.Hash(), At: at("2026-03-20T10:01:00Z"), RequestID: "r", Status: 504, Code: "model_timeout",
		Detail: "The model did not answer.", ClientAddress: "192.0.2.1", SessionID: new("s"), Duration: time.Millisecond}
}

// heldUp runs work while a transaction holds the rows of a query, and returns once work waits for them. release lets it go on.
func heldUp(t *testing.T, s *store.Store, rows string, work func() error) (release func()) {
	t.Helper()
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	if _, err := tx.ExecContext(t.Context(), rows+" FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	waitForLocks(t, s, 1)
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
