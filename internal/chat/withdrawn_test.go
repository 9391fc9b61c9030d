package chat_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// TestRefusalsAfterTheBegin: a message that finds no memory leaves neither its turn nor the
// conversation that it opened, gives back what it counted for each limit, and frees its idempotency
// key, from both sources.
func TestRefusalsAfterTheBegin(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	credits, messages, user := int64(5), 5, "Ada"
	_, err := exports.On(b.store).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{
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

// TestChainThatTheFallbackCannotTake: the first model was called, so its failure stands, with its
// turn.
func TestChainThatTheFallbackCannotTake(t *testing.T) {
	t.Parallel()
	away := &fault.Error{Kind: fault.ModelUnavailable, Err: llm.ErrProvider}
	first := &scripted{answers: []func(context.Context) (llm.Reply, error){
		asksFor("", llm.FinishStop, "wait", "{}"), fails(away)}}
	b := newWithFallback(t, first, nil)
	f := b.agent(t, storetest.Options{Actions: desk})
	msg := bring(f, "s", send(t, b.replicas[0], newMessage(f, "s", "Where?")), `"`+strings.Repeat("x", 40_000)+`"`)
	_, err := b.replicas[0].Send(t.Context(), msg)
	end := endOf(t, b.store, msg.RequestID)
	const want = "FAILED test/first false 2 model_unavailable"
	if !fault.Is(err, fault.ModelUnavailable) || len(b.second.asked) != 0 || end != want {
		t.Errorf("%v, the fallback model was asked %d times, stored %s", err, len(b.second.asked), end)
	}
	storetest.Audit(t, b.store)
}
