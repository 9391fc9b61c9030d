package erasure_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestIdleConversationsAreDeleted tests that small batches delete exactly the conversations of the
// API, the playground and test runs without a message for a week. The credit history stays.
func TestIdleConversationsAreDeleted(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 100})
	const old, week = 7, 7 * 24 * time.Hour
	for i := range old - 1 {
		storetest.AnswerInPlayground(t, s, f, fmt.Sprint("old ", i))
	}
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
		b.Source, b.AccountID, b.AgentID, b.Session = conversation.Test, f.Account.ID, f.Agent.ID, "old test"
	})
	storetest.AnswerInPlayground(t, s, f, "six days")
	storetest.AnswerInPlayground(t, s, f, "new")
	storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = clock_timestamp() - interval '8 days' WHERE session_id LIKE 'old%'`)
	storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = clock_timestamp() - interval '6 days' WHERE session_id = 'six days'`)
	before := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries`)
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "in flight" })
	deleted := 0
	for {
		n, err := erasure.On(s).PurgeIdle(t.Context(), week, 3)
		if err != nil || n > 3 {
			t.Fatal(n, err)
		}
		if deleted += n; n < 3 {
			break
		}
	}
	if deleted != old {
		t.Errorf("%d deleted, want %d", deleted, old)
	}
	left := storetest.SessionsOf(t, s, f.Account.ID, conversations.ConversationQuery{First: 10}, nil)
	if slices.Sort(left); !slices.Equal(left, []string{"in flight", "new", "six days"}) {
		t.Errorf("left: %v", left)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE c.deleted_at IS NOT NULL AND t.message <> ''`); n != 0 {
		t.Errorf("%d messages of deleted conversations still have text", n)
	}
	if after := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries`); after != before {
		t.Errorf("the credit history had %d entries and has %d", before, after)
	}
	storetest.Audit(t, s)
}
