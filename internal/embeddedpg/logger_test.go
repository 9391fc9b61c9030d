package embeddedpg_test

import (
	"context"
	"log/slog"
)

// messages calls a function for one message, so that a test can follow the progress of a start.
type messages struct {
	message string
	call    func()
}

func onMessage(message string, call func()) *slog.Logger {
	return slog.New(messages{message: message, call: call})
}

func (messages) Enabled(context.Context, slog.Level) bool { return true }

func (m messages) Handle(_ context.Context, r slog.Record) error {
	if r.Message == m.message {
		m.call()
	}
	return nil
}

func (m messages) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m messages) WithGroup(string) slog.Handler      { return m }
