package chat_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// TestRefusalsAfterTheBegin: a message that finds no memory leaves neither its turn nor the conversation that
// it opened, gives back what it counted for each limit, and frees its idempotency key, from both sources.
func TestRefusalsAfterTheBegin(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	credits, messages, user := int64(5), 5, "Ada"
	_, err := b.store.UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{
		DailyCreditLimit:      agent.Change[int64]{Set: true, Value: &credits},
		MonthlyCreditLimit:    agent.Change[int64]{Set: true, Value: &credits},
		UserDailyMessageLimit: agent.Change[int]{Set: true, Value: &messages},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range []chat.Message{newMessage(f, "s", ""), newTestMessage(f, "s", "")} {
		if msg.Source != conversation.Playground {
			msg.UserID = &user
			first := msg
			other := "other"
			first.Session, first.Text = &other, "hello"
			send(t, b.replicas[0], first) // the limits are counted
		}
		msg.Text, msg.IdempotencyKey = "hello", uuid.NewString()
		msg.Memory = memory.Bytes(1).Hold(f.Account.ID)
		b.leavesNothing(t, string(msg.Source), f, msg, fault.Unavailable)
		msg.Text, msg.Memory = "another text under the same key", nil
		if got, err := b.replicas[0].Send(t.Context(), msg); err != nil || got.Answer.Replayed {
			t.Errorf("%s: under the same key: %+v, %v", msg.Source, got.Answer, err)
		}
	}
	storetest.Audit(t, b.store)
}
