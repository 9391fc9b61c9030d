package chat_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

// TestRefusalsAfterTheBegin: a message that finds no memory leaves neither its turn nor the
// conversation that it opened, gives back what it counted for each limit, and frees its idempotency
// key, from both sources.
func TestRefusalsAfterTheBegin(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	storetest.SetLimits(t, b.store, f, agent.ExportChanges{
		DailyCreditLimit:      storetest.SetTo(int64(5)),
		MonthlyCreditLimit:    storetest.SetTo(int64(5)),
		UserDailyMessageLimit: storetest.SetTo(5),
	})
	for _, msg := range []chat.Message{newMessage(f, "s", ""), newTestMessage(f, "s", "")} {
		if msg.Source != conversation.Playground {
			msg.UserID = new("Ada")
			first := msg
			first.Session, first.Text = new("other"), "hello"
			send(t, b.replicas[0], first) // the limits are counted
		}
		msg.Text, msg.IdempotencyKey = "hello", uuid.NewString()
		msg.Memory = memory.Bytes(1).Hold(f.Account.ID)
		b.leavesNothing(t, string(msg.Source), f, msg, fault.Unavailable)
		msg.Text, msg.Memory = "another text under the same key", nil
		if got := send(t, b.replicas[0], msg); got.Replayed {
			t.Errorf("%s: under the same key: %+v", msg.Source, got)
		}
	}
}

// TestChainThatTheFallbackCannotTake: the first model was called, so its failure stands, with its
// turn.
func TestChainThatTheFallbackCannotTake(t *testing.T) {
	t.Parallel()
	b := newWithFallback(t, script(waits(1), fails(byProvider(fault.ModelUnavailable))))
	f := b.agent(t, storetest.Options{Actions: desk})
	msg := bring(f, "s", send(t, b.replicas[0], newMessage(f, "s", "Where?")),
		`"`+strings.Repeat("x", 40_000)+`"`)
	wantFault(t, b.replicas[0], msg, fault.ModelUnavailable)
	if end := endOf(t, b.store, msg.RequestID); end != "FAILED test/first false 2 model_unavailable" ||
		len(b.second.asked) != 0 {
		t.Errorf("the fallback model was asked %d times, stored %s", len(b.second.asked), end)
	}
}
