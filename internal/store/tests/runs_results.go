package tests

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// Result is the result of an attempt.
type Result struct {
	RunID      uuid.UUID
	CaseNumber int
	// Repeat is the number of the attempt, from 1.
	Repeat int
	CaseID uuid.UUID
	Passed bool
	// Verdicts are the outcomes of the checks, in their order; none for a failed attempt.
	Verdicts []Verdict `bun:"-"`
	// ErrorCode is the public code of a failed attempt; nil for an answered one.
	ErrorCode *string
	// TurnID is the turn of the final reply, or the failed turn; nil if no turn began.
	TurnID *uuid.UUID
	// Credits is the cost of the attempt, including the judge's.
	Credits int64
	// Model is the model that answered. Tokens and time are sums over all rounds; nil if unknown.
	Model                     *string
	InputTokens, OutputTokens *int64
	DurationMs                *int64
}

// Verdict is the outcome of a check.
type Verdict struct {
	evaluation.Verdict
	// JudgeTurn is the turn in which the judge gave the verdict; nil for other checks.
	JudgeTurn *uuid.UUID `json:"judge_turn,omitempty"`
}

// InsertResult stores the result of an attempt. credits is the run's cost so far. Nothing is stored
// if the case was erased. Fault: NotFound if the claim no longer holds.
func (s Store) InsertResult(ctx context.Context, run Run, in Result, credits int64) error {
	verdicts := in.Verdicts
	if verdicts == nil {
		verdicts = []Verdict{}
	}
	text, err := json.Marshal(verdicts)
	if err != nil {
		return fault.Wrap(fault.Internal, err)
	}
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		// The lock makes an erasure wait, so that it also deletes the texts of this attempt.
		_, err := db.One[uuid.UUID](ctx, tx,
			`SELECT id FROM test_cases WHERE id = $1 AND erased_at IS NULL FOR SHARE`, in.CaseID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err == nil {
			err = db.MustChange(db.Exec(ctx, tx, `UPDATE test_runs r SET done = r.done + 1, credits = greatest(r.credits, $3)
				WHERE`+ofClaim, run.ID, run.Attempt, credits))
		}
		if err != nil {
			return err
		}
		_, err = db.Exec(ctx, tx, `
			INSERT INTO test_results (run_id, case_number, repeat, case_id, passed, verdicts, error_code, turn_id, credits,
				model, input_tokens, output_tokens, duration_ms)
			VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $12, $13)`,
			run.ID, in.CaseNumber, in.Repeat, in.CaseID, in.Passed, string(text), in.ErrorCode, in.TurnID, in.Credits,
			in.Model, in.InputTokens, in.OutputTokens, in.DurationMs)
		return err
	})
}

// resultColumns are the columns of a resultRow, of test_results AS t.
const resultColumns = ` t.run_id, t.case_number, t.repeat, t.case_id, t.passed, t.error_code, t.turn_id, t.credits, t.model,
	t.input_tokens, t.output_tokens, t.duration_ms, t.verdicts AS decoded `

type resultRow struct {
	Result
	Decoded []Verdict
}

// ResultPlace returns the cursor of a result in its run's list.
func ResultPlace(r Result) db.Cursor {
	return db.Cursor{Key: int64(r.CaseNumber)<<8 | int64(r.Repeat), ID: r.RunID}
}

// ResultQuery selects a page of results.
type ResultQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is a cursor of the same run; nil starts with the first case.
	After *db.Cursor
	// CaseNumber selects one case; nil selects all.
	CaseNumber *int
}

// ResultPage returns a page of a run's results, by case and repeat. Fault: InvalidInput on after and
// first, before any statement.
func (s Store) ResultPage(
	ctx context.Context, accountID, runID uuid.UUID, q ResultQuery,
) (db.Page[Result], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Result]{}, err
	}
	var text db.Statement
	text.Add(`SELECT`+resultColumns+`FROM test_runs r JOIN test_results t ON t.run_id = r.id
		WHERE r.account_id = ?::uuid AND r.id = ?::uuid AND r.deleted_at IS NULL`, accountID, runID)
	if q.After != nil {
		if q.After.ID != runID {
			return db.Page[Result]{}, db.BadCursor("after")
		}
		text.Add(` AND (t.case_number, t.repeat) > (?::bigint, ?::bigint)`, q.After.Key>>8, q.After.Key&0xff)
	}
	if q.CaseNumber != nil {
		text.Add(` AND t.case_number = ?::bigint`, *q.CaseNumber)
	}
	text.Add(` ORDER BY t.case_number, t.repeat LIMIT ?::bigint`, q.First+1)
	rows, err := db.All[resultRow](ctx, s.db, text.String(), text.Args()...)
	items := db.Mapped(rows, func(r resultRow) Result {
		r.Verdicts = r.Decoded
		return r.Result
	})
	return db.Cut(items, q.First), err
}
