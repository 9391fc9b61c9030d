package erasure_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestDeletionWaits runs a deletion against a transaction that is not yet committed. The deletion
// sees what the transaction has done.
func TestDeletionWaits(t *testing.T) {
	t.Parallel()
	deleteAccount := func(s *store.DB, f storetest.Fixture) error {
		return erasure.On(s).DeleteAnyAccount(t.Context(), f.Account.ID, storetest.ByUser)
	}
	for name, c := range map[string]struct {
		// first runs in the transaction before the deletion, and then while the deletion waits.
		first, then string
		deletion    func(s *store.DB, f storetest.Fixture) error
		// left counts what must not be there afterwards.
		left string
	}{
		"an agent created after the deletion has looked for agents": {
			first: `SELECT id FROM accounts FOR NO KEY UPDATE`,
			then: `INSERT INTO agents (id, account_id, name)
				SELECT gen_random_uuid(), id, 'Late' FROM accounts`,
			deletion: deleteAccount,
			left:     `SELECT count(*) FROM agents`,
		},
		"a sign-in": {
			first: `WITH u AS (SELECT id FROM users FOR SHARE)
				INSERT INTO sign_ins (id, user_id, browser, address, refresh_hash, expires_at, renew_before)
				SELECT gen_random_uuid(), id, '', '', sha256(''), now() + interval '1 h', now() + interval '1 h'
				FROM u`,
			deletion: deleteAccount,
			left:     `SELECT (SELECT count(*) FROM sign_ins) + (SELECT count(*) FROM users)`,
		},
		"a message in an idle conversation": {
			first: `UPDATE conversations SET last_turn_at = clock_timestamp()`,
			deletion: func(s *store.DB, _ storetest.Fixture) error {
				return storetest.ErrOnly(erasure.On(s).PurgeIdle(t.Context(), 7, 10))
			},
			left: `SELECT count(*) FROM conversations WHERE deleted_at IS NOT NULL`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := seedSecret(t, s, 5)
			storetest.AnswerInPlayground(t, s, f, "idle")
			storetest.Exec(t, s, `UPDATE conversations SET last_turn_at = now() - interval '8 days'`)
			tx, err := s.SQL().BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }()
			must(t, storetest.ErrOnly(tx.ExecContext(t.Context(), c.first)))
			deleted := make(chan error, 1)
			go func() { deleted <- c.deletion(s, f) }()
			storetest.WaitForLocks(t, s, 1)
			if c.then != "" {
				must(t, storetest.ErrOnly(tx.ExecContext(t.Context(), c.then)))
			}
			must(t, tx.Commit())
			if err := <-deleted; err != nil {
				t.Error(err)
			}
			if n := storetest.CountRows(t, s, c.left); n != 0 {
				t.Errorf("%d rows are left", n)
			}
		})
	}
}

// TestDeletionAgainstABegin lets the begin or the deletion of its agent come first. A begin that
// comes first is marked by the deletion; one that comes second finds no export.
func TestDeletionAgainstABegin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lock       string
		beginFirst bool
		want       turns.Outcome
	}{
		"the begin is first":    {`SELECT id FROM accounts`, true, turns.Begun},
		"the deletion is first": {`SELECT id FROM turns`, false, turns.Unauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := seedSecret(t, s, 5)
			var ids []uuid.UUID
			storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
				withSecret("in flight")(b)
				ids = append(ids, b.TurnID)
			})
			b := storetest.NewBegin(f.Key)
			withSecret("new")(&b)
			var got turns.BeginResult
			first, second := func() error {
				return erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID)
			}, func() (err error) {
				got, err = turns.On(s).BeginTurn(t.Context(), b)
				return err
			}
			if c.beginFirst {
				first, second = second, first
				ids = append(ids, b.TurnID)
			}
			release := storetest.WhileLocked(t, s, c.lock, first)
			done := make(chan error, 1)
			go func() { done <- second() }()
			storetest.WaitForLocks(t, s, 2)
			release()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if got.Outcome != c.want {
				t.Errorf("the begin: %s, want %s", got.Outcome, c.want)
			}
			if again := storetest.BeginTurn(t, s, f.Key, nil); again.Outcome != turns.Unauthorized {
				t.Errorf("a begin afterwards: %s", again.Outcome)
			}
			for _, id := range ids {
				got := storetest.FinishTurn(t, s, id, conversation.Answered)
				if got.Outcome != turns.Settled || got.ErrorCode != "conversation_deleted" {
					t.Errorf("the reply of a marked turn: %+v", got)
				}
			}
			if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 5 || held != 0 {
				t.Errorf("balance %d, held %d, want 5 and 0", balance, held)
			}
			checkErased(t, s)
		})
	}
}
