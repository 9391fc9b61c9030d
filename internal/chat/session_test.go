package chat_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// newGated returns a setup whose model answers when the returned channel is closed.
func newGated(t *testing.T, replicas int, change func(*chat.Config)) (*setup, storetest.Fixture,
	chan struct{}) {
	t.Helper()
	open := make(chan struct{})
	b := newSetup(t, replicas, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/gated", CreditsPerMessage: 1, Model: gated{open}})
		if change != nil {
			change(c)
		}
	})
	return b, storetest.Seed(t, b.store, storetest.Options{Model: "test/gated"}), open
}

// pending waits until there are n pending turns.
func pending(t *testing.T, s *store.DB, want int) {
	t.Helper()
	eventually(t, func() bool {
		var n int
		err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'PENDING'`).Scan(&n)
		return err == nil && n == want
	})
}

// TestClientLeaves: the turn finishes without its client, is stored and charged once, and a retry
// returns it.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1, nil)
	msg := newMessage(f, "s", "hello")
	msg.IdempotencyKey = "k"
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := b.replicas[0].Send(ctx, msg)
		done <- err
	}()
	pending(t, b.store, 1)
	leave()
	close(open)
	if err := <-done; err != nil {
		t.Errorf("the turn without its client: %v", err)
	}
	if got := send(t, b.replicas[0], msg); !got.Replayed || got.Reply != "hello" {
		t.Errorf("the retry: %+v", got)
	}
	if left, held := balance(t, b.store, f); left != 99 || held != 0 {
		t.Errorf("balance %d, held %d, want 99 and 0", left, held)
	}
}

// TestWaitingClientLeaves: a client that leaves while its message waits leaves the queue, and no
// turn begins.
func TestWaitingClientLeaves(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1, nil)
	s := b.replicas[0]
	first := make(chan error, 1)
	go func() { _, err := s.Send(t.Context(), newMessage(f, "s", "first")); first <- err }()
	pending(t, b.store, 1)
	ctx, leave := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { _, err := s.Send(ctx, newMessage(f, "s", "second")); second <- err }()
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
	for name, replica := range map[string]int{"same replica": 0, "other replica": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, f, open := newGated(t, 2, func(c *chat.Config) { c.SessionWait = 100 * time.Millisecond })
			first := make(chan error, 1)
			go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "first")); first <- err }()
			pending(t, b.store, 1)
			got, err := b.replicas[replica].Send(t.Context(), newMessage(f, "s", "second"))
			if !fault.Is(err, fault.SessionBusy) || got.Caller == nil {
				t.Errorf("got %v, want session_busy with its caller", err)
			}
			close(open)
			if err := <-first; err != nil {
				t.Error(err)
			}
			storetest.Audit(t, b.store)
		})
	}
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1, func(c *chat.Config) { c.MaxWaiting = 3 })
	var work sync.WaitGroup
	for i := range 4 {
		work.Go(func() {
			if _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", fmt.Sprint(i))); err != nil {
				t.Errorf("message %d: %v", i, err)
			}
		})
	}
	eventually(t, func() bool { return b.replicas[0].Waiting() == 3 })
	if _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "over")); !fault.Is(err, fault.SessionBusy) {
		t.Errorf("one message too many: %v", err)
	}
	close(open)
	work.Wait()
}

// TestRemovalWhileWaiting tests that a waiting message is refused when its export is removed, and
// that the turn in flight finishes.
func TestRemovalWhileWaiting(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 1, nil)
	results := make(chan error, 2)
	go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "in flight")); results <- err }()
	pending(t, b.store, 1)
	waiting := make(chan error, 1)
	go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "waits")); waiting <- err }()
	eventually(t, func() bool { return b.replicas[0].Waiting() == 1 })
	if _, err := exports.On(b.store).RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	close(open)
	if err := <-results; err != nil {
		t.Errorf("the turn in flight: %v", err)
	}
	if err := <-waiting; !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the waiting message: %v, want unauthorized", err)
	}
}

func deleteConversations(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	rows, err := s.SQL().QueryContext(t.Context(), `SELECT id FROM conversations WHERE deleted_at IS NULL`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var ids []uuid.UUID
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil || len(ids) == 0 {
		t.Fatalf("%d conversations, %v", len(ids), err)
	}
	for _, id := range ids {
		if err := erasure.On(s).DeleteConversation(t.Context(), uuid.Must(uuid.NewV7()),
			id); !fault.Is(err, fault.NotFound) {
			t.Errorf("deleted as another account: %v", err)
		}
		if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, id); err != nil {
			t.Error(err)
		}
	}
}
