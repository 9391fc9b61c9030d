package store

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"agentchat/internal/fault"
)

// all runs a hand-written statement with bound parameters and returns its rows. T is a struct that has a field for every column,
// or the type of the only column.
func all[T any](ctx context.Context, s *Store, text string, args ...any) ([]T, error) {
	rows, err := s.bound.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, translate(err)
	}
	var out []T
	err = s.root.ScanRows(ctx, rows, &out) // closes the rows
	return out, translate(err)
}

// one is all for a statement that returns one row at most. Fault: NotFound for none.
func one[T any](ctx context.Context, s *Store, text string, args ...any) (T, error) {
	found, err := all[T](ctx, s, text, args...)
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, sql.ErrNoRows)
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// exec runs a hand-written statement with bound parameters and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, text string, args ...any) (int, error) {
	return affected(s.bound.ExecContext(ctx, text, args...))
}

// affected returns how many rows a statement changed.
func affected(result sql.Result, err error) (int, error) {
	if err != nil {
		return 0, translate(err)
	}
	n, err := result.RowsAffected()
	return int(n), translate(err)
}

// mustChange takes what exec and affected return. Fault: NotFound when no row was changed.
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

// unprepared has the builder's statements run in one round trip each. They carry their values in their text, so that hardly two
// are alike: preparing them would cost a round trip and fill the connection's cache of prepared statements.
type unprepared struct{ *sql.DB }

// ResolveConn returns the connection of a statement outside a transaction.
func (u unprepared) ResolveConn(context.Context, bun.Query) bun.IConn { return u }

// QueryContext runs a statement that returns rows.
func (u unprepared) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return u.DB.QueryContext(ctx, text, append([]any{pgx.QueryExecModeExec}, args...)...)
}

// QueryRowContext runs a statement that returns one row.
func (u unprepared) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	return u.DB.QueryRowContext(ctx, text, append([]any{pgx.QueryExecModeExec}, args...)...)
}
