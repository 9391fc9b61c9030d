package erasure_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/users"
)

// TestDeleteAccount tests that only its password deletes an account, that its users and ids are
// unknown from then on, and that its row keeps what the ledger needs.
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	stranger := storetest.Seed(t, s, storetest.Options{})
	ctx, me, owner := t.Context(), f.Account.ID, f.Account.OwnerID
	theirs, mine := storetest.SignIn(t, s, stranger.Account.OwnerID), storetest.SignIn(t, s, owner)
	storetest.Block(t, s, f, "u", true)
	storetest.Block(t, s, stranger, "u", true)
	storetest.AnswerTurn(t, s, f.Key, nil)
	var pending uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { pending = b.TurnID })
	deleted := func(hash string) error {
		return erasure.On(s).DeleteAccount(ctx, me, owner, hash, storetest.ByUser)
	}

	if err := deleted("another hash"); !fault.Is(err, fault.Conflict) {
		t.Errorf("a password that was changed: %v", err)
	}
	if !storetest.SignInWorks(t, s, owner, mine) {
		t.Error("the refused deletion ended a sign-in")
	}
	must(t, deleted(storetest.SeededHash))
	for _, hash := range []string{storetest.SeededHash, "deleted"} { // which is stored
		if err := deleted(hash); !fault.Is(err, fault.Conflict) {
			t.Errorf("twice, with %s: %v", hash, err)
		}
	}
	_, create := agents.On(s).CreateAgent(ctx, me, agent.Agent{Name: "x"})
	_, grant := credits.On(s).GrantCredits(ctx, credits.Grant{AccountID: me, Amount: 1})
	_, rename := accounts.On(s).UpdateAccount(ctx, me, accounts.AccountChange{Name: new("x")})
	for what, err := range map[string]error{
		"address":       storetest.ErrOnly(operator.On(s).AccountByEmail(ctx, f.Account.Email)),
		"agent":         storetest.ErrOnly(agents.On(s).Agent(ctx, me, f.Agent.ID)),
		"export":        storetest.ErrOnly(storetest.ExportByID(ctx, s, me, f.Export.ID)),
		"end user":      storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, me, "v", true)),
		"user":          storetest.ErrOnly(users.On(s).User(ctx, owner)),
		"password":      users.On(s).SetPasswordHash(ctx, owner, "x", storetest.ByUser),
		"another agent": create,
		"grant":         grant,
		"name":          rename,
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", what, err)
		}
	}
	if storetest.SignInWorks(t, s, owner, mine) ||
		!storetest.SignInWorks(t, s, stranger.Account.OwnerID, theirs) {
		t.Error("the wrong sign-ins ended")
	}
	if used, err := exports.On(s).KeyInUse(ctx, f.Key.Hash()); used || err != nil {
		t.Errorf("its key is in use: %v %v", used, err)
	}
	if got := storetest.FinishTurn(t, s, pending, conversation.Answered); got.ErrorCode != "conversation_deleted" {
		t.Errorf("a reply that comes too late: %+v", got)
	}
	storetest.PurgeAgents(t, s)
	for query, want := range map[string]int{
		`SELECT count(*) FROM accounts a WHERE id = $1 AND state = 'DELETED' AND name = ''
			AND credits_held = 0 AND credit_balance = 9
			AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = a.id)`: 1,
		`SELECT count(*) FROM credit_entries WHERE account_id = $1`:    2,
		`SELECT count(*) FROM agents WHERE account_id = $1`:            0,
		`SELECT count(*) FROM api_keys WHERE account_id = $1`:          0,
		`SELECT count(*) FROM end_users WHERE account_id = $1`:         0,
		`SELECT count(*) - 1 FROM sign_ins WHERE $1::uuid IS NOT NULL`: 0, // the stranger's
	} {
		if n := storetest.CountRows(t, s, query, me); n != want {
			t.Errorf("%d rows, want %d: %s", n, want, query)
		}
	}
	again, err := accounts.On(s).CreateAccount(ctx, accounts.NewAccount{
		Email: f.Account.Email, Name: "Ada", PasswordHash: storetest.SeededHash, StartingCredits: 5})
	if err != nil || again.ID == me {
		t.Fatalf("the address cannot be used again: %v", err)
	}
	if err := erasure.On(s).DeleteAnyAccount(ctx, again.ID, storetest.ByUser); err != nil {
		t.Errorf("the second account of one address: %v", err)
	}
	storetest.Audit(t, s)
}
