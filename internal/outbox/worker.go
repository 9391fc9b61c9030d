// Package outbox processes the outbox: one worker for each kind of message, so that a slow receiver
// of one kind does not delay others.
package outbox

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/notifications"
)

const (
	lookEvery = 5 * time.Second
	// endWithin is the time limit for storing the result of an attempt while the process ends.
	endWithin = 5 * time.Second
)

// Config configures a Worker.
type Config struct {
	Store *store.DB
	Kind  notifications.Kind
	// Send sends a message. A RefusedError ends it, fault NotFound drops it, and after any other fault
	// it is retried when its lease expires. After all other errors it is retried later, and their text
	// is stored for the operator, so it must contain no secret and no token.
	Send   func(context.Context, notifications.Outgoing) error
	Logger *slog.Logger
	// LookEvery is the interval for polling messages of other replicas and retries; 0 means 5 s.
	LookEvery time.Duration
}

// Worker sends the messages of one kind, one at a time. Run does its work.
type Worker struct {
	cfg Config
	// woken has an item if there may be something to send.
	woken chan struct{}
}

// NewWorker returns a Worker.
func NewWorker(cfg Config) *Worker { return &Worker{cfg: cfg, woken: make(chan struct{}, 1)} }

// RefusedError is the error for a message that its receiver will never accept.
type RefusedError struct{ Err error }

// Error returns the receiver's response.
func (r *RefusedError) Error() string { return r.Err.Error() }

// Wake makes the worker look now. It does not block.
func (w *Worker) Wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// Run sends messages until the context ends. It always returns nil.
func (w *Worker) Run(ctx context.Context) error {
	look := time.NewTicker(cmp.Or(w.cfg.LookEvery, lookEvery))
	defer look.Stop()
	for ctx.Err() == nil {
		w.sendAll(ctx)
		select {
		case <-w.woken:
		case <-look.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// sendAll sends all waiting messages.
func (w *Worker) sendAll(ctx context.Context) {
	for ctx.Err() == nil {
		m, err := notifications.On(w.cfg.Store).ClaimOutgoing(ctx, w.cfg.Kind)
		if err != nil {
			w.log(ctx, "looking for %ss to send", err)
			return
		}
		w.try(ctx, m)
	}
}

// try sends a message. It stores the result even if the context ends meanwhile.
func (w *Worker) try(ctx context.Context, m notifications.Outgoing) {
	err := w.cfg.Send(ctx, m)
	interrupted := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	_, final := errors.AsType[*RefusedError](err)
	_, inside := errors.AsType[*fault.Error](err)
	switch {
	case err == nil:
		w.log(ctx, "storing that a %s was sent", notifications.On(w.cfg.Store).OutgoingSent(ctx, m))
	case fault.Is(err, fault.NotFound):
		w.log(ctx, "dropping a %s", notifications.On(w.cfg.Store).DropOutgoing(ctx, m))
	case final:
		w.warn(ctx, m, "a %s was permanently refused")
		w.log(ctx, "storing that a %s was refused", notifications.On(w.cfg.Store).OutgoingFailed(ctx, m, err.Error()))
	case interrupted:
		w.log(ctx, "releasing a %s", notifications.On(w.cfg.Store).ReleaseOutgoing(ctx, m))
	case inside: // the database failed: it is retried when the lease expires
		w.log(ctx, "preparing a %s", err)
	default:
		w.warn(ctx, m, "a %s could not be sent")
		w.log(ctx, "storing that a %s could not be sent", notifications.On(w.cfg.Store).OutgoingLater(ctx, m, err.Error()))
	}
}

// warn logs a failed attempt. The receiver's response may contain an address, so only the outbox
// has it.
func (w *Worker) warn(ctx context.Context, m notifications.Outgoing, what string) {
	w.cfg.Logger.WarnContext(ctx, w.named(what+"; agentchat %s list says why"),
		slog.String("id", m.ID.String()), slog.Int("try", int(m.Tries)))
}

// log logs an error, unless the message is gone or another worker has claimed it.
func (w *Worker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, w.named(what)+" failed and will be retried",
			slog.String("error", err.Error()))
	}
}

// named inserts the kind into a text.
func (w *Worker) named(text string) string {
	return strings.ReplaceAll(text, "%s", strings.ToLower(string(w.cfg.Kind)))
}
