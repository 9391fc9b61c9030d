package chat_test

import (
	"log/slog"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

// TestRoundTripsWithKnowledge: what is given to the model is one statement more, for results as
// well; a replay and a refusal need none.
func TestRoundTripsWithKnowledge(t *testing.T) {
	t.Parallel()
	s, count, service := counted(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 3, Actions: desk})
	learn(t, s, f, returnsText)
	for i, c := range []struct {
		message, key string
		want         int64
	}{{"Refunds?", "again", 3}, {"Refunds?", "again", 2}, {"[[sandbox action=wait]]", "", 3}, {"", "", 3}, {"Hello", "", 1}} {
		msg := newMessage(f, "s", c.message)
		if c.message == "" {
			id := conversation.ActionCallID(turnOf(t, s, "s", 2), 1)
			msg = bring(f, "s", &chat.Answer{Actions: []conversation.ActionCall{{ID: id}}}, `1`)
		}
		msg.IdempotencyKey = c.key
		before := count.Load()
		_, err := service.Send(t.Context(), msg)
		if got := count.Load() - before; got != c.want || (err == nil) != (i < 4) {
			t.Errorf("message %d: %d statements and %v, want %d", i+1, got, err, c.want)
		}
	}
}

// TestRoundTrips tests that a chat is one statement to begin the turn and one to settle it, and a
// refusal the first one alone. Variables, an end user and limits of each kind add no statement.
// Notifications of credits add none, and no row: a background scan finds them.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	s, count, service := counted(t)
	f := storetest.Seed(t, s, storetest.Options{Instructions: "Plan {{plan}} of {{name}}.",
		Variables: []agent.Variable{{Name: "plan", Required: true}, {Name: "name"}}})
	storetest.SetLimits(t, s, f, agent.ExportChanges{
		DailyCreditLimit:      storetest.SetTo(int64(3)),
		MonthlyCreditLimit:    storetest.SetTo(int64(3)),
		UserDailyMessageLimit: storetest.SetTo(3),
	})
	storetest.SetOwnLimit(t, s, f, "Ada", new(3))
	if _, err := accounts.On(s).UpdateAccount(t.Context(), f.Account.ID, accounts.AccountChange{
		LowCreditsAt: storetest.SetTo(int64(1000)),
	}); err != nil {
		t.Fatal(err)
	}
	rows := func() int {
		return storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM outbox) +
			(SELECT count(*) FROM notifications_sent) + (SELECT count(*) FROM credit_check_cursors)`)
	}
	queued := rows()
	for i, c := range []struct {
		message, key string
		values       map[string]string
		statements   int64
		want         fault.Kind
	}{
		{"hello", "again", map[string]string{"plan": "gold", "name": "Ada"}, 2, ""},
		// the stored reply, read by its turn
		{"hello", "again", map[string]string{"name": "Ada", "plan": "gold"}, 2, ""},
		{"hello", "again", map[string]string{"plan": "free"}, 1, fault.IdempotencyKeyReused},
		{"hello", "", map[string]string{"name": "Ada"}, 1, fault.InvalidInput},
		{"[[sandbox fail=error]]", "", map[string]string{"plan": "gold"}, 2, fault.ModelError},
		{"hello", "", map[string]string{"plan": "gold"}, 2, ""},
		{"hello", "", map[string]string{"plan": "gold"}, 2, ""},
		{"hello", "", map[string]string{"plan": "gold"}, 1, fault.LimitReached},
	} {
		msg := newMessage(f, "s", c.message)
		msg.UserID, msg.Variables, msg.IdempotencyKey = new("Ada"), c.values, c.key
		before := count.Load()
		_, err := service.Send(t.Context(), msg)
		if got := count.Load() - before; got != c.statements || (err == nil) != (c.want == "") ||
			err != nil && !fault.Is(err, c.want) {
			t.Errorf("message %d: %d statements and %v, want %d and %q", i+1, got, err, c.statements, c.want)
		}
	}
	if n := rows(); n != queued {
		t.Errorf("%d rows, which were %d", n, queued)
	}
}

// counted returns a service that counts its statements, with everything that notifies.
func counted(t *testing.T) (*store.DB, *storetest.Statements, *chat.Service) {
	t.Helper()
	count := &storetest.Statements{}
	s, err := store.Open(t.Context(),
		store.Config{URL: storetest.URL(t), Tracer: count, Mail: true, Webhooks: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	service := chat.New(chat.Config{Store: s, Catalogue: sandboxOnly(), Logger: slog.New(slog.DiscardHandler)})
	storetest.Ends(t, s, service.Wait)
	return s, count, service
}
