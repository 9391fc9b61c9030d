package chat_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestAbandonedTurn tests that the reaper fails a turn that no process finishes, and that its
// idempotency key can be used again.
func TestAbandonedTurn(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, func(c *chat.Config) { c.ReapEvery = 10 * time.Millisecond })
	f := storetest.Seed(t, b.store, storetest.Options{})
	begun, err := turns.On(b.store).BeginTurn(t.Context(), turns.Begin{
		Key: f.Key.Hash(), SpendRate: true, IdempotencyKey: "k", Models: []string{storetest.SandboxModel},
		Prices: []int64{1}, Fingerprint: conversation.Body{Message: "hello", Session: new("s")}.Fingerprint(),
		Session: "s", Message: "hello", TurnID: uuid.Must(uuid.NewV7()), ConversationID: uuid.Must(uuid.NewV7()), RequestID: "r",
		HoldFor: 10 * time.Millisecond,
	})
	if err != nil || begun.Outcome != turns.Begun {
		t.Fatalf("%+v %v", begun, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- b.replicas[0].Run(ctx) }()
	pending(t, b.store, 0)
	msg := newMessage(f, "s", "hello")
	msg.IdempotencyKey = "k"
	if got := send(t, b.replicas[0], msg); got.Replayed {
		t.Errorf("the retry of an abandoned turn is a new attempt: %+v", got)
	}
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if left, held := balance(t, b.store, f); left != 99 || held != 0 {
		t.Errorf("balance %d, held %d, want 99 and 0", left, held)
	}
	var used bool
	err = b.store.SQL().QueryRowContext(t.Context(),
		`SELECT last_used_at IS NOT NULL FROM api_keys WHERE id = $1`, f.KeyID).Scan(&used)
	if err != nil || !used {
		t.Errorf("the key's last use was not stored at the end: %v %v", used, err)
	}
	storetest.Audit(t, b.store)
}

// hanging is a model that ignores its context, as a broken adapter would.
type hanging struct{ release chan struct{} }

func (m hanging) Generate(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	<-m.release
	return llm.Reply{Text: "too late"}, nil
}

func TestModelThatHangs(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	b := newSetup(t, 1, func(c *chat.Config) {
		c.ModelTimeout = 20 * time.Millisecond
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/hanging", CreditsPerMessage: 1,
			Model: hanging{release}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/hanging"})
	if _, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello")); !fault.Is(err, fault.ModelTimeout) {
		t.Errorf("got %v, want model_timeout", err)
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("balance %d, held %d, want 100 and 0", left, held)
	}
}
