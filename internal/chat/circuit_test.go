package chat_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// provider is a model whose provider can be unavailable; it counts the requests.
type provider struct {
	down     atomic.Bool
	gate     chan struct{} // when set, requests wait for it
	requests atomic.Int64
}

func (p *provider) Generate(ctx context.Context, _ llm.Request, _ func(string) error) (llm.Reply, error) {
	p.requests.Add(1)
	if p.gate != nil {
		<-p.gate
	}
	llm.ReportAttempt(ctx, llm.Attempt{Outage: p.down.Load()})
	if p.down.Load() {
		return llm.Reply{}, fault.Wrap(fault.ModelUnavailable, errors.New("no connection"))
	}
	return llm.Reply{Text: "hi", Finish: llm.FinishStop}, nil
}

// clock is moved forward by the test.
type clock struct{ passed atomic.Int64 }

func (c *clock) read() time.Time {
	return time.Unix(1_800_000_000, 0).Add(time.Duration(c.passed.Load()))
}

func (c *clock) forward(d time.Duration) { c.passed.Add(int64(d)) }

// circuitSetup is a service with two models of one provider and an agent for each.
type circuitSetup struct {
	*setup
	provider *provider
	clock    *clock
	one, two storetest.Fixture
}

func newCircuitSetup(t *testing.T, o storetest.Options) *circuitSetup {
	t.Helper()
	p, c := &provider{}, &clock{}
	models := catalogue.NewLive(catalogue.NewAt([]catalogue.Entry{
		{Name: "acme/one", Provider: "acme", UpstreamName: "one", CreditsPerMessage: 2, Model: p},
		{Name: "acme/two", Provider: "acme", UpstreamName: "two", CreditsPerMessage: 1, Model: p},
	}, c.read))
	models.LogTo(slog.New(slog.DiscardHandler))
	b := &circuitSetup{
		setup:    newSetup(t, 1, func(cfg *chat.Config) { cfg.Catalogue = models }),
		provider: p,
		clock:    c,
	}
	o.Model = "acme/one"
	b.one = storetest.Seed(t, b.store, o)
	b.two = storetest.Seed(t, b.store, storetest.Options{Model: "acme/two"})
	return b
}

// open opens the first model's circuit by five outages.
func (b *circuitSetup) open(t *testing.T) {
	t.Helper()
	b.provider.down.Store(true)
	for i := range 5 {
		wantFault(t, b.replicas[0], newMessage(b.one, fmt.Sprint("outage ", i), "hello"),
			fault.ModelUnavailable)
	}
}

// left is everything that a message can leave behind.
type left struct {
	Turns, Conversations, Counted, Entries, Balance, Held int64
	Rate, Used, UnpaidCalls                               int64
}

func (b *setup) left(t *testing.T, f storetest.Fixture) left {
	t.Helper()
	var out left
	err := b.store.SQL().QueryRowContext(t.Context(), `
		SELECT (SELECT count(*) FROM turns WHERE agent_id = $2), (SELECT count(*) FROM conversations WHERE agent_id = $2),
		       (SELECT coalesce(sum(turn_count), 0) FROM conversations WHERE agent_id = $2),
		       (SELECT count(*) FROM credit_entries WHERE account_id = $1), a.credit_balance, a.credits_held,
		       (SELECT floor(extract(epoch FROM rate_tat) * 1e6) FROM api_exports WHERE agent_id = $2),
		       (SELECT coalesce(sum(used), 0) FROM limit_counters WHERE account_id = $1),
		       ceil(extract(epoch FROM greatest(unpaid_tat - clock_timestamp(), interval '0')) / 10)
		FROM accounts a WHERE a.id = $1`, f.Account.ID, f.Agent.ID).
		Scan(&out.Turns, &out.Conversations, &out.Counted, &out.Entries, &out.Balance, &out.Held, &out.Rate,
			&out.Used, &out.UnpaidCalls)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// leavesNothing sends a message that is refused after its turn began, and checks that it spends the
// rate and changes nothing else.
func (b *setup) leavesNothing(
	t *testing.T, name string, f storetest.Fixture, msg chat.Message, want fault.Kind,
) fault.Error {
	t.Helper()
	l := newListener()
	msg.Stream = l
	before := b.left(t, f)
	got, err := b.replicas[0].Send(t.Context(), msg)
	after := b.left(t, f)
	after.Rate = before.Rate
	refused, _ := errors.AsType[*fault.Error](err)
	if begun, _ := l.received(); refused == nil || refused.Kind != want ||
		got.FailedTurn != uuid.Nil || begun != 0 ||
		after != before {
		t.Fatalf("%s: %v, turn %s, begun %d times, left %+v after %+v", name, err, got.FailedTurn, begun,
			after, before)
	}
	return *refused
}

// TestUnavailableModelHoldsNothing tests that messages to it are refused at once and change nothing
// but the rate, in the playground as well. Other models of its provider still answer, and replays
// continue. A successful probe ends that.
func TestUnavailableModelHoldsNothing(t *testing.T) {
	t.Parallel()
	b := newCircuitSetup(t, storetest.Options{Credits: 10})
	s := b.replicas[0]
	kept := newMessage(b.one, "kept", "hello")
	kept.IdempotencyKey = "answered before"
	first := send(t, s, kept)
	b.open(t)
	before, requests := b.left(t, b.one), b.provider.requests.Load()
	for i, session := range []string{"kept", "new", "outage 0", "playground"} {
		msg := newMessage(b.one, session, "hello")
		if session == "playground" {
			msg = newTestMessage(b.one, session, "hello")
		}
		got, err := s.Send(t.Context(), msg)
		refused(t, session, err, 10*time.Second)
		if got.FailedTurn != uuid.Nil {
			t.Errorf("message %d failed turn %s", i, got.FailedTurn)
		}
	}
	after := b.left(t, b.one)
	if after.Rate <= before.Rate {
		t.Error("refusals did not spend the rate")
	}
	after.Rate = before.Rate
	if after != before || b.provider.requests.Load() != requests {
		t.Errorf("refusals left %+v after %+v, and %d requests reached the provider", after, before,
			b.provider.requests.Load()-requests)
	}
	if replay := send(t, s, kept); !replay.Replayed || replay.MessageID != first.MessageID {
		t.Errorf("a replay while the model is unavailable: %+v", replay)
	}
	b.provider.down.Store(false)
	send(t, s, newMessage(b.two, "s", "hello"))
	b.clock.forward(4 * time.Second)
	_, err := s.Send(t.Context(), newMessage(b.one, "new", "hello"))
	refused(t, "later", err, 6*time.Second)
	b.clock.forward(6 * time.Second)
	for _, left := range []int64{6, 4} { // the probe, and another message
		if got := send(t, s, newMessage(b.one, "new", "hello")); got.Credits != 2 ||
			got.CreditsRemaining != left {
			t.Errorf("after the probe: %+v", got)
		}
	}
}

// refused checks that an error is the circuit's refusal.
func refused(t *testing.T, what string, err error, retryAfter time.Duration) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.ModelUnavailable || f.RetryAfter != retryAfter {
		t.Errorf("%s: %v, want model_unavailable and RetryAfter %s", what, err, retryAfter)
	}
}

// TestRaceForTheProbe tests that when a probe is due and many turns begin at once, one reaches the
// model. The others are refused at once and leave nothing.
func TestRaceForTheProbe(t *testing.T) {
	t.Parallel()
	b := newCircuitSetup(t, storetest.Options{Credits: 1000})
	b.open(t)
	b.clock.forward(10 * time.Second)
	b.provider.down.Store(false)
	b.provider.gate = make(chan struct{})
	const racers = 16
	answers := make(chan error, racers)
	for i := range racers {
		go func() {
			_, err := b.replicas[0].Send(t.Context(), newMessage(b.one, fmt.Sprint("racer ", i), "hello"))
			answers <- err
		}()
	}
	for range racers - 1 {
		refused(t, "beside the probe", <-answers, 10*time.Second)
	}
	close(b.provider.gate)
	if err := <-answers; err != nil {
		t.Errorf("the probe: %v", err)
	}
	if got := b.provider.requests.Load(); got != 6 {
		t.Errorf("%d requests reached the model, want 1 probe after 5", got)
	}
	if got := b.left(t, b.one); got.Balance != 998 || got.Held != 0 || got.Turns != 6 ||
		got.Conversations != 6 {
		t.Errorf("left %+v, want 998 credits, and the turns of five outages and the probe", got)
	}
}
