package chat_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// newGated returns a setup whose model answers when the returned channel is closed.
func newGated(
	t *testing.T, replicas int, changes ...func(*chat.Config),
) (*setup, storetest.Fixture, chan struct{}) {
	t.Helper()
	open := make(chan struct{})
	b := newSetup(t, replicas, append(changes, offering(gated{open}))...)
	return b, storetest.Seed(t, b.store, storetest.Options{Model: testModel}), open
}

// pending waits until there are n pending turns.
func pending(t *testing.T, s *store.DB, want int) {
	t.Helper()
	eventually(t, func() bool {
		return storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE state = 'PENDING'`) == want
	})
}

// TestClientLeaves tests that the turn finishes without its client, is stored and charged once, and
// a retry returns it.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1)
	msg := newMessage(f, "s", "hello")
	msg.IdempotencyKey = "k"
	ctx, leave := context.WithCancel(t.Context())
	done := sendLater(ctx, b.replicas[0], msg)
	pending(t, b.store, 1)
	leave()
	close(open)
	if err := <-done; err != nil {
		t.Errorf("the turn without its client: %v", err)
	}
	if got := send(t, b.replicas[0], msg); !got.Replayed || got.Reply != "hello" {
		t.Errorf("the retry: %+v", got)
	}
	wantCredits(t, b.store, f, 99)
}

// TestLeavingTheQueue tests that no turn begins for a waiting message whose client leaves.
func TestLeavingTheQueue(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1)
	s := b.replicas[0]
	first := sendLater(t.Context(), s, newMessage(f, "s", "first"))
	pending(t, b.store, 1)
	ctx, leave := context.WithCancel(t.Context())
	second := sendLater(ctx, s, newMessage(f, "s", "second"))
	eventually(t, func() bool { return s.Waiting() == 1 })
	leave()
	if err := <-second; err == nil {
		t.Error("the message whose client left was answered")
	}
	close(open)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if got := send(t, s, newMessage(f, "s", "third")); got.Reply != "first third" {
		t.Errorf("the context after that: %q", got.Reply)
	}
}

func TestSessionBusy(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 2, func(c *chat.Config) { c.SessionWait = 100 * time.Millisecond })
	first := sendLater(t.Context(), b.replicas[0], newMessage(f, "s", "first"))
	pending(t, b.store, 1)
	for replica, s := range b.replicas {
		got, err := s.Send(t.Context(), newMessage(f, "s", "second"))
		if !fault.Is(err, fault.SessionBusy) || got.Caller == nil {
			t.Errorf("replica %d: %v, want session_busy with its caller", replica, err)
		}
	}
	close(open)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1, func(c *chat.Config) { c.MaxWaiting = 3 })
	var done []<-chan error
	for i := range 4 {
		done = append(done, sendLater(t.Context(), b.replicas[0], newMessage(f, "s", fmt.Sprint(i))))
	}
	eventually(t, func() bool { return b.replicas[0].Waiting() == 3 })
	wantFault(t, b.replicas[0], newMessage(f, "s", "over"), fault.SessionBusy)
	close(open)
	for i := range done {
		if err := <-done[i]; err != nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
}

// TestRemovalWhileWaiting tests that a waiting message is refused when its export is removed, and
// that the turn in flight finishes.
func TestRemovalWhileWaiting(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1)
	inFlight := sendLater(t.Context(), b.replicas[0], newMessage(f, "s", "in flight"))
	pending(t, b.store, 1)
	waiting := sendLater(t.Context(), b.replicas[0], newMessage(f, "s", "waits"))
	eventually(t, func() bool { return b.replicas[0].Waiting() == 1 })
	if _, err := exports.On(b.store).RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	close(open)
	if err := <-inFlight; err != nil {
		t.Errorf("the turn in flight: %v", err)
	}
	if err := <-waiting; !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the waiting message: %v, want unauthorized", err)
	}
}

// deleteConversation deletes the account's only conversation.
func deleteConversation(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	var id uuid.UUID
	err := s.SQL().QueryRowContext(t.Context(),
		`SELECT id FROM conversations WHERE account_id = $1 AND deleted_at IS NULL`, f.Account.ID).Scan(&id)
	if err != nil {
		t.Error(err)
	}
	if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, id); err != nil {
		t.Error(err)
	}
}
