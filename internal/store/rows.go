package store

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// all runs a hand-written statement with bound parameters and returns its rows. T is a struct with a field for every column, or
// the type of the only column.
func all[T any](ctx context.Context, s *Store, text string, args ...any) ([]T, error) {
	leave, err := s.pool.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	rows, err := s.bound.QueryContext(ctx, text, args...) //nolint:rowserrcheck // ScanRows checks it
	if err != nil {
		return nil, Translate(err)
	}
	var out []T
	err = s.root.ScanRows(ctx, rows, &out) // closes the rows
	return out, Translate(err)
}

// eachRow is all for a long list, of which it keeps one row at a time.
func eachRow[T any](ctx context.Context, s *Store, work func(T), text string, args ...any) error {
	leave, err := s.pool.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	rows, err := s.bound.QueryContext(ctx, text, args...)
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var row T
		if err := s.root.ScanRow(ctx, rows, &row); err != nil {
			return Translate(err)
		}
		work(row)
	}
	return Translate(rows.Err())
}

// one is all for a statement that returns at most one row. Fault: NotFound for none.
func one[T any](ctx context.Context, s *Store, text string, args ...any) (T, error) {
	found, err := all[T](ctx, s, text, args...)
	return single(found, err)
}

// single returns the only item of a list that has one or none. Fault: NotFound for none.
func single[T any](found []T, err error) (T, error) {
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, sql.ErrNoRows)
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// mapped returns what f makes of each item.
func mapped[T, U any](items []T, f func(T) U) []U {
	out := make([]U, 0, len(items))
	for _, item := range items {
		out = append(out, f(item))
	}
	return out
}

// exec runs a hand-written statement with bound parameters and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, text string, args ...any) (int, error) {
	leave, err := s.pool.enter(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	result, err := s.bound.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, Translate(err)
	}
	n, err := result.RowsAffected()
	return int(n), Translate(err)
}

// mustChange takes what exec returns. Fault: NotFound when no row was changed.
func mustChange(n int, err error) error {
	if err == nil && n == 0 {
		return fault.Wrap(fault.NotFound, nil)
	}
	return err
}

// byID returns the items by their ids.
func byID[T any](items []T, id func(T) uuid.UUID) map[uuid.UUID]T {
	out := make(map[uuid.UUID]T, len(items))
	for _, item := range items {
		out[id(item)] = item
	}
	return out
}

// valuesByID returns the column value of rows by their ids.
func valuesByID[T any](ctx context.Context, s *Store, text string, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]T, error) {
	type row struct {
		ID    uuid.UUID
		Value T
	}
	rows, err := all[row](ctx, s, text, accountID, texts(ids))
	out := make(map[uuid.UUID]T, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Value
	}
	return out, err
}

// snapshot begins a read-only transaction that sees the database as of now. Roll it back.
func snapshot(ctx context.Context, s *Store) (*sql.Tx, error) {
	tx, err := s.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	return tx, Translate(err)
}
