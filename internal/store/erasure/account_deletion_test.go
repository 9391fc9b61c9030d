package erasure_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
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
	"agentchat/internal/store/versions"
)

func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 10)
	ctx, me := t.Context(), f.Account.ID
	stranger := storetest.Seed(t, s, storetest.Options{Credits: 10})
	strangersPage, mine := storetest.SignIn(t, s, stranger.Account.OwnerID), storetest.SignIn(t, s, f.Account.OwnerID)
	storetest.SignIn(t, s, f.Account.OwnerID)
	second := storetest.SeedAgent(t, s, me, storetest.Options{Model: storetest.SandboxModel, Instructions: storetest.SecretText})
	_, _, secondKey := storetest.SeedExport(t, s, me, second.ID, 600)
	storetest.Block(t, s, f, "u", true)
	storetest.Block(t, s, stranger, "u", true)
	storetest.AnswerTurn(t, s, f.Key, withSecret("answered"))
	storetest.AnswerTurn(t, s, secondKey, func(b *turns.Begin) { withSecret("with a key")(b); b.IdempotencyKey = "k" })
	storetest.AnswerTurn(t, s, stranger.Key, nil)
	var pending, strangers uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { withSecret("answered")(b); pending = b.TurnID })
	storetest.BeginTurn(t, s, stranger.Key, func(b *turns.Begin) { strangers = b.TurnID })

	if err := erasure.On(s).DeleteAccount(ctx, me, f.Account.OwnerID, "another hash", storetest.ByUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("a password that was changed: %v", err)
	}
	if !storetest.SignInWorks(t, s, f.Account.OwnerID, mine) || len(storetest.SessionsOf(t, s, me, conversations.ConversationQuery{First: 10}, nil)) != 2 {
		t.Error("the refused deletion changed something")
	}
	if err := erasure.On(s).DeleteAccount(ctx, me, f.Account.OwnerID, storetest.SeededHash, storetest.ByUser); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"the address": storetest.ErrOnly(operator.On(s).AccountByEmail(ctx, f.Account.Email)), "agent": storetest.ErrOnly(agents.On(s).Agent(ctx, me, f.Agent.ID)),
		"export": storetest.ErrOnly(storetest.ExportByID(ctx, s, me, f.Export.ID)), "grant": storetest.ErrOnly(credits.On(s).GrantCredits(ctx, credits.Grant{AccountID: f.Account.ID, Amount: 1})),
		"end user":      storetest.ErrOnly(conversations.On(s).BlockEndUser(ctx, me, "v", true)),
		"another agent": storetest.ErrOnly(agents.On(s).CreateAgent(ctx, me, agent.Agent{Name: "x"})),
		"password":      users.On(s).SetPasswordHash(ctx, f.Account.OwnerID, "x", storetest.ByUser), "user": storetest.ErrOnly(users.On(s).User(ctx, f.Account.OwnerID)), "name": storetest.ErrOnly(accounts.On(s).UpdateAccount(ctx, me, accounts.AccountChange{Name: new("x")})),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", what, err)
		}
	}
	if err := erasure.On(s).DeleteAccount(ctx, me, f.Account.OwnerID, storetest.SeededHash, storetest.ByUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("twice: %v", err)
	}
	if err := erasure.On(s).DeleteAccount(ctx, me, f.Account.OwnerID, "deleted", storetest.ByUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("twice, with what is stored: %v", err)
	}
	if storetest.SignInWorks(t, s, f.Account.OwnerID, mine) || !storetest.SignInWorks(t, s, stranger.Account.OwnerID, strangersPage) {
		t.Error("the wrong sign-ins ended")
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM sign_ins WHERE user_id = $1`, f.Account.OwnerID); n != 0 {
		t.Errorf("%d sign-ins with their addresses are left", n)
	}
	for account, want := range map[uuid.UUID]int{me: 0, stranger.Account.ID: 1} {
		n := storetest.CountRows(t, s, `SELECT count(*) FROM end_users WHERE account_id = $1`, account)
		if n != want {
			t.Errorf("%d blocked end users, want %d", n, want)
		}
	}
	for _, key := range []apikey.Key{f.Key, secondKey} {
		if used, err := exports.On(s).KeyInUse(ctx, key.Hash()); used || err != nil {
			t.Errorf("a key is in use: %v %v", used, err)
		}
	}
	if got := storetest.BeginTurn(t, s, f.Key, nil); got.Outcome != turns.Unauthorized {
		t.Errorf("a chat: %s", got.Outcome)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM agents WHERE account_id = $1`, me); n != 1 {
		t.Errorf("%d agents are left for the charge of the turn in flight, want 1", n)
	}
	if got := storetest.FinishTurn(t, s, pending, conversation.Answered); got.Outcome != turns.Settled || got.ErrorCode != "conversation_deleted" {
		t.Errorf("a reply that comes too late: %+v", got)
	}
	storetest.PurgeAgents(t, s)
	if got := storetest.FinishTurn(t, s, strangers, conversation.Answered); got.Outcome != turns.Settled {
		t.Errorf("the stranger's reply: %+v", got)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM accounts a WHERE id = $1 AND state = 'DELETED' AND name = '' AND credits_held = 0
		AND credit_balance = 8 AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = a.id)`, me); n != 1 {
		t.Error("the account's row is not what the ledger needs alone")
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries WHERE account_id = $1`, me); n != 3 {
		t.Errorf("%d entries of the ledger are left, want 3", n)
	}
	if n := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM agents WHERE account_id = $1) + (SELECT count(*) FROM api_keys WHERE account_id = $1)`,
		me); n != 0 {
		t.Errorf("%d agents and keys are left", n)
	}
	checkErased(t, s)
	again, err := accounts.On(s).CreateAccount(ctx, accounts.NewAccount{Email: f.Account.Email, Name: "Ada", PasswordHash: storetest.SeededHash, StartingCredits: 5})
	if err != nil || again.ID == me {
		t.Fatalf("the address cannot be used again: %v", err)
	}
	if err := erasure.On(s).DeleteAccount(ctx, again.ID, again.OwnerID, storetest.SeededHash, storetest.ByUser); err != nil {
		t.Errorf("the second account of one address: %v", err)
	}
	storetest.Audit(t, s)
}

// TestAccountDeletionAgainstChats deletes accounts while two replicas chat, use the playground, and
// create agents and exports. No turn stays pending, no text is left, and every credit is accounted
// for.
func TestAccountDeletionAgainstChats(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	for round := range 2 {
		f := seedSecret(t, replicas[0], 10_000)
		ctx := context.WithoutCancel(t.Context())
		begun := make(chan struct{}, 1000)
		var work sync.WaitGroup
		talk := func(s *store.DB, b turns.Begin, n int) (gone bool) {
			withSecret(fmt.Sprint("session ", n%5))(&b)
			got, err := turns.On(s).BeginTurn(ctx, b)
			if err != nil {
				t.Error(err)
			}
			if got.Outcome == turns.Begun {
				select {
				case begun <- struct{}{}:
				default:
				}
				if _, err := storetest.SettleFully(ctx, s, b.TurnID, []conversation.TurnState{conversation.Answered, conversation.Failed}[n%2]); err != nil {
					t.Error(err)
				}
			}
			return err != nil || got.Outcome == turns.Unauthorized || got.Outcome == turns.NotFound
		}
		for i, s := range replicas {
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
			work.Go(func() {
				for n := i; !talk(s, storetest.NewBegin(key), n); n++ {
				}
			})
			work.Go(func() {
				for n := i; ; n++ {
					b := storetest.NewBegin(key)
					b.Source, b.AccountID, b.AgentID = conversation.Playground, f.Account.ID, f.Agent.ID
					if talk(s, b, n) {
						return
					}
				}
			})
		}
		work.Go(func() {
			model := storetest.SandboxModel
			for {
				a, err := agents.On(replicas[1]).CreateAgent(ctx, f.Account.ID,
					agent.Agent{Name: "More", Settings: agent.Settings{Instructions: storetest.SecretText, Model: &model}})
				if err == nil {
					a, _, err = versions.On(replicas[1]).PublishAgent(ctx, f.Account.ID, a.ID, versions.Publication{}, storetest.OnlySandbox)
				}
				if err == nil {
					_, err = exports.On(replicas[1]).CreateExport(ctx, f.Account.ID, storetest.NewExport(a.ID), apikey.Mint())
				}
				if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) { // the account is deleted or at its limit
					return
				}
				if err != nil && !fault.Is(err, fault.Unavailable) { // one side of a deadlock gets Unavailable
					t.Error(err)
					return
				}
			}
		})
		for range 20 {
			<-begun
		}
		var err error
		for err = erasure.On(replicas[round%2]).DeleteAccount(ctx, f.Account.ID, f.Account.OwnerID, storetest.SeededHash, storetest.ByUser); fault.Is(err, fault.Unavailable); {
			err = erasure.On(replicas[round%2]).DeleteAccount(ctx, f.Account.ID, f.Account.OwnerID, storetest.SeededHash, storetest.ByUser)
		}
		if err != nil {
			t.Error(err)
		}
		work.Wait()
		for err = error(nil); storetest.CountRows(t, replicas[0], `SELECT count(*) FROM agents`) > 0 && err == nil; {
			_, err = erasure.On(replicas[0]).PurgeDeletedAgents(ctx, 100)
		}
		if err != nil {
			t.Error(err)
		}
	}
	checkErased(t, replicas[0])
}
