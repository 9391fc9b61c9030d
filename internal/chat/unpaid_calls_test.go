package chat_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// useUnpaidCalls sets the number of unpaid calls that an account has used.
func useUnpaidCalls(t *testing.T, s *store.DB, f storetest.Fixture, used int) {
	t.Helper()
	_, err := s.SQL().ExecContext(t.Context(),
		`UPDATE accounts SET unpaid_tat = clock_timestamp() + interval '10 s' * $2 WHERE id = $1`, f.Account.ID, used)
	if err != nil {
		t.Fatal(err)
	}
}

// unpaidTAT returns the account's bucket of unpaid calls.
func unpaidTAT(t *testing.T, s *store.DB, f storetest.Fixture) (at time.Time) {
	t.Helper()
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT unpaid_tat FROM accounts WHERE id = $1`,
		f.Account.ID).Scan(&at); err != nil {
		t.Fatal(err)
	}
	return at
}

// spent returns the number of unpaid calls since then, for an account that has used some.
func spent(t *testing.T, s *store.DB, f storetest.Fixture, since time.Time) float64 {
	t.Helper()
	return unpaidTAT(t, s, f).Sub(since).Seconds() / 10
}

// TestWhatTakesAnUnpaidCall tests that failures which an owner or a caller can provoke take one,
// that a charge gives one back, and that the provider's own failures and models without a price do
// neither.
func TestWhatTakesAnUnpaidCall(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	free := f
	free.Agent = storetest.SeedAgent(t, b.store, f.Account.ID, storetest.Options{Model: "sandbox/free"})
	free.Export, free.KeyID, free.Key = storetest.SeedExport(t, b.store, f.Account.ID, free.Agent.ID, 1_000_000)
	useUnpaidCalls(t, b.store, f, 30)
	for _, tc := range []struct {
		directive     string
		whole, stream float64
	}{
		{"hello", -1, -1},
		{"fail=blocked", 1, 1}, {"fail=timeout", 1, 1}, {"fail=panic", 1, 1},
		{"fail=error", 0, 0},
		{"fail=unavailable", 0, 0},
		{"fail=garbage", 0, 0},
		{"fail=rate_limited", 0, 0},
		{"fail=internal", 0, 0},
		{"fail=blocked after=3", -1, -1}, {"fail=timeout after=3", 1, -1}, {"fail=panic after=3", 1, -1},
		{"fail=error after=3", 0, 1}, {"fail=unavailable after=3", 0, 1}, {"fail=garbage after=3", 0, 1},
	} {
		for name, msg := range map[string]chat.Message{
			"API": newMessage(f, "s", "[[sandbox "+tc.directive+"]]"), "playground": newTestMessage(f, "s",
				"[[sandbox "+tc.directive+"]]"),
			"free": newMessage(free, "s", "[[sandbox "+tc.directive+"]]"),
		} {
			for _, streamed := range []bool{false, true} {
				want := tc.whole
				if msg.Stream = nil; streamed {
					msg.Stream, want = newListener(), tc.stream
				}
				if name == "free" {
					want = 0
				}
				before := unpaidTAT(t, b.store, f)
				_, err := b.replicas[0].Send(t.Context(), msg)
				if got := spent(t, b.store, f, before); got != want {
					t.Errorf("%s, %s, streamed %t: %g unpaid calls, want %g (%v)", tc.directive, name, streamed, got, want, err)
				}
			}
		}
	}
	before := unpaidTAT(t, b.store, f)
	stop := make(chan struct{})
	stopped := newTestMessage(f, "s", "[[sandbox delay=5m]]")
	stopped.Stop = stop
	go func() { pending(t, b.store, 1); close(stop) }()
	if _, err := b.replicas[0].Send(t.Context(), stopped); !fault.Is(err, fault.Stopped) ||
		spent(t, b.store, f, before) != 1 {
		t.Errorf("stopped: %v, %g unpaid calls", err, spent(t, b.store, f, before))
	}
	storetest.Audit(t, b.store)
}

// TestProviderFailuresTakeNoUnpaidCall tests that failures of the provider and of the operator take
// none. A message that the provider refuses takes one.
func TestProviderFailuresTakeNoUnpaidCall(t *testing.T) {
	t.Parallel()
	server := llmtest.NewOpenAI(t, "")
	model, err := openai.New(catalogue.ProviderConfig{Name: "openai", APIKey: "key", BaseURL: server.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/model", CreditsPerMessage: 1, Model: model})
		c.ModelTimeout = 2 * time.Second // enough for the headers of the others
	})
	for _, tc := range []struct {
		name  string
		reply llmtest.Reply
		want  float64
	}{
		{"no header in time", llmtest.Hang(), 0},
		{"a refused key", llmtest.Status(401), 0},
		{"no right", llmtest.Status(403), 0},
		{"no such model", llmtest.Status(404), 0},
		{"no credits", llmtest.Status(402), 0},
		{"too busy", llmtest.Status(429), 0},
		{"refused", llmtest.Status(400), 1}, {"no text in time", llmtest.HangAfter(""), 1},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{Model: "test/model"})
		useUnpaidCalls(t, b.store, f, 30)
		server.Always(tc.reply)
		before := unpaidTAT(t, b.store, f)
		_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
		if got := spent(t, b.store, f, before); err == nil || got != tc.want {
			t.Errorf("%s: %g unpaid calls, want %g (%v)", tc.name, got, tc.want, err)
		}
	}
}

// untilRefused sends until the account has no unpaid call left, and returns how many it had. A slow
// machine gives one more each 10 s.
func untilRefused(t *testing.T, want int, send func(i int) error) {
	t.Helper()
	started := time.Now()
	for n := 0; ; n++ {
		err := send(n)
		if !fault.Is(err, fault.RateLimited) {
			if err == nil || n > want+60 {
				t.Fatalf("message %d: %v", n, err)
			}
			continue
		}
		if n < want || n > want+int(time.Since(started)/(10*time.Second)) {
			t.Errorf("%d unpaid calls, want %d: %v", n, want, err)
		}
		return
	}
}

// TestUnpaidCalls tests that an account has 60 over all replicas, for its callers and its
// playground together. One comes back in 10 s and with each charge. Replays and other accounts
// continue.
func TestUnpaidCalls(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	f, other := storetest.Seed(t, b.store, storetest.Options{}), storetest.Seed(t, b.store, storetest.Options{})
	stored := newMessage(f, "s", "hello")
	stored.IdempotencyKey = "k"
	send(t, b.replicas[0], stored)
	fail := func(i int) error {
		msg := newMessage(f, fmt.Sprint(i), "[[sandbox fail=blocked]]")
		if i%3 == 0 {
			msg = newTestMessage(f, fmt.Sprint(i), msg.Text)
		}
		_, err := b.replicas[i%2].Send(t.Context(), msg)
		return err
	}
	for i := range 70 { // the provider's own failures take none
		if _, err := b.replicas[0].Send(t.Context(),
			newMessage(f, "s", "[[sandbox fail=error]]")); !fault.Is(err, fault.ModelError) {
			t.Fatalf("failure %d: %v", i, err)
		}
	}
	untilRefused(t, 60, fail)
	if answer := send(t, b.replicas[1], stored); !answer.Replayed {
		t.Errorf("a replay: %+v", answer)
	}
	send(t, b.replicas[0], newMessage(other, "s", "hello"))

	useUnpaidCalls(t, b.store, f, 63)
	_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
	if refused, ok := errors.AsType[*fault.Error](err); !ok || refused.Kind != fault.RateLimited ||
		refused.RetryAfter > 40*time.Second ||
		refused.RetryAfter <= 20*time.Second {
		t.Errorf("overdrawn by 3: %v, %+v", err, refused)
	}
	useUnpaidCalls(t, b.store, f, 59) // time has passed
	untilRefused(t, 1, fail)
	useUnpaidCalls(t, b.store, f, 57)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	untilRefused(t, 4, fail)
	storetest.Audit(t, b.store)
}

// working is a model that works until its channel gives way.
type working struct{ called, open chan struct{} }

func (m working) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	m.called <- struct{}{}
	return gated{m.open}.Generate(ctx, req, emit)
}

// TestDeletedWhileTheModelWorks tests that an owner who deletes each conversation through another
// replica while the provider works gets 60 unpaid calls and sees them in the usage.
func TestDeletedWhileTheModelWorks(t *testing.T) {
	t.Parallel()
	m := working{make(chan struct{}), make(chan struct{})}
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/working", CreditsPerMessage: 1, Model: m})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/working"})
	calls := 0
	untilRefused(t, 60, func(i int) error {
		done := make(chan error, 1)
		go func() { _, err := b.replicas[0].Send(t.Context(), newMessage(f, fmt.Sprint(i), "hello")); done <- err }()
		select {
		case err := <-done:
			return err
		case <-m.called:
			calls++
		}
		deleteConversations(t, b.stores[1], f)
		m.open <- struct{}{}
		return <-done
	})
	if _, err := usage.On(b.store).CountFailedTurns(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	rows, err := usage.On(b.store).UsageRows(t.Context(), f.Account.ID, usage.Query{
		Filter:  usage.Filter{From: now.Add(-time.Hour), To: now.Add(time.Hour)},
		SplitBy: []credit.Dimension{credit.ByStatus}, Zone: time.UTC,
	})
	if err != nil || len(rows) != 1 || *rows[0].Status != string(fault.ConversationDeleted) ||
		rows[0].Failed != int64(calls) {
		t.Errorf("%d calls, usage %+v, %v", calls, rows, err)
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("balance %d, held %d", left, held)
	}
	storetest.Audit(t, b.store)
}

// TestOverdrawnUnpaidCalls tests that messages in flight when the last unpaid call was used count,
// up to a debt of an hour, and that the refusal has the time to wait.
func TestOverdrawnUnpaidCalls(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	begin := func() uuid.UUID {
		in := turns.Begin{Key: f.Key.Hash(), Models: []string{storetest.SandboxModel}, Prices: []int64{1},
			Session: uuid.NewString(),
			Message: "hello", TurnID: uuid.Must(uuid.NewV7()), ConversationID: uuid.Must(uuid.NewV7()), HoldFor: time.Minute, RequestID: "r"}
		if got, err := turns.On(b.store).BeginTurn(t.Context(), in); err != nil || got.Outcome != turns.Begun {
			t.Fatalf("%+v %v", got, err)
		}
		return in.TurnID
	}
	one, two := begin(), begin()
	useUnpaidCalls(t, b.store, f, 400)
	before := unpaidTAT(t, b.store, f)
	fail := func(id uuid.UUID) {
		if _, err := turns.On(b.store).SettleTurn(t.Context(),
			turns.Settlement{TurnID: id, State: "FAILED", ErrorCode: "content_blocked",
				UnpaidCalls: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if fail(one); spent(t, b.store, f, before) != 1 {
		t.Errorf("overdrawn: %g more", spent(t, b.store, f, before))
	}
	_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
	left := time.Until(unpaidTAT(t, b.store, f)) - 590*time.Second // until one of the 60 is there again
	if refused, ok := errors.AsType[*fault.Error](err); !ok || refused.Kind != fault.RateLimited ||
		refused.RetryAfter < left ||
		refused.RetryAfter > left+time.Minute {
		t.Errorf("overdrawn by 341: %v, %+v; one is back in %s", err, refused, left)
	}
	useUnpaidCalls(t, b.store, f, 500)
	if fail(two); time.Until(unpaidTAT(t, b.store, f)) > 70*time.Minute {
		t.Errorf("until %s", unpaidTAT(t, b.store, f))
	}
}
