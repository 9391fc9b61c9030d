package chat_test

import (
	"context"
	"fmt"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// parts is a model that sends "one ", then "two", and then ends, each when its channel is closed.
type parts [3]chan struct{}

func (m parts) Generate(ctx context.Context, _ llm.Request, emit func(string) error) (llm.Reply, error) {
	for i, text := range []string{"one ", "two", ""} {
		select {
		case <-m[i]:
		case <-ctx.Done():
			return llm.Reply{}, ctx.Err()
		}
		if err := emit(text); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Text: "one two"}, nil
}

// deletions are the three ways in which an owner deletes a conversation.
var deletions = map[string]func(*testing.T, *store.DB, storetest.Fixture){
	"conversation": deleteConversation,
	"agent": func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
			t.Error(err)
		}
	},
	"account": func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		if err := erasure.On(s).DeleteAccount(t.Context(), f.Account.ID, f.Account.OwnerID, "none",
			audit.Entry{Actor: audit.ByUser}); err != nil {
			t.Error(err)
		}
	},
}

// TestDeletedMeanwhile tests that text is paid for once it was sent, however and through whichever
// replica its conversation is deleted. Before that, a deletion through the same replica stops the
// turn at once, at no cost. Text that another replica sends after the deletion is paid for. An
// unsent reply is dropped. Owners who have models work for nothing take unpaid calls.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		streamed bool
		// sent is the text that was sent before the deletion, and parts the number of its parts.
		sent  string
		parts int
		// charged is the charge after a deletion through the same and through another replica.
		charged [2]int64
	}{
		"before the first text": {streamed: true, charged: [2]int64{0, 1}},
		"after the first text":  {streamed: true, sent: "one ", parts: 1, charged: [2]int64{1, 1}},
		"after the last word":   {streamed: true, sent: "one two", parts: 2, charged: [2]int64{1, 1}},
		"a whole reply":         {charged: [2]int64{0, 0}},
	} {
		for how, remove := range deletions {
			for replica, charged := range tc.charged {
				t.Run(fmt.Sprintf("%s, %s, replica %d", name, how, replica), func(t *testing.T) {
					t.Parallel()
					m := parts{make(chan struct{}), make(chan struct{}), make(chan struct{})}
					b := newSetup(t, 2, offering(m))
					f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
					msg, l := newMessage(f, "s", "hello"), newListener()
					if msg.IdempotencyKey = "k"; tc.streamed {
						msg.Stream = l
					}
					useUnpaidCalls(t, b.store, f, 30)
					before := unpaidTAT(t, b.store, f)
					done := sendLater(t.Context(), b.replicas[0], msg)
					pending(t, b.store, 1)
					for i := range tc.parts {
						close(m[i])
					}
					eventually(t, func() bool { _, text := l.received(); return text == tc.sent })
					remove(t, b.stores[replica], f)
					if charged > 0 || replica > 0 { // otherwise the turn is stopped
						for _, rest := range m[tc.parts:] {
							close(rest)
						}
					}
					err := <-done
					if _, text := l.received(); charged > 0 && (err != nil || text != "one two") ||
						charged == 0 && (!fault.Is(err, fault.ConversationDeleted) || text != "") {
						t.Errorf("%v after %q", err, text)
					}
					unpaid := map[int64]float64{0: 1, 1: -1}[charged]
					if n := spent(t, b.store, f, before); n != unpaid {
						t.Errorf("%g unpaid calls, want %g", n, unpaid)
					}
					if charged > 0 && how == "conversation" {
						wantFault(t, b.replicas[1], msg, fault.ConversationDeleted)
					}
					wantCredits(t, b.store, f, 100-charged)
					wantNoText(t, b.store, f, charged)
				})
			}
		}
	}
}

// wantNoText checks what is left of a deleted turn: its charge, with the names of agent and export.
func wantNoText(t *testing.T, s *store.DB, f storetest.Fixture, charges int64) {
	t.Helper()
	texts := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE message <> '' OR reply IS NOT NULL`)
	named := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries
		WHERE kind = 'CHARGE' AND agent_name = $1 AND export_name = $2`, f.Agent.Name, f.Export.Name)
	if texts != 0 || int64(named) != charges {
		t.Errorf("%d turns with text are left, and %d charges, want %d", texts, named, charges)
	}
}
