package operator_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestVerifyCountsWhatItLookedAt(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if got, err := operator.On(s).Verify(t.Context(), 9); err != nil || got.Total+got.Accounts+got.Turns+got.Entries != 0 {
		t.Errorf("an empty ledger: %+v, %v", got, err)
	}
	f := storetest.Seed(t, s, storetest.Options{Credits: 5})
	storetest.AnswerTurn(t, s, f.Key, nil)
	storetest.BeginTurn(t, s, f.Key, nil)
	got, err := operator.On(s).Verify(t.Context(), 9)
	if err != nil || got.Total != 0 || got.Accounts != 1 || got.Turns != 2 || got.Entries != 2 {
		t.Errorf("a ledger in use: %+v, %v", got, err)
	}
}

// TestVerifyFindsEveryKind corrupts a ledger in each way that its constraints and triggers would
// have rejected.
func TestVerifyFindsEveryKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		breaks  string // $1 is the account
		figures string
		kinds   []operator.ViolationKind
	}{
		{"a balance of its own", `UPDATE accounts SET credit_balance = 7 WHERE id = $1`,
			"balance 7, sum of 2 entries 9", []operator.ViolationKind{operator.BalanceOff}},
		{"an account that is gone", `DELETE FROM accounts WHERE id = $1`,
			"balance none, sum of 2 entries 9", []operator.ViolationKind{operator.BalanceOff, operator.HeldOff}},
		{"a hold that leaked", `UPDATE accounts SET credits_held = 3 WHERE id = $1`,
			"held 3, price of 1 pending turns 1", []operator.ViolationKind{operator.HeldOff}},
		{"a hold below zero", `UPDATE accounts SET credits_held = -1 WHERE id = $1`,
			"balance 9, held -1", []operator.ViolationKind{operator.HeldOff, operator.Overdrawn}},
		{"more held than there is", `WITH u AS (UPDATE turns SET price = 10 WHERE state = 'PENDING') UPDATE accounts SET credits_held = 10
			WHERE id = $1`, "balance 9, held 10", []operator.ViolationKind{operator.Overdrawn}},
		{"an entry that is gone", `DELETE FROM credit_entries WHERE account_id = $1 AND kind = 'GRANT'`,
			"1 entries, counted 2, first wrong number 2",
			[]operator.ViolationKind{operator.BalanceOff, operator.EntryNumbers, operator.RunningBalance}},
		{"an entry counted too many", `UPDATE accounts SET entry_count = 3 WHERE id = $1`,
			"2 entries, counted 3, first wrong number none", []operator.ViolationKind{operator.EntryNumbers}},
		{"a number twice", `UPDATE credit_entries SET number = 1 WHERE account_id = $1`,
			"2 entries, counted 2, first wrong number 1", []operator.ViolationKind{operator.EntryNumbers}},
		{"a running balance", `UPDATE credit_entries SET balance_after = 8 WHERE account_id = $1 AND number = 2`,
			"first wrong balance_after at entry number 2", []operator.ViolationKind{operator.RunningBalance}},
		{"two pending turns", `WITH u AS (UPDATE accounts SET credits_held = 2 WHERE id = $1) UPDATE turns SET state = 'PENDING'
			WHERE account_id = $1 AND state = 'FAILED'`, "2 pending turns", []operator.ViolationKind{operator.TwoPending}},
		{"a deleted conversation", `UPDATE conversations SET deleted_at = now() WHERE account_id = $1`,
			"1 pending turns", []operator.ViolationKind{operator.PendingDeleted}},
		{"text of a marked turn", `WITH c AS (UPDATE conversations SET deleted_at = now() WHERE account_id = $1)
			UPDATE turns SET deleted_at = now() WHERE account_id = $1 AND state = 'PENDING'`,
			"which is deleted", []operator.ViolationKind{operator.TextDeleted}},
		{"a deleted agent", `UPDATE agents SET deleted_at = now() WHERE account_id = $1`,
			"1 pending turns", []operator.ViolationKind{operator.PendingDeleted}},
		{"a turn that is gone", `DELETE FROM turns WHERE account_id = $1 AND state = 'FAILED'`,
			"2 turns up to number 3, counted 3, first wrong number 3", []operator.ViolationKind{operator.TurnNumbers}},
		{"the last turn is gone", `WITH u AS (UPDATE accounts SET credits_held = 0 WHERE id = $1) DELETE FROM turns
			WHERE account_id = $1 AND number = 3`, "2 turns up to number 2, counted 3", []operator.ViolationKind{operator.TurnNumbers}},
		{"a turn's number twice", `UPDATE turns SET number = 1 WHERE account_id = $1 AND number = 2`,
			"first wrong number 1", []operator.ViolationKind{operator.TurnNumbers}},
		{"beyond the count of a deleted one", `WITH d AS (DELETE FROM turns WHERE state = 'PENDING'),
			u AS (UPDATE accounts SET credits_held = 0 WHERE id = $1)
			UPDATE conversations SET deleted_at = now(), turn_count = 1 WHERE account_id = $1`,
			"counted 1", []operator.ViolationKind{operator.TurnNumbers}},
		{"no conversation", `DELETE FROM conversations WHERE account_id = $1`,
			"number 2", []operator.ViolationKind{operator.LostTurn}},
		{"never charged", `WITH a AS (UPDATE accounts SET credit_balance = 10, entry_count = 1 WHERE id = $1)
			DELETE FROM credit_entries WHERE account_id = $1 AND kind = 'CHARGE'`,
			"price 1, 0 charges of 0 in all", []operator.ViolationKind{operator.ChargeMissing}},
		{"charged twice", `WITH a AS (UPDATE accounts SET credit_balance = 8, entry_count = 3 WHERE id = $1)
			INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, turn_id)
			SELECT gen_random_uuid(), account_id, 3, 'CHARGE', -1, 8, turn_id FROM credit_entries WHERE account_id = $1 AND number = 2`,
			"price 1, 2 charges of -2 in all", []operator.ViolationKind{operator.ChargeMissing}},
		{"charged too much", `WITH a AS (UPDATE accounts SET credit_balance = 5 WHERE id = $1)
			UPDATE credit_entries SET amount = -5, balance_after = 5 WHERE account_id = $1 AND number = 2`,
			"price 1, 1 charges of -5 in all", []operator.ViolationKind{operator.ChargeMissing}},
		{"use that was not charged", `INSERT INTO usage_rollups (account_id, minutes, start, agent_id, export_id, model, source, status, messages, credits)
			VALUES ($1, 60, now(), gen_random_uuid(), gen_random_uuid(), 'm', 'API', 'answered', 1, 5)`,
			"in spans of 60 minutes 1 messages for 5 credits, in the ledger 0 for 0", []operator.ViolationKind{operator.UsageOff}},
		{"a charge that is not in the usage", `INSERT INTO usage_cursors (account_id, last_entry) VALUES ($1, 2)`,
			"0 messages for 0 credits, in the ledger 1 for 1", []operator.ViolationKind{operator.UsageOff}},
		{"charged for a failure", `UPDATE turns SET state = 'FAILED' WHERE account_id = $1 AND state = 'ANSWERED'`,
			"FAILED", []operator.ViolationKind{operator.ChargeUnearned}},
		{"a posting is gone", `DELETE FROM knowledge_postings
			WHERE $1::uuid IS NOT NULL AND ctid = (SELECT min(ctid) FROM knowledge_postings)`,
			"", []operator.ViolationKind{operator.KnowledgeOff}},
		{"a passage is gone", `DELETE FROM knowledge_passages WHERE $1::uuid IS NOT NULL`,
			"", []operator.ViolationKind{operator.KnowledgeOff}},
		{"a posting of nothing", `INSERT INTO knowledge_postings
			SELECT 1, 77, 1, 1 WHERE $1::uuid IS NOT NULL`,
			"", []operator.ViolationKind{operator.KnowledgeOff}},
		{"knowledge of no version and no draft", `WITH a AS (
				UPDATE agents SET has_knowledge = false WHERE account_id = $1
			) UPDATE knowledge_sources SET versions = '{}'`,
			"", []operator.ViolationKind{operator.KnowledgeOff}},
		{"an unmarked draft", `UPDATE agents SET has_knowledge = false WHERE account_id = $1`,
			"", []operator.ViolationKind{operator.KnowledgeUnmarked}},
		{"a marked version", `UPDATE agent_versions SET has_knowledge = true WHERE account_id = $1`,
			"", []operator.ViolationKind{operator.KnowledgeUnmarked}},
		{"charged for nothing", `UPDATE credit_entries SET turn_id = NULL WHERE account_id = $1 AND kind = 'CHARGE'`,
			"turn none", []operator.ViolationKind{operator.ChargeMissing, operator.ChargeUnearned}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			storetest.Seed(t, s, storetest.Options{})
			f := storetest.Seed(t, s, storetest.Options{Credits: 10})
			someTurns(t, s, f)
			storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("a", "one text"))
			storetest.Audit(t, s)
			storetest.Unguard(t, s)
			storetest.Exec(t, s, c.breaks, f.Account.ID)
			expectViolations(t, s, f.Account.ID, c.figures, c.kinds)
		})
	}
}

// someTurns answers one turn, fails one, and leaves one pending.
func someTurns(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	storetest.AnswerTurn(t, s, f.Key, nil)
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
	storetest.FinishTurn(t, s, id, conversation.Failed)
	storetest.BeginTurn(t, s, f.Key, nil)
}

func expectViolations(t *testing.T, s *store.DB, account uuid.UUID, figures string, kinds []operator.ViolationKind) {
	t.Helper()
	got, err := operator.On(s).Verify(t.Context(), 99)
	if err != nil {
		t.Fatal(err)
	}
	var found []operator.ViolationKind
	told := false
	for _, v := range got.Violations {
		if v.AccountID != account && v.AccountID != uuid.Nil { // a posting of nothing has no account
			t.Errorf("a violation of another account: %+v", v)
		}
		if !slices.Contains(found, v.Kind) {
			found = append(found, v.Kind)
		}
		told = told || slices.Contains(kinds, v.Kind) && strings.Contains(v.Figures, figures)
	}
	slices.Sort(found)
	want := slices.Sorted(slices.Values(kinds))
	if !slices.Equal(found, want) || !told {
		t.Errorf("found %v, want %v with %q: %+v", found, want, figures, got.Violations)
	}
	if few, err := operator.On(s).Verify(t.Context(), 0); err != nil || len(few.Violations) != 0 || few.Total != got.Total {
		t.Errorf("with a limit: %+v, %v", few, err)
	}
}
