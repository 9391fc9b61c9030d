package chat_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/chat"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// statements counts the statements that are sent to the database.
type statements struct{ n atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.n.Add(1)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestRoundTrips: a chat is one statement to begin the turn and one to settle it; a refusal is the first one alone.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	count := &statements{}
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), Tracer: count})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
	f := storetest.Seed(t, s, storetest.Options{Credits: 3})
	for i, want := range []int64{2, 2, 2, 1} { // the fourth is not covered
		before := count.n.Load()
		_, err := service.Send(t.Context(), request(f, "s", "hello"))
		if got := count.n.Load() - before; got != want || (err == nil) != (i < 3) {
			t.Errorf("message %d: %d statements and %v, want %d", i+1, got, err, want)
		}
	}
}
