package chat_test

import (
	"context"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestAbandonedTurn tests that the reaper fails a turn that no process finishes, and that its
// idempotency key can be used again.
func TestAbandonedTurn(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, func(c *chat.Config) { c.ReapEvery = 10 * time.Millisecond })
	f := storetest.Seed(t, b.store, storetest.Options{})
	storetest.BeginTurn(t, b.store, f.Key, func(in *turns.Begin) {
		in.Message, in.Session, in.IdempotencyKey, in.HoldFor = "hello", "s", "k", 10*time.Millisecond
		in.Fingerprint = conversation.Body{Message: "hello", Session: new("s")}.Fingerprint()
	})
	stop := running(t, b.replicas[0])
	pending(t, b.store, 0)
	msg := newMessage(f, "s", "hello")
	msg.IdempotencyKey = "k"
	if got := send(t, b.replicas[0], msg); got.Replayed {
		t.Errorf("the retry of an abandoned turn is a new attempt: %+v", got)
	}
	stop()
	wantCredits(t, b.store, f, 99)
	if storetest.CountRows(t, b.store, `SELECT count(last_used_at) FROM api_keys WHERE id = $1`,
		f.KeyID) != 1 {
		t.Error("the key's last use was not stored at the end")
	}
}

// running does the background work of a service until the returned function is called.
func running(t *testing.T, s *chat.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	return func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	}
}

// TestDeletedAgentsArePurgedInTheBackground tests that a deletion is completed even if its process
// died before it erased anything.
func TestDeletedAgentsArePurgedInTheBackground(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	storetest.Exec(t, b.store, `UPDATE agents SET deleted_at = now()`)
	defer running(t, b.replicas[0])()
	eventually(t, func() bool {
		return storetest.CountRows(t, b.store,
			`SELECT (SELECT count(*) FROM agents) + (SELECT count(*) FROM turns)`) == 0
	})
}
