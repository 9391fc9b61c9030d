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

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/llm/upstream"
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

func newWithFallback(t *testing.T, first llm.Model, change func(*chat.Config)) *withFallback {
	t.Helper()
	b := &withFallback{second: &scripted{answers: []func(context.Context) (llm.Reply, error){says("second")}}}
	b.setup = newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/first", CreditsPerMessage: 2, Model: first,
			ContextWindow: 100_000},
			catalogue.Entry{Name: "test/second", CreditsPerMessage: 3, Model: b.second, ContextWindow: 8_000,
				MaxOutputTokens: 50})
		c.Catalogue.LogTo(slog.New(slog.DiscardHandler))
		c.Observe = func(call chat.ModelCall) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.calls = append(b.calls, call)
		}
		if change != nil {
			change(c)
		}
	})
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
	err := s.SQL().QueryRowContext(t.Context(), `SELECT concat_ws(' ', state, model, coalesce(fallback, false)::text, price, error_code)
		FROM turns WHERE request_id = $1`, requestID).Scan(&got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestFallback: the fallback model answers whatever is the first model's own failure, and is
// charged; not what a message or the settings can bring about, and never once text has left the
// service.
func TestFallback(t *testing.T) {
	t.Parallel()
	server := llmtest.NewOpenAI(t, "")
	limits := upstream.DefaultLimits
	limits.FirstByte, limits.Pause = 500*time.Millisecond, time.Millisecond
	first, err := openai.NewWithLimits(catalogue.ProviderConfig{Name: "openai", APIKey: "key",
		BaseURL: server.URL + "/v1"}, limits)
	if err != nil {
		t.Fatal(err)
	}
	b := newWithFallback(t, first, nil)
	const yes = ""
	for _, tc := range []struct {
		name            string
		reply           llmtest.Reply
		whole, streamed fault.Kind
		cause           llm.Cause
	}{
		{"no answer", llmtest.Drop(), yes, yes, llm.BadAnswer},
		{"no first byte in time", llmtest.Hang(), yes, yes, llm.TimedOut},
		{"429", llmtest.Status(429), yes, yes, llm.Away},
		{"529", llmtest.Status(529), yes, yes, llm.Away},
		{"500", llmtest.Status(500), yes, yes, llm.BadAnswer},
		{"503", llmtest.Status(503), yes, yes, llm.Away},
		{"a refused key", llmtest.Status(401), yes, yes, llm.KeyRefused},
		{"no right", llmtest.Status(403), yes, yes, llm.KeyRefused},
		{"no credits", llmtest.Status(402), yes, yes, llm.BadAnswer},
		{"a retired model", llmtest.Status(404), yes, yes, llm.BadAnswer},
		{"a web page", llmtest.HTML(), yes, yes, llm.BadAnswer},
		{"an end before any text", llmtest.EndAfter(), yes, yes, llm.BadAnswer},
		{"an error before any text", llmtest.FailAfter(), yes, yes, llm.BadAnswer},
		{"blank text, then an error", llmtest.FailAfter(" \n"), yes, yes, llm.BadAnswer},
		{"text, then an error", llmtest.FailAfter("first"), yes, fault.ModelError, llm.BadAnswer},
		{"text, then a broken connection", llmtest.CutOff("first ", "and so on"), yes, fault.ModelError,
			llm.BadAnswer},
		{"a refused message", llmtest.Status(400), fault.ModelError, fault.ModelError, llm.BadAnswer},
		{"too large a message", llmtest.Status(413), fault.ModelError, fault.ModelError, llm.BadAnswer},
		{"a blocked message", llmtest.Blocked(""), fault.ContentBlocked, fault.ContentBlocked, llm.Blocked},
		{"an empty reply", llmtest.Text(""), fault.ModelError, fault.ModelError, llm.BadAnswer},
	} {
		for streamed, want := range map[bool]fault.Kind{false: tc.whole, true: tc.streamed} {
			name := fmt.Sprintf("%s, streamed %t", tc.name, streamed)
			f := b.agent(t, storetest.Options{})
			useUnpaidCalls(t, b.store, f, 20)
			server.Always(tc.reply)
			before, asked := unpaidTAT(t, b.store, f), len(b.second.asked)
			msg, listening := newMessage(f, "s", "hello"), newListener()
			if streamed {
				msg.Stream = listening
			}
			got, err := b.replicas[0].Send(t.Context(), msg)
			balance, held := balance(t, b.store, f)
			stored, calls, seconds := endOf(t, b.store, msg.RequestID), b.observed(), len(b.second.asked)-asked
			if want != yes {
				if !fault.Is(err, want) || balance != 100 || held != 0 || seconds != 0 ||
					stored != "FAILED test/first false 2 "+string(want) || got.Model != "test/first" {
					t.Errorf("%s: %v, %d left, %d held, %d calls of the fallback, %s", name, err, balance, held,
						seconds, stored)
				}
				continue
			}
			if err != nil || balance != 97 || held != 0 || seconds != 1 ||
				stored != "ANSWERED test/second true 3" || got.Model != "test/second" || got.Cause != "" {
				t.Errorf("%s: %v, %d left, %d held, %d calls of the fallback, %s, %+v", name, err, balance,
					held, seconds, stored, got)
				continue
			}
			if a := got.Answer; a.Reply != "second" || a.Model != "test/second" || a.Credits != 3 ||
				a.CreditsRemaining != 97 || *a.InputTokens != 1000 ||
				streamed && listening.text.String() != "second" || len(listening.begun) > 1 {
				t.Errorf("%s: %+v, sent %q", name, a, listening.text.String())
			}
			if want := []string{strings.TrimSpace("test/first " + string(tc.cause)),
				"test/second"}; !slices.Equal(calls, want) {
				t.Errorf("%s: the metrics saw %q, want %q", name, calls, want)
			}
			// As every charge does, this one makes up for a unpaid call.
			if spent := spent(t, b.store, f, before); spent != -1 {
				t.Errorf("%s: %g unpaid calls", name, spent)
			}
			if last := b.second.asked[len(b.second.asked)-1]; !last.Fallback {
				t.Errorf("%s: %+v", name, last)
			}
		}
	}
	storetest.Audit(t, b.store)
}

// TestNoFallbackWithout tests that the first model's failure stands without time, for an abandoned
// reply, without memory, and in the playground for a chosen model.
func TestNoFallbackWithout(t *testing.T) {
	t.Parallel()
	down := fault.Wrap(fault.ModelError, llm.ErrProvider)
	for name, tc := range map[string]struct {
		limit time.Duration
		fails error
		// then is called when the first model has failed.
		then  func(t *testing.T, b *withFallback, f storetest.Fixture, stop chan struct{})
		given string
		want  fault.Kind
	}{
		"time":          {limit: 9 * time.Second, fails: down, want: fault.ModelError},
		"memory":        {fails: fmt.Errorf("%w: %w", llm.ErrAnswered, memory.UsedUp()), want: fault.Unavailable},
		"a sound model": {fails: errors.New("a bug"), want: fault.ModelError},
		"a reader": {fails: down, want: fault.ModelError,
			then: func(_ *testing.T, _ *withFallback, _ storetest.Fixture, stop chan struct{}) {
				close(stop)
			}},
		"a conversation": {fails: down, want: fault.ModelError,
			then: func(t *testing.T, b *withFallback, f storetest.Fixture, _ chan struct{}) {
				t.Helper()
				deleteConversations(t, b.stores[0], f)
			}},
		"the choice of it": {fails: down, given: "test/first", want: fault.ModelError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := &scripted{answers: []func(context.Context) (llm.Reply, error){fails(tc.fails)}}
			stop := make(chan struct{})
			var b *withFallback
			var f storetest.Fixture
			var called []string
			b = newWithFallback(t, first, func(c *chat.Config) {
				c.ModelTimeout = tc.limit
				c.Observe = func(call chat.ModelCall) {
					if called = append(called, call.Model); tc.then != nil && len(called) == 1 {
						tc.then(t, b, f, stop)
					}
				}
			})
			f = b.agent(t, storetest.Options{})
			msg := newTestMessage(f, "s", "hello")
			msg.Stop, msg.Model = stop, tc.given
			_, err := b.replicas[0].Send(t.Context(), msg)
			if balance, held := balance(t, b.store, f); len(called) > 1 || balance != 100 || held != 0 ||
				!fault.Is(err, tc.want) {
				t.Errorf("%v after calls of %q, want %s; %d left, %d held", err, called, tc.want, balance, held)
			}
			storetest.Audit(t, b.store)
		})
	}
}

// TestPromptOfTheFallback: it is made for the fallback model's window and output limit, and does
// not count the earlier turns in the first model's tokens. A replay names the model that answered,
// and what it cost.
func TestPromptOfTheFallback(t *testing.T) {
	t.Parallel()
	counted := func(context.Context) (llm.Reply, error) { // five bytes a token, with which both turns would fit
		return llm.Reply{Text: "two", Finish: llm.FinishStop, InputTokens: new(int64(5_010))}, nil
	}
	first := &scripted{answers: []func(context.Context) (llm.Reply, error){says(strings.Repeat("long ",
		5_000)), counted,
		fails(fault.New(fault.ModelUnavailable, ""))}}
	b := newWithFallback(t, first, nil)
	f := b.agent(t, storetest.Options{})
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE agent_versions SET settings = settings || '{"max_output_tokens": 1000}'`); err != nil {
		t.Fatal(err)
	}
	send(t, b.replicas[0], newMessage(f, "s", "one"))
	send(t, b.replicas[0], newMessage(f, "s", "two"))
	msg := newMessage(f, "s", "three")
	msg.IdempotencyKey = uuid.NewString()
	send(t, b.replicas[0], msg)
	whole, cut := first.asked[2], b.second.asked[0]
	if len(whole.History) != 2 || len(cut.History) != 1 || *whole.MaxOutputTokens != 1000 ||
		*cut.MaxOutputTokens != 50 {
		t.Errorf("the first was given %d turns and %d tokens, the second %d turns and %d tokens",
			len(whole.History), *whole.MaxOutputTokens,
			len(cut.History), *cut.MaxOutputTokens)
	}
	if got := send(t, b.replicas[0], msg); !got.Replayed || got.Model != "test/second" ||
		got.Credits != 3 || len(b.second.asked) != 1 {
		t.Errorf("replayed: %+v after %d calls", got, len(b.second.asked))
	}
	storetest.Audit(t, b.store)
}

// TestFallbackBesideAnOpenCircuit: a message whose model's circuit is open begins as long as its
// fallback model can be called. Of a sandbox message, only the first model fails if it asks for
// that.
func TestFallbackBesideAnOpenCircuit(t *testing.T) {
	t.Parallel()
	p := &provider{requests: map[string]int{}, down: true}
	b := newWithFallback(t, p, nil)
	f := b.agent(t, storetest.Options{})
	for i := range 7 {
		if got := send(t, b.replicas[0], newMessage(f, "s", "hello")); got.Model != "test/second" {
			t.Fatalf("message %d: %+v", i, got)
		}
	}
	if calls := b.observed(); p.count("") != 5 || calls[12] != "test/first circuit_open" {
		t.Errorf("%d calls of the first model, %q", p.count(""), calls)
	}
	b.second.answers = []func(context.Context) (llm.Reply, error){func(ctx context.Context) (llm.Reply, error) {
		llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}}
	var turns int
	for range 12 {
		_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
		if !fault.Is(err, fault.ModelUnavailable) {
			t.Fatal(err)
		}
	}
	if err := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT count(*) FROM turns`).Scan(&turns); err != nil || turns >= 19 {
		t.Errorf("%d turns began while both circuits were open, %v", turns, err)
	}
	storetest.Audit(t, b.store)
}
