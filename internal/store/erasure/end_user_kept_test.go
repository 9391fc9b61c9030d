package erasure_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestErasingKeepsBlockAndLimit tests that a block, a limit and its count survive without the id.
// Erasing the end user of one agent keeps the id.
func TestErasingKeepsBlockAndLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	for _, user := range []string{"blocked", "limited"} {
		storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
		storetest.SetOwnLimit(t, s, f, user, storetest.SetTo(2).Value)
		storetest.SetOwnLimit(t, s, stranger, user, storetest.SetTo(9).Value)
	}
	storetest.Block(t, s, f, "blocked", true)
	erase := func(user string, agent *uuid.UUID) {
		t.Helper()
		must(t, storetest.ErrOnly(erasure.On(s).DeleteEndUser(ctx, me, user, agent)))
		must(t, storetest.ErrOnly(erasure.On(s).EraseEndUsers(ctx, 100)))
	}
	erase("limited", &f.Agent.ID)
	if n := storetest.CountRows(t, s, `SELECT count(user_id) FROM end_users WHERE account_id = $1`, me); n != 2 {
		t.Errorf("%d ids, of one agent's", n)
	}
	erase("limited", nil)
	erase("blocked", nil)
	if n := storetest.CountRows(t, s, `SELECT (SELECT count(user_id) FROM end_users WHERE account_id = $1) + (SELECT count(user_id) FROM conversations WHERE account_id = $1)`,
		me); n != 0 {
		t.Errorf("%d ids are left", n)
	}
	if page, err := conversations.On(s).EndUserPage(ctx, me, conversations.EndUserQuery{First: 10}); err != nil || len(page.Items) != 0 {
		t.Errorf("listed: %+v %v", page.Items, err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(user_id) FROM end_users WHERE account_id = $1`, stranger.Account.ID); n != 2 {
		t.Errorf("%d ids of the other account", n)
	}
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("blocked")); got.Outcome != turns.UserBlocked {
		t.Errorf("the blocked one: %s", got.Outcome)
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("limited"))
	if got := storetest.BeginTurn(t, s, f.Key, storetest.InOwnSession("limited")); got.Outcome != turns.LimitReached || got.Limit.Used != 2 {
		t.Errorf("the limited one: %s %+v", got.Outcome, got.Limit)
	}
	// A caller that knows the id can still see and end the block.
	if u, err := conversations.On(s).EndUser(ctx, me, "blocked"); err != nil || !u.Blocked || *u.DailyMessageLimit != 2 || u.MessagesToday != 1 || u.Messages != 0 {
		t.Errorf("by the id: %+v %v", u, err)
	}
	storetest.Block(t, s, f, "blocked", false)
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("blocked"))
	storetest.Audit(t, s)
}

// TestMessagesWithoutAnEndUserNeverLookForOne begins messages while the table end_users is locked,
// in the playground too.
func TestMessagesWithoutAnEndUserNeverLookForOne(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Block(t, s, f, "u", true)
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `LOCK TABLE end_users IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.Begun {
		t.Errorf("without an end user: %s", got.Outcome)
	}
	played := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
		storetest.InOwnSession("u")(b)
		b.Source, b.AccountID, b.AgentID = conversation.Playground, f.Account.ID, f.Agent.ID
	})
	if played.Outcome != turns.Begun {
		t.Errorf("in the playground: %s", played.Outcome)
	}
}
