package db

import (
	"context"
	"io/fs"
	"time"
)

// WithDeadline replaces the time within which the client ends a statement.
func WithDeadline(cfg Config, within time.Duration) Config {
	cfg.answerWithin = within
	return cfg
}

// WithPanelLimits replaces the timeout of the panel's statements, and the longest wait for the
// account's turn.
func WithPanelLimits(cfg Config, statement, wait time.Duration) Config {
	cfg.panelTimeout, cfg.panelWait = statement, wait
	return cfg
}

// ApplyMissing is applyMissing.
func ApplyMissing(ctx context.Context, s *DB, files fs.FS) error { return s.applyMissing(ctx, files) }
