package db

import (
	"context"
	"io/fs"
	"time"
)

// WithDeadline replaces how long a statement may go without an answer.
func WithDeadline(cfg Config, within time.Duration) Config {
	cfg.answerWithin = within
	return cfg
}

// WithPanelLimits replaces how long a statement of the panel may take, and how long it may wait for
// its account's turn.
func WithPanelLimits(cfg Config, statement, wait time.Duration) Config {
	cfg.panelTimeout, cfg.panelWait = statement, wait
	return cfg
}

// ApplyMissing is applyMissing.
func ApplyMissing(ctx context.Context, s *DB, files fs.FS) error { return s.applyMissing(ctx, files) }
