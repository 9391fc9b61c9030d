package operator

import (
	"context"
	"database/sql"
	_ "embed" // the statements are files of their own

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// Each statement reads its tables once, whatever their size, and returns one row for each
// violation.
var (
	//go:embed sql/verify_accounts.sql
	verifyAccountsSQL string
	//go:embed sql/verify_conversations.sql
	verifyConversationsSQL string
	//go:embed sql/verify_charges.sql
	verifyChargesSQL string
	//go:embed sql/verify_limits.sql
	verifyLimitsSQL string
	//go:embed sql/verify_usage.sql
	verifyUsageSQL string
	//go:embed sql/verify_knowledge.sql
	verifyKnowledgeSQL string

	verifyStatements = []string{verifyAccountsSQL, verifyConversationsSQL, verifyChargesSQL,
		verifyLimitsSQL, verifyUsageSQL, verifyKnowledgeSQL}
)

// ViolationKind names a broken invariant.
type ViolationKind string

// The kinds of violations.
const (
	// BalanceOff is a balance that is not the sum of the account's history.
	BalanceOff ViolationKind = "balance_is_not_the_history"
	// HeldOff is a hold that is not the sum of the prices of the account's pending turns.
	HeldOff ViolationKind = "held_is_not_the_pending_turns"
	// Overdrawn is a balance or a hold below zero, or less balance than is held.
	Overdrawn ViolationKind = "overdrawn"
	// EntryNumbers is a history that is not numbered 1, 2, 3, … up to the account's count.
	EntryNumbers ViolationKind = "entry_numbers"
	// RunningBalance is an entry whose balance_after is not the sum of the entries up to it, or below
	// zero.
	RunningBalance ViolationKind = "running_balance"
	// TwoPending is a conversation with more than one pending turn.
	TwoPending ViolationKind = "two_pending_turns"
	// PendingDeleted is a pending turn of a deleted conversation or agent that the deletion did not
	// mark.
	PendingDeleted ViolationKind = "pending_after_deletion"
	// TextDeleted is remaining text of a turn that was pending when its conversation was deleted.
	TextDeleted ViolationKind = "text_after_deletion"
	// TurnNumbers is a conversation whose turns are not numbered 1, 2, 3, … up to its count. A deleted
	// one may have gaps, but no duplicates, and no number beyond the count.
	TurnNumbers ViolationKind = "turn_numbers"
	// LostTurn is a turn without its conversation.
	LostTurn ViolationKind = "turn_without_conversation"
	// ChargeMissing is an answered turn without exactly one charge of its price to its account.
	ChargeMissing ViolationKind = "answered_without_its_charge"
	// ChargeUnearned is a charge without a turn, or for a turn that was not answered. A charge whose
	// turn was deleted later is correct.
	ChargeUnearned ViolationKind = "charge_without_answer"
	// CounterOff is a counter of an export's limit that is not the sum of its pending and answered
	// turns. Turns that were deleted later may be missing.
	CounterOff ViolationKind = "counter_is_not_its_turns"
	// UsageOff is an account's usage that differs from the sum of the charges in it.
	UsageOff ViolationKind = "usage_is_not_the_ledger"
	// KnowledgeOff is a source without its passages or postings, or passages or postings without
	// their source. The latter have the null UUID as their account.
	KnowledgeOff ViolationKind = "knowledge_is_not_its_passages"
	// KnowledgeUnmarked is an agent or a version whose has_knowledge is wrong.
	KnowledgeUnmarked ViolationKind = "knowledge_is_not_marked"
	// KnowledgeStuck is a source whose state does not match its file: no reader would ever read it, or
	// it is READY and the file is still there.
	KnowledgeStuck ViolationKind = "knowledge_is_not_its_file"
)

// Violation is one error in the ledger. It has ids and figures, never customers' text.
type Violation struct {
	Kind      ViolationKind `json:"kind"`
	AccountID uuid.UUID     `json:"account_id"`
	// Figures hold the actual and the expected values.
	Figures string `json:"figures"`
}

// Verification is the result of Verify.
type Verification struct {
	Accounts int64
	Turns    int64
	Entries  int64
	// Violations are the first ones; Total counts all.
	Violations []Violation
	Total      int64
}

// Verify checks in one snapshot that the ledger is exact, and returns at most limit violations and
// their total number. It takes no lock that other statements wait for. It is exempt from the
// statement timeout: only ctx limits it.
func (s Store) Verify(ctx context.Context, limit int) (Verification, error) {
	ctx = db.WithoutDeadline(ctx)
	tx, err := db.Snapshot(ctx, s.db)
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = tx.Rollback() }() // there is nothing to commit
	var out Verification
	// These statements read whole tables, so the tables' own order beats an index. Sorts that exceed
	// work_mem use files. Without statistics the planner underestimates long tables, and would compare
	// each row of one with each of another.
	_, err = tx.ExecContext(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL random_page_cost = 4;
		SET LOCAL jit = off; SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off;
		SET LOCAL enable_seqscan = on`)
	if err != nil {
		return Verification{}, db.Translate(err)
	}
	err = tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM accounts),
		(SELECT count(*) FROM turns), (SELECT count(*) FROM credit_entries)`).Scan(&out.Accounts, &out.Turns, &out.Entries)
	if err != nil {
		return Verification{}, db.Translate(err)
	}
	for _, statement := range verifyStatements {
		if err := out.collect(ctx, tx, statement, limit); err != nil {
			return Verification{}, db.Translate(err)
		}
	}
	return out, nil
}

// collect adds the violations that a statement finds, row by row: a broken ledger need not fit into
// memory.
func (v *Verification) collect(ctx context.Context, tx *sql.Tx, statement string, limit int) error {
	rows, err := tx.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var found Violation
		if err := rows.Scan(&found.Kind, &found.AccountID, &found.Figures); err != nil {
			return err
		}
		if v.Total++; len(v.Violations) < limit {
			v.Violations = append(v.Violations, found)
		}
	}
	return rows.Err()
}
