package chat_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestAgentDeletedInFlight tests that a turn without sent text fails and costs nothing, that a
// waiting message is unauthorized, and that no text is left.
func TestAgentDeletedInFlight(t *testing.T) {
	t.Parallel()
	b, f, open := newGated(t, 2, nil)
	results, waiting := make(chan error, 1), make(chan error, 1)
	go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "under way")); results <- err }()
	pending(t, b.store, 1)
	go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "waits")); waiting <- err }()
	eventually(t, func() bool { return b.replicas[0].Waiting() == 1 })
	if err := erasure.On(b.stores[1]).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 1 {
		t.Errorf("before the model answers: balance %d, held %d, want 100 and 1", left, held)
	}
	if _, err := b.replicas[1].Send(t.Context(),
		newMessage(f, "other", "hello")); !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the other replica: %v, want unauthorized", err)
	}
	close(open)
	if err := <-results; !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("the turn in flight: %v, want conversation_deleted", err)
	}
	if err := <-waiting; !fault.Is(err, fault.Unauthorized) {
		t.Errorf("the waiting message: %v, want unauthorized", err)
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("afterwards: balance %d, held %d, want 100 and 0", left, held)
	}
	var texts int
	err := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM turns WHERE message <> '' OR reply IS NOT NULL`).Scan(&texts)
	if err != nil || texts != 0 {
		t.Errorf("%d turns with text are left, %v", texts, err)
	}
	storetest.Audit(t, b.store)
}

// TestDeletedAgentsArePurgedInTheBackground tests that a deletion is completed even if its process
// died before it erased anything.
func TestDeletedAgentsArePurgedInTheBackground(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	send(t, b.replicas[0], newMessage(f, uuid.NewString(), "hello"))
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE agents SET deleted_at = now()`); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- b.replicas[0].Run(ctx) }()
	eventually(t, func() bool {
		var left int
		err := b.store.SQL().QueryRowContext(t.Context(),
			`SELECT (SELECT count(*) FROM agents) + (SELECT count(*) FROM turns)`).Scan(&left)
		return err == nil && left == 0
	})
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	storetest.Audit(t, b.store)
}
