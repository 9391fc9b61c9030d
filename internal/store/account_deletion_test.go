package store_test

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
	"agentchat/internal/store/storetest"
)

func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 10)
	ctx, me := t.Context(), f.Account.ID
	stranger := storetest.Seed(t, s, storetest.Options{Credits: 10})
	strangersPage, mine := signIn(t, s, stranger.Account.OwnerID), signIn(t, s, f.Account.OwnerID)
	signIn(t, s, f.Account.OwnerID)
	second := storetest.SeedAgent(t, s, me, storetest.Options{Model: storetest.SandboxModel, Instructions: secretText})
	_, _, secondKey := storetest.SeedExport(t, s, me, second.ID, 600)
	answered(t, s, f.Key, withSecret("answered"))
	answered(t, s, secondKey, func(b *store.Begin) { withSecret("with a key")(b); b.IdempotencyKey = "k" })
	answered(t, s, stranger.Key, nil)
	var pending, strangers uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { withSecret("answered")(b); pending = b.TurnID })
	begin(t, s, stranger.Key, func(b *store.Begin) { strangers = b.TurnID })

	if err := s.DeleteAccount(ctx, me, f.Account.OwnerID, "another hash", byUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("a password that was changed: %v", err)
	}
	if !active(t, s, f.Account.OwnerID, mine) || len(sessionsOf(t, s, me, store.ConversationQuery{First: 10}, nil)) != 2 {
		t.Error("the refused deletion changed something")
	}
	if err := s.DeleteAccount(ctx, me, f.Account.OwnerID, seededHash, byUser); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"the address": third(s.AccountByEmail(ctx, f.Account.Email)), "agent": third(s.Agent(ctx, me, f.Agent.ID)),
		"export": third(exportByID(ctx, s, me, f.Export.ID)), "grant": third(s.GrantCredits(ctx, store.Grant{AccountID: f.Account.ID, Amount: 1})),
		"another agent": third(s.CreateAgent(ctx, me, agent.Agent{Name: "x"})),
		"password":      s.SetPasswordHash(ctx, f.Account.OwnerID, "x", byUser), "user": third(s.User(ctx, f.Account.OwnerID)), "name": third(s.UpdateAccount(ctx, me, store.AccountChange{Name: new("x")})),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", what, err)
		}
	}
	if err := s.DeleteAccount(ctx, me, f.Account.OwnerID, seededHash, byUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("twice: %v", err)
	}
	if err := s.DeleteAccount(ctx, me, f.Account.OwnerID, "deleted", byUser); !fault.Is(err, fault.Conflict) {
		t.Errorf("twice, with what is stored: %v", err)
	}
	if active(t, s, f.Account.OwnerID, mine) || !active(t, s, stranger.Account.OwnerID, strangersPage) {
		t.Error("the wrong sign-ins ended")
	}
	if n := countRows(t, s, `SELECT count(*) FROM sign_ins WHERE user_id = $1`, f.Account.OwnerID); n != 0 {
		t.Errorf("%d sign-ins with their addresses are left", n)
	}
	for _, key := range []apikey.Key{f.Key, secondKey} {
		if used, err := s.KeyInUse(ctx, key.Hash()); used || err != nil {
			t.Errorf("a key is in use: %v %v", used, err)
		}
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Unauthorized {
		t.Errorf("a chat: %s", got.Outcome)
	}
	if n := countRows(t, s, `SELECT count(*) FROM agents WHERE account_id = $1`, me); n != 1 {
		t.Errorf("%d agents are left for the charge of the turn under way, want 1", n)
	}
	if got := finish(t, s, pending, conversation.Answered); got.Outcome != store.Settled || got.ErrorCode != "conversation_deleted" {
		t.Errorf("a reply that comes too late: %+v", got)
	}
	purgeAgents(t, s)
	if got := finish(t, s, strangers, conversation.Answered); got.Outcome != store.Settled {
		t.Errorf("the stranger's reply: %+v", got)
	}
	if n := countRows(t, s, `SELECT count(*) FROM accounts a WHERE id = $1 AND state = 'DELETED' AND name = '' AND credits_held = 0
		AND credit_balance = 8 AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = a.id)`, me); n != 1 {
		t.Error("the account's row is not what the ledger needs alone")
	}
	if n := countRows(t, s, `SELECT count(*) FROM credit_entries WHERE account_id = $1`, me); n != 3 {
		t.Errorf("%d entries of the ledger are left, want 3", n)
	}
	if n := countRows(t, s, `SELECT (SELECT count(*) FROM agents WHERE account_id = $1) + (SELECT count(*) FROM api_keys WHERE account_id = $1)`,
		me); n != 0 {
		t.Errorf("%d agents and keys are left", n)
	}
	checkErased(t, s)
	anew, err := s.CreateAccount(ctx, store.NewAccount{Email: f.Account.Email, Name: "Ada", PasswordHash: seededHash, StartingCredits: 5})
	if err != nil || anew.ID == me {
		t.Fatalf("the address cannot be used anew: %v", err)
	}
	if err := s.DeleteAccount(ctx, anew.ID, anew.OwnerID, seededHash, byUser); err != nil {
		t.Errorf("the second account of one address: %v", err)
	}
	storetest.Audit(t, s)
}

// TestAgentThatComesInIsDeletedToo: an agent, with its export, is created after the deletion looked for them, and before it has
// the account's lock.
func TestAgentThatComesInIsDeletedToo(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 5)
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM accounts FOR NO KEY UPDATE`); err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error, 1)
	go func() { deleted <- s.DeleteAccount(t.Context(), f.Account.ID, f.Account.OwnerID, seededHash, byUser) }()
	waitForLocks(t, s, 1)
	if _, err := tx.ExecContext(t.Context(), `INSERT INTO agents (id, account_id, name) VALUES ($1, $2, 'Late')`, uuid.New(),
		f.Account.ID); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM agents`); n != 0 {
		t.Errorf("%d agents are left", n)
	}
	checkErased(t, s)
}

// TestAccountDeletionAgainstChats deletes accounts while two replicas chat, try in the playground, and make agents and exports:
// nothing is left pending, no text, and every credit is accounted for.
func TestAccountDeletionAgainstChats(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	for round := range 2 {
		f := seedSecret(t, replicas[0], 10_000)
		ctx := context.WithoutCancel(t.Context())
		begun := make(chan struct{}, 1000)
		var work sync.WaitGroup
		talk := func(s *store.Store, b store.Begin, n int) (gone bool) {
			withSecret(fmt.Sprint("session ", n%5))(&b)
			got, err := s.BeginTurn(ctx, b)
			if err != nil {
				t.Error(err)
			}
			if got.Outcome == store.Begun {
				select {
				case begun <- struct{}{}:
				default:
				}
				if _, err := settleFully(ctx, s, b.TurnID, []conversation.TurnState{conversation.Answered, conversation.Failed}[n%2]); err != nil {
					t.Error(err)
				}
			}
			return err != nil || got.Outcome == store.Unauthorized || got.Outcome == store.NotFound
		}
		for i, s := range replicas {
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
			work.Go(func() {
				for n := i; !talk(s, newBegin(key), n); n++ {
				}
			})
			work.Go(func() {
				for n := i; ; n++ {
					b := newBegin(key)
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
				a, err := replicas[1].CreateAgent(ctx, f.Account.ID,
					agent.Agent{Name: "More", Settings: agent.Settings{Instructions: secretText, Model: &model}})
				if err == nil {
					a, _, err = replicas[1].PublishAgent(ctx, f.Account.ID, a.ID, store.Publication{}, onlySandbox)
				}
				if err == nil {
					_, err = replicas[1].CreateExport(ctx, f.Account.ID, newExport(a.ID), apikey.Mint())
				}
				if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) { // it owns all that it may
					return
				}
				if err != nil && !fault.Is(err, fault.Unavailable) { // one side of a deadlock may be told to try again
					t.Error(err)
					return
				}
			}
		})
		for range 20 {
			<-begun
		}
		var err error
		for err = replicas[round%2].DeleteAccount(ctx, f.Account.ID, f.Account.OwnerID, seededHash, byUser); fault.Is(err, fault.Unavailable); {
			err = replicas[round%2].DeleteAccount(ctx, f.Account.ID, f.Account.OwnerID, seededHash, byUser)
		}
		if err != nil {
			t.Error(err)
		}
		work.Wait()
		for err = error(nil); countRows(t, replicas[0], `SELECT count(*) FROM agents`) > 0 && err == nil; {
			_, err = replicas[0].PurgeDeletedAgents(ctx, 100)
		}
		if err != nil {
			t.Error(err)
		}
	}
	checkErased(t, replicas[0])
}

func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	got, err := s.UpdateAccount(t.Context(), f.Account.ID, store.AccountChange{Name: new("Grace")})
	if want := f.Account; err != nil || got.Name != "Grace" || got.CreditBalance != want.CreditBalance {
		t.Errorf("%+v %v", got, err)
	}
	if err := third(s.UpdateAccount(t.Context(), uuid.Max, store.AccountChange{Name: new("Grace")})); !fault.Is(err, fault.NotFound) {
		t.Errorf("nobody: %v", err)
	}
	suspend(t, s, f)
	if err := third(s.UpdateAccount(t.Context(), f.Account.ID, store.AccountChange{Name: new("Ada")})); !fault.Is(err, fault.NotFound) {
		t.Errorf("suspended: %v", err)
	}
}

// TestDeleteAccountBesideASignIn: a sign-in that commits while the operator deletes the account neither fails the deletion nor stays.
func TestDeleteAccountBesideASignIn(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `WITH u AS (SELECT id FROM users WHERE id = $1 FOR SHARE)
		INSERT INTO sign_ins (id, user_id, browser, address, refresh_hash, expires_at, renew_before)
		SELECT gen_random_uuid(), id, '', '', sha256(''), now() + interval '1 h', now() + interval '1 h' FROM u`, f.Account.OwnerID); err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error, 1)
	go func() { deleted <- s.DeleteAnyAccount(t.Context(), f.Account.ID, byUser) }()
	waitForLocks(t, s, 1)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-deleted; err != nil {
		t.Errorf("the deletion: %v", err)
	}
	if n := countRows(t, s, `SELECT (SELECT count(*) FROM sign_ins) + (SELECT count(*) FROM users)`); n != 0 {
		t.Errorf("%d sign-ins and users are left", n)
	}
}
