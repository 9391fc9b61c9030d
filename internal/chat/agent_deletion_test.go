package chat_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

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
