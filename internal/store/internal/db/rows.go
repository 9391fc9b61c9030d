package db

import (
	"context"
	"database/sql"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// All runs a hand-written statement with bound parameters and returns its rows. T is a struct with
// a field for every column, or the type of the only column.
func All[T any](ctx context.Context, s *DB, text string, args ...any) ([]T, error) {
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

// EachRow is All for a long list. It keeps one row at a time.
func EachRow[T any](ctx context.Context, s *DB, work func(T), text string, args ...any) error {
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

// One is All for a statement that returns at most one row. Fault: NotFound for none.
func One[T any](ctx context.Context, s *DB, text string, args ...any) (T, error) {
	found, err := All[T](ctx, s, text, args...)
	return Single(found, err)
}

// Single returns the only item of a list that has one or none. Fault: NotFound for none.
func Single[T any](found []T, err error) (T, error) {
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, sql.ErrNoRows)
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// Mapped returns what f makes of each item.
func Mapped[T, U any](items []T, f func(T) U) []U {
	out := make([]U, 0, len(items))
	for _, item := range items {
		out = append(out, f(item))
	}
	return out
}

// Exec runs a hand-written statement with bound parameters and returns how many rows it changed.
func Exec(ctx context.Context, s *DB, text string, args ...any) (int, error) {
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

// MustChange takes the result of Exec. Fault: NotFound when no row was changed.
func MustChange(n int, err error) error {
	if err == nil && n == 0 {
		return fault.Wrap(fault.NotFound, nil)
	}
	return err
}

// ByID returns the items by their ids.
func ByID[T any](items []T, id func(T) uuid.UUID) map[uuid.UUID]T {
	out := make(map[uuid.UUID]T, len(items))
	for _, item := range items {
		out[id(item)] = item
	}
	return out
}

// ValuesByID returns the column value of rows by their ids.
func ValuesByID[T any](ctx context.Context, s *DB, text string, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]T, error) {
	type row struct {
		ID    uuid.UUID
		Value T
	}
	rows, err := All[row](ctx, s, text, accountID, Texts(ids))
	out := make(map[uuid.UUID]T, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Value
	}
	return out, err
}

// Snapshot begins a read-only transaction that sees the database as of now. Roll it back.
func Snapshot(ctx context.Context, s *DB) (*sql.Tx, error) {
	tx, err := s.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	return tx, Translate(err)
}
