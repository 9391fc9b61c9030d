package usage_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// TestConversationCredits tests that a conversation costs the sum of its turns at any price, before
// and after it was counted, and with a turn in flight.
func TestConversationCredits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10_000})
	var id uuid.UUID
	want := int64(0)
	check := func(when string) {
		t.Helper()
		got, err := usage.On(s).CreditsByConversations(t.Context(), f.Account.ID, []uuid.UUID{id, uuid.New()})
		if err != nil || got[id] != want || len(got) != 1 {
			t.Fatalf("%s: %v %v, want %d", when, got, err, want)
		}
	}
	for n := range 450 {
		price := int64(1 + n%3)
		state := conversation.Answered
		if n%7 == 3 {
			state = conversation.Failed
		}
		var turn uuid.UUID
		id = storetest.BeginTurn(t, s, f.Key,
			func(b *turns.Begin) { b.Prices, turn = []int64{price}, b.TurnID }).ConversationID
		if n == 205 || n == 449 { // while the turn is in flight
			if counted, err := usage.On(s).CountConversations(t.Context(), 10); err != nil || counted != 1 {
				t.Fatalf("%d counted, %v", counted, err)
			}
			check(fmt.Sprint("counted at ", n))
		}
		if storetest.FinishTurn(t, s, turn, state); state == conversation.Answered {
			want += price
		}
		if n%50 == 0 || n == 449 {
			check(fmt.Sprint("turn ", n))
		}
	}
	if n, err := usage.On(s).CountConversations(t.Context(), 10); err != nil || n != 0 {
		t.Errorf("%d counted again, %v", n, err)
	}
	if balance, _ := storetest.Credits(t, s, f.Account.ID); balance != 10_000-want {
		t.Errorf("the ledger says %d", 10_000-balance)
	}
}

// TestFailedTurnsAreCountedOnce counts through several replicas while a conversation is deleted.
// Each turn counts once in its conversation and in the usage.
func TestFailedTurnsAreCountedOnce(t *testing.T) {
	t.Parallel()
	s, other := storetest.Replicas(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var id, gone uuid.UUID
	for n := range 60 {
		begun := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, id = fmt.Sprint("s", n%6), b.TurnID })
		storetest.FinishTurn(t, s, id, conversation.Failed)
		gone = begun.ConversationID
	}
	tx, err := other.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM turns FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for n := 1; n > 0; {
				var err error
				if n, err = usage.On(s).CountFailedTurns(t.Context(), 7); err != nil {
					t.Error(err)
				}
			}
		})
	}
	storetest.WaitForLocks(t, other, 2) // both want to count the same turns
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	work.Go(func() {
		if err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, gone); err != nil {
			t.Error(err)
		}
	})
	work.Wait()
	if n := storetest.CountRows(t, s, `SELECT sum(failed) FROM usage_rollups WHERE minutes = 15 AND status = 'model_error'`); n != 60 {
		t.Errorf("%d in the usage", n)
	}
	if n := storetest.CountRows(t, s, `SELECT sum(failed_turns) FROM conversations WHERE deleted_at IS NULL`); n != 50 {
		t.Errorf("%d in the conversations that are left", n)
	}
	for failed, want := range map[bool]int{true: 5, false: 0} {
		page, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID, conversations.ConversationQuery{First: 10, Filter: conversations.ConversationFilter{Failed: &failed}})
		if err != nil || len(page.Items) != want {
			t.Errorf("failed %v: %d conversations, %v", failed, len(page.Items), err)
		}
	}
}
