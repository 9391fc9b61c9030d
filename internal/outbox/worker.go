// Package outbox works off what waits in the outbox: one worker for each kind, so that a slow receiver of one kind holds up no other.
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
	// endWithin is how long the end of a try may take to be stored while the process ends.
	endWithin = 5 * time.Second
)

// Config configures a Worker.
type Config struct {
	Store *store.DB
	Kind  notifications.Kind
	// Send hands a message over. A RefusedError ends it, fault NotFound drops it, and any other fault has it tried again when its lease
	// ends. After all other errors it is tried again later, and their text is kept for the operator: it holds no secret and no token.
	Send   func(context.Context, notifications.Outgoing) error
	Logger *slog.Logger
	// LookEvery is how often messages of other replicas are looked for, and those that are to be tried again; 0 means 5 s.
	LookEvery time.Duration
}

// Worker sends the messages of one kind, one at a time. Run does its work.
type Worker struct {
	cfg Config
	// woken has an item when there may be something to send.
	woken chan struct{}
}

// NewWorker returns a Worker.
func NewWorker(cfg Config) *Worker { return &Worker{cfg: cfg, woken: make(chan struct{}, 1)} }

// RefusedError is the error for a message that its receiver will never take.
type RefusedError struct{ Err error }

// Error is what the receiver said.
func (r *RefusedError) Error() string { return r.Err.Error() }

// Wake has the worker look now. It does not block.
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

// sendAll sends all messages that wait.
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

// try hands a message over. What becomes of it is stored even if the context ends meanwhile.
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
		w.tell(ctx, m, "a %s was refused for good")
		w.log(ctx, "storing that a %s was refused", notifications.On(w.cfg.Store).OutgoingFailed(ctx, m, err.Error()))
	case interrupted:
		w.log(ctx, "giving a %s back", notifications.On(w.cfg.Store).ReleaseOutgoing(ctx, m))
	case inside: // the database: when the lease ends, it is tried again
		w.log(ctx, "preparing a %s", err)
	default:
		w.tell(ctx, m, "a %s could not be handed over")
		w.log(ctx, "storing that a %s could not be handed over", notifications.On(w.cfg.Store).OutgoingLater(ctx, m, err.Error()))
	}
}

// tell logs a failed try. What the receiver said may have an address, and so stands in the outbox alone.
func (w *Worker) tell(ctx context.Context, m notifications.Outgoing, what string) {
	w.cfg.Logger.WarnContext(ctx, w.named(what+"; agentchat %s list says why"),
		slog.String("id", m.ID.String()), slog.Int("try", int(m.Tries)))
}

// log logs an error, unless the message is gone, or somebody else's.
func (w *Worker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, w.named(what)+" failed; it will be tried again", slog.String("error", err.Error()))
	}
}

// named puts the kind into a text.
func (w *Worker) named(text string) string {
	return strings.ReplaceAll(text, "%s", strings.ToLower(string(w.cfg.Kind)))
}
