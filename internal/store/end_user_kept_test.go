package store_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestErasingKeepsBlockAndLimit and what the limit has counted, without the id; erasing the end user of one agent leaves the id.
func TestErasingKeepsBlockAndLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	for _, user := range []string{"blocked", "limited"} {
		answered(t, s, f.Key, inItsOwn(user))
		ownLimit(t, s, f, user, setTo(2).Value)
		ownLimit(t, s, stranger, user, setTo(9).Value)
	}
	block(t, s, f, "blocked", true)
	erase := func(user string, agent *uuid.UUID) {
		t.Helper()
		if _, err := s.DeleteEndUser(ctx, me, user, agent); err != nil {
			t.Fatal(err)
		}
		if _, err := s.EraseEndUsers(ctx, 100); err != nil {
			t.Fatal(err)
		}
	}
	erase("limited", &f.Agent.ID)
	if n := countRows(t, s, `SELECT count(user_id) FROM end_users WHERE account_id = $1`, me); n != 2 {
		t.Errorf("%d ids, of one agent's", n)
	}
	erase("limited", nil)
	erase("blocked", nil)
	if n := countRows(t, s, `SELECT (SELECT count(user_id) FROM end_users WHERE account_id = $1) + (SELECT count(user_id) FROM conversations WHERE account_id = $1)`,
		me); n != 0 {
		t.Errorf("%d ids are left", n)
	}
	if page, err := s.EndUserPage(ctx, me, store.EndUserQuery{First: 10}); err != nil || len(page.Items) != 0 {
		t.Errorf("listed: %+v %v", page.Items, err)
	}
	if n := countRows(t, s, `SELECT count(user_id) FROM end_users WHERE account_id = $1`, stranger.Account.ID); n != 2 {
		t.Errorf("%d ids of the other account", n)
	}
	if got := begin(t, s, f.Key, inItsOwn("blocked")); got.Outcome != store.UserBlocked {
		t.Errorf("the blocked one: %s", got.Outcome)
	}
	answered(t, s, f.Key, inItsOwn("limited"))
	if got := begin(t, s, f.Key, inItsOwn("limited")); got.Outcome != store.LimitReached || got.Limit.Used != 2 {
		t.Errorf("the limited one: %s %+v", got.Outcome, got.Limit)
	}
	// Who knows the id can still see the block, and end it.
	if u, err := s.EndUser(ctx, me, "blocked"); err != nil || !u.Blocked || *u.DailyMessageLimit != 2 || u.MessagesToday != 1 || u.Messages != 0 {
		t.Errorf("by the id: %+v %v", u, err)
	}
	block(t, s, f, "blocked", false)
	answered(t, s, f.Key, inItsOwn("blocked"))
	storetest.Audit(t, s)
}

// TestDeletedAccountForgetsItsEndUsers: none of those that it has blocked or limited stays, and nobody can add one.
func TestDeletedAccountForgetsItsEndUsers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	block(t, s, f, "u", true)
	block(t, s, stranger, "u", true)
	if err := s.DeleteAccount(t.Context(), f.Account.ID, f.Account.OwnerID, seededHash, byUser); err != nil {
		t.Fatal(err)
	}
	if _, err := s.BlockEndUser(t.Context(), f.Account.ID, "v", true); !fault.Is(err, fault.NotFound) {
		t.Errorf("afterwards: %v", err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM end_users WHERE account_id = $1`, f.Account.ID); n != 0 {
		t.Errorf("%d are left", n)
	}
	if n := countRows(t, s, `SELECT count(*) FROM end_users`); n != 1 {
		t.Errorf("%d of the other account", n)
	}
}

// TestMessagesWithoutAnEndUserNeverLookForOne: they begin while nobody can read the table. The playground's do, too.
func TestMessagesWithoutAnEndUserNeverLookForOne(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	block(t, s, f, "u", true)
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `LOCK TABLE end_users IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Begun {
		t.Errorf("without an end user: %s", got.Outcome)
	}
	played := begin(t, s, f.Key, func(b *store.Begin) {
		inItsOwn("u")(b)
		b.Source, b.AccountID, b.AgentID = conversation.Playground, f.Account.ID, f.Agent.ID
	})
	if played.Outcome != store.Begun {
		t.Errorf("in the playground: %s", played.Outcome)
	}
}
