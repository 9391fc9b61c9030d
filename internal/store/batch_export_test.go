package store

import (
	"context"
	"slices"
)

// BeginMany begins turns in one batch, for tests: nil for what the batch left alone.
func (s *Store) BeginMany(ctx context.Context, items []Begin) ([]*BeginResult, error) {
	rows, err := s.beginMany(ctx, items)
	out := make([]*BeginResult, len(rows))
	for i, row := range rows {
		if row != nil && err == nil {
			row.History, err = row.history()
			out[i] = &row.BeginResult
		}
	}
	return out, err
}

// BegunElsewhere begins turns in one batch, and reports whether another statement spent the same rate meanwhile.
func (s *Store) BegunElsewhere(ctx context.Context, items []Begin) (bool, error) {
	rows, err := s.beginMany(ctx, items)
	return slices.ContainsFunc(rows, func(row *beginRow) bool { return row != nil && s.begins.sentElsewhere(row) }), err
}

// FinishMany settles answered turns in one batch, for tests.
func (s *Store) FinishMany(ctx context.Context, items []Settlement) ([]*Finished, error) {
	return s.finishMany(ctx, items)
}
