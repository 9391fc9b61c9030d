package chat_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/memory"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// withFallback is a service with a model of 2 credits and its fallback model of 3, and the calls
// that its metrics saw.
type withFallback struct {
	*setup
	second *scripted
	mu     sync.Mutex
	calls  []chat.ModelCall
}

func newWithFallback(t *testing.T, first llm.Model, changes ...func(*chat.Config)) *withFallback {
	t.Helper()
	b := &withFallback{second: script(says("second"))}
	b.setup = newSetup(t, 1, append([]func(*chat.Config){func(c *chat.Config) {
		c.Catalogue = sandboxOnly(
			catalogue.Entry{Name: "test/first", CreditsPerMessage: 2, Model: first, ContextWindow: 100_000},
			catalogue.Entry{
				Name:              "test/second",
				CreditsPerMessage: 3,
				Model:             b.second,
				ContextWindow:     8_000,
				MaxOutputTokens:   50,
			})
		c.Catalogue.LogTo(slog.New(slog.DiscardHandler))
		c.Observe = func(call chat.ModelCall) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.calls = append(b.calls, call)
		}
	}}, changes...)...)
	return b
}

func (b *withFallback) agent(t *testing.T, o storetest.Options) storetest.Fixture {
	t.Helper()
	o.Model, o.FallbackModel = "test/first", "test/second"
	return storetest.Seed(t, b.store, o)
}

// observed are the metrics' calls since the last time, each with its model and cause.
func (b *withFallback) observed() (out []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.calls {
		out = append(out, strings.TrimSpace(c.Model+" "+string(c.Cause)))
	}
	b.calls = nil
	return out
}

// endOf returns the stored end of a request's turn: its state, model, whether that is the fallback
// model, price and error code.
func endOf(t *testing.T, s *store.DB, requestID string) (got string) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `
		SELECT concat_ws(' ', state, model, coalesce(fallback, false)::text, price, error_code)
		FROM turns WHERE request_id = $1`, requestID).Scan(&got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestFallback tests that the fallback model answers whatever is the first model's own failure, and
// is charged. It does not answer for what a message or the settings can bring about, nor once text
// was sent. Under a schema, the second attempt asks the model of the first one, whose violation
// stands. If both models fail, the error and the turn are the fallback's.
func TestFallback(t *testing.T) {
	t.Parallel()
	const (
		bySecond            = "ANSWERED test/second true 3"
		ofFirst, ofSecond   = "FAILED test/first false 2 ", "FAILED test/second true 3 "
		fits, doesNot       = `{"note":"a","count":1}`, `{"note":"b","count":0}`
		failure, overloaded = fault.ModelError, fault.ModelUnavailable
	)
	one, each := [2]int{1, 0}, [2]int{1, 1} // calls of the first and the second model
	down, away := fails(byProvider(failure)), fails(byProvider(overloaded))
	for _, tc := range []struct {
		name          string
		schema        string
		first, second []answer
		streamed      bool
		want          string
		calls         [2]int
	}{
		{name: "down", first: []answer{down}, want: bySecond, calls: each},
		{name: "down, streamed", first: []answer{down}, streamed: true, want: bySecond, calls: each},
		{name: "away", first: []answer{away}, want: bySecond, calls: each},
		{name: "busy", first: []answer{fails(fault.New(overloaded, ""))}, want: bySecond, calls: each},
		{name: "late", first: []answer{fails(byProvider(fault.ModelTimeout))}, want: bySecond, calls: each},
		{name: "blank text", first: []answer{failsAfter(" \n", byProvider(failure))}, streamed: true,
			want: bySecond, calls: each},
		{name: "text", first: []answer{failsAfter("first", byProvider(failure))}, want: bySecond,
			calls: each},
		{name: "text, streamed", first: []answer{failsAfter("first", byProvider(failure))}, streamed: true,
			want: ofFirst + "model_error", calls: one},
		{name: "a refused message", first: []answer{fails(fault.New(failure, ""))},
			want: ofFirst + "model_error", calls: one},
		{name: "a bug", first: []answer{fails(errors.New("a bug"))}, want: ofFirst + "model_error",
			calls: one},
		{name: "the message is slow", first: []answer{fails(fault.New(fault.ModelTimeout, ""))},
			want: ofFirst + "model_timeout", calls: one},
		{name: "blocked", first: []answer{endsAs("", llm.FinishBlocked)},
			want: ofFirst + "content_blocked", calls: one},
		{name: "an empty reply", first: []answer{says("")}, want: ofFirst + "model_error", calls: one},
		{name: "no memory", first: []answer{fails(fmt.Errorf("%w: %w", llm.ErrAnswered, memory.UsedUp()))},
			want: ofFirst + "unavailable", calls: one},
		{name: "both are down", first: []answer{down}, second: []answer{away},
			want: ofSecond + "model_unavailable", calls: each},
		{name: "the second is blocked", first: []answer{away},
			second: []answer{endsAs("", llm.FinishBlocked)},
			want:   ofSecond + "content_blocked", calls: each},

		{name: "the second fits", schema: orderSchema, first: []answer{down}, second: []answer{says(fits)},
			want: bySecond, calls: each},
		{name: "the second fits then", schema: orderSchema, first: []answer{down},
			second: []answer{says(doesNot), says(fits)}, want: bySecond, calls: [2]int{1, 2}},
		{name: "the second never fits", schema: orderSchema, first: []answer{down},
			second: []answer{says(doesNot)}, want: ofSecond + "invalid_output", calls: [2]int{1, 2}},
		{name: "the first does not fit", schema: orderSchema, first: []answer{says(doesNot)},
			want: ofFirst + "invalid_output", calls: [2]int{2, 0}},
		{name: "away at the second attempt", schema: orderSchema, first: []answer{says(doesNot), away},
			want: ofFirst + "invalid_output", calls: [2]int{2, 0}},
		{name: "away after the second's violation", schema: orderSchema, first: []answer{down},
			second: []answer{says(doesNot), away}, want: ofSecond + "invalid_output", calls: [2]int{1, 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			first := script(tc.first...)
			b := newWithFallback(t, first)
			if tc.second != nil {
				b.second.answers = tc.second
			}
			f := b.agent(t, storetest.Options{ReplySchema: tc.schema})
			msg, l := newMessage(f, "s", "hello"), newListener()
			if tc.streamed {
				msg.Stream = l
			}
			got, err := b.replicas[0].Send(t.Context(), msg)
			calls := [2]int{len(first.asked), len(b.second.asked)}
			if stored := endOf(t, b.store, msg.RequestID); stored != tc.want || calls != tc.calls {
				t.Errorf("%s after %d calls, %v; want %s after %d", stored, calls, err, tc.want, tc.calls)
			}
			if err != nil {
				wantCredits(t, b.store, f, 100)
				return
			}
			wantCredits(t, b.store, f, 97)
			if a := got.Answer; a.Model != "test/second" || a.Credits != 3 || a.CreditsRemaining != 97 ||
				*a.InputTokens != int64(1000*calls[1]) || tc.streamed && l.text.String() != a.Reply ||
				len(l.begun) > 1 || !b.second.last().Fallback {
				t.Errorf("%+v, sent %q", a, l.text.String())
			}
			if tc.name == "away" && !slices.Equal(b.observed(), []string{"test/first away", "test/second"}) {
				t.Errorf("the metrics saw %+v", b.calls)
			}
		})
	}
}

// TestNoFallbackWithout tests that the first model's failure stands without time, for an abandoned
// reply, and in the playground for a chosen model.
func TestNoFallbackWithout(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limit time.Duration
		// then is called while the first model fails.
		then  func(t *testing.T, b *withFallback, f storetest.Fixture, stop chan struct{})
		model string
	}{
		"time": {limit: 9 * time.Second},
		"a reader": {then: func(_ *testing.T, _ *withFallback, _ storetest.Fixture, stop chan struct{}) {
			close(stop)
		}},
		"a conversation": {then: func(t *testing.T, b *withFallback, f storetest.Fixture, _ chan struct{}) {
			t.Helper()
			deleteConversation(t, b.store, f)
		}},
		"the choice of it": {model: "test/first"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stop := make(chan struct{})
			var b *withFallback
			var f storetest.Fixture
			observe := func(chat.ModelCall) {
				if tc.then != nil {
					tc.then(t, b, f, stop)
				}
			}
			b = newWithFallback(t, script(fails(byProvider(fault.ModelError))), func(c *chat.Config) {
				c.ModelTimeout, c.Observe = tc.limit, observe
			})
			f = b.agent(t, storetest.Options{})
			msg := newTestMessage(f, "s", "hello")
			msg.Stop, msg.Model = stop, tc.model
			wantFault(t, b.replicas[0], msg, fault.ModelError)
			if n := len(b.second.asked); n > 0 {
				t.Errorf("%d calls of the fallback model", n)
			}
			wantCredits(t, b.store, f, 100)
		})
	}
}

// TestPromptOfTheFallback tests that it is made for the fallback model's window and output limit,
// and does not count the earlier turns in the first model's tokens. A replay names the model that
// answered, and what it cost.
func TestPromptOfTheFallback(t *testing.T) {
	t.Parallel()
	// Five bytes a token, with which both turns would fit.
	counted := func(context.Context) (llm.Reply, error) {
		return llm.Reply{Text: "two", Finish: llm.FinishStop, InputTokens: new(int64(5_010))}, nil
	}
	first := script(says(strings.Repeat("long ", 5_000)), counted,
		fails(fault.New(fault.ModelUnavailable, "")))
	b := newWithFallback(t, first)
	f := b.agent(t, storetest.Options{})
	storetest.Exec(t, b.store, `UPDATE agent_versions SET settings = settings || '{"max_output_tokens": 1000}'`)
	send(t, b.replicas[0], newMessage(f, "s", "one"))
	send(t, b.replicas[0], newMessage(f, "s", "two"))
	msg := newMessage(f, "s", "three")
	msg.IdempotencyKey = "k"
	send(t, b.replicas[0], msg)
	if whole := first.last(); len(whole.History) != 2 || *whole.MaxOutputTokens != 1000 {
		t.Errorf("the first was given %d turns and %d tokens", len(whole.History), *whole.MaxOutputTokens)
	}
	if cut := b.second.last(); len(cut.History) != 1 || *cut.MaxOutputTokens != 50 {
		t.Errorf("the second was given %d turns and %d tokens", len(cut.History), *cut.MaxOutputTokens)
	}
	if got := send(t, b.replicas[0], msg); !got.Replayed || got.Model != "test/second" ||
		got.Credits != 3 || len(b.second.asked) != 1 {
		t.Errorf("replayed: %+v after %d calls", got, len(b.second.asked))
	}
}

// TestFallbackBesideAnOpenCircuit tests that a message whose model's circuit is open begins as long
// as its fallback model can be called.
func TestFallbackBesideAnOpenCircuit(t *testing.T) {
	t.Parallel()
	p := &provider{}
	p.down.Store(true)
	b := newWithFallback(t, p)
	f := b.agent(t, storetest.Options{})
	for i := range 7 {
		if got := send(t, b.replicas[0], newMessage(f, "s", "hello")); got.Model != "test/second" {
			t.Fatalf("message %d: %+v", i, got)
		}
	}
	if calls := b.observed(); p.requests.Load() != 5 || calls[12] != "test/first circuit_open" {
		t.Errorf("%d calls of the first model, %q", p.requests.Load(), calls)
	}
	b.second.answers = []answer{func(ctx context.Context) (llm.Reply, error) {
		llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}}
	for range 12 {
		wantFault(t, b.replicas[0], newMessage(f, "s", "hello"), fault.ModelUnavailable)
	}
	if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM turns`); n >= 19 {
		t.Errorf("%d turns began while both circuits were open", n)
	}
}
