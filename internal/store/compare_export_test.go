package store

import (
	"context"
	"errors"
)

var errUndo = errors.New("undo")

// Undone runs work in a transaction that is rolled back.
func (s *Store) Undone(ctx context.Context, work func(tx *Store) error) error {
	err := s.inTx(ctx, func(tx *Store) error { return errors.Join(work(tx), errUndo) })
	if errors.Is(err, errUndo) && len(err.(interface{ Unwrap() []error }).Unwrap()) == 1 {
		return nil
	}
	return err
}

// BeginBefore begins a turn with the statement before functions.
func (s *Store) BeginBefore(ctx context.Context, b Begin) (BeginResult, error) {
	if b.AdmitOnly {
		args, err := b.args()
		if err != nil {
			return BeginResult{}, err
		}
		a, err := one[Admission](ctx, s, admitStatements[b.source()], args...)
		return BeginResult{Admission: a}, err
	}
	row, err := s.beginOne(ctx, b)
	if err == nil {
		row.History, err = row.history()
	}
	return row.BeginResult, err
}

// BeginTurns begins turns with the function.
func (s *Store) BeginTurns(ctx context.Context, items ...Begin) ([]BeginResult, error) {
	rows, err := s.beginTurns(ctx, items)
	out := make([]BeginResult, len(rows))
	for i := range rows {
		if err == nil {
			rows[i].History, err = rows[i].history()
			out[i] = rows[i].BeginResult
		}
	}
	return out, err
}

// FinishBefore settles a turn with the statement before functions.
func (s *Store) FinishBefore(ctx context.Context, in Settlement) (Finished, error) {
	return s.finishOne(ctx, in)
}

// SettleTurns settles turns with the function.
func (s *Store) SettleTurns(ctx context.Context, items ...Settlement) ([]Finished, error) {
	return s.settleTurns(ctx, items)
}

// ReapBefore reaps with the statement before functions, and ReapNow with the function.
func (s *Store) ReapBefore(ctx context.Context, limit int) (int, error) {
	return one[int](ctx, s, reapStatement, limit)
}

func (s *Store) ReapNow(ctx context.Context, limit int) (int, error) {
	return one[int](ctx, s, `SELECT reap_turns_1($1::int)`, limit)
}

// Query returns the only column of a statement's rows, in this transaction.
func (s *Store) Query(ctx context.Context, text string, args ...any) ([]string, error) {
	return all[string](ctx, s, text, args...)
}
