package circuit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/circuit"
)

// fakeModel is a model whose provider can be unavailable. It counts the requests that reach it.
type fakeModel struct {
	mu       sync.Mutex
	away     bool
	answer   func(ctx context.Context, emit func(string) error) (llm.Reply, error)
	requests int
}

var errAway = errors.New("no connection")

func (s *fakeModel) Generate(ctx context.Context, _ llm.Request,
	emit func(string) error) (llm.Reply, error) {
	s.mu.Lock()
	s.requests++
	away, answer := s.away, s.answer
	s.mu.Unlock()
	if answer != nil {
		return answer(ctx, emit)
	}
	llm.ReportAttempt(ctx, llm.Attempt{Outage: away})
	if away {
		return llm.Reply{}, fault.Wrap(fault.ModelUnavailable, errAway)
	}
	return llm.Reply{Text: "hi"}, nil
}

func (s *fakeModel) set(away bool,
	answer func(context.Context, func(string) error) (llm.Reply, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.answer = away, answer
}

func (s *fakeModel) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// breaker is a model behind circuits, for one account.
type breaker struct {
	*circuit.Breaker
	account uuid.UUID
}

func newBreaker(s llm.Model) *breaker {
	b := circuit.New("acme/large", s, nil)
	b.LogTo(slog.New(slog.DiscardHandler))
	return &breaker{b, uuid.New()}
}

// Open reports whether one circuit is open.
func (b *breaker) Open() bool { return b.Breaker.Open() == 1 }

func (b *breaker) Away() (time.Duration, bool) { return b.Breaker.Away(b.account) }

func (b *breaker) ask(ctx context.Context) error {
	_, err := b.Generate(ctx, llm.Request{Account: b.account}, nil)
	return err
}

func ask(t *testing.T, b *breaker) error {
	t.Helper()
	return b.ask(t.Context())
}

// opened returns a circuit that five outages have opened.
func opened(t *testing.T) (*breaker, *fakeModel, *bytes.Buffer) {
	t.Helper()
	s, log := &fakeModel{away: true}, &bytes.Buffer{}
	b := newBreaker(s)
	b.LogTo(slog.New(slog.NewTextHandler(log, nil)))
	for i := range 5 {
		if b.Open() {
			t.Fatalf("open after %d outages", i)
		}
		if err := ask(t, b); !errors.Is(err, errAway) {
			t.Fatalf("call %d: %v, expected the model's fault", i+1, err)
		}
	}
	if !b.Open() {
		t.Fatal("closed after 5 outages")
	}
	return b, s, log
}

// refused checks that a call is refused immediately with a wait, and does not reach the model.
func refused(t *testing.T, b *breaker, s *fakeModel, retryAfter time.Duration) {
	t.Helper()
	before, began := s.count(), time.Now()
	f, ok := errors.AsType[*fault.Error](ask(t, b))
	if !ok || f.Kind != fault.ModelUnavailable || f.RetryAfter != retryAfter {
		t.Errorf("refusal: %+v, want RetryAfter %s", f, retryAfter)
	}
	if s.count() != before || time.Since(began) != 0 {
		t.Errorf("%d requests reached the model, after %s", s.count()-before, time.Since(began))
	}
	if wait, away := b.Away(); !away || wait != retryAfter {
		t.Errorf("away %t for %s, want %s", away, wait, retryAfter)
	}
}

// wait advances the simulated clock.
func wait(d time.Duration) { <-time.After(d) }

// TestAccountsShareNoCircuit shows that neither outages nor a probe of one account affect another.
func TestAccountsShareNoCircuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := opened(t)
		other := &breaker{b.Breaker, uuid.New()}
		s.set(false, nil)
		if err := ask(t, other); err != nil {
			t.Errorf("another account: %v", err)
		}
		if _, away := other.Away(); away || b.Breaker.Open() != 1 {
			t.Errorf("away for another account: %v; %d circuits are open", away, b.Breaker.Open())
		}
		refused(t, b, s, 10*time.Second)
	})
}

// TestCircuitsAreBounded shows that unused circuits are forgotten, and that their number is
// bounded, but that a running call keeps its own.
func TestCircuitsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := opened(t)
		wait(time.Minute)
		if n := b.Breaker.Open(); n != 0 || b.Circuits() != 0 {
			t.Errorf("a minute later %d circuits are open, %d remembered", n, b.Circuits())
		}
		ctx, cancel := context.WithCancel(t.Context())
		s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
			<-ctx.Done()
			llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
			return llm.Reply{}, errAway
		})
		var calls sync.WaitGroup
		for range 5 {
			calls.Go(func() { _ = b.ask(ctx) })
		}
		synctest.Wait()
		s.set(false, nil)
		for range circuit.MaxCircuits + 100 {
			_ = ask(t, &breaker{b.Breaker, uuid.New()})
		}
		if n := b.Circuits(); n > circuit.MaxCircuits {
			t.Errorf("%d circuits are remembered", n)
		}
		cancel()
		calls.Wait()
		if !b.Open() {
			t.Error("a circuit was forgotten while its calls were running")
		}
	})
}

// TestBoundRequests shows that an answer to a request with a schema or with actions neither opens
// nor closes a circuit, and that a failed connection opens it.
func TestBoundRequests(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]llm.Request{"a schema": {Schema: "{}"}, "actions": {Actions: []llm.Action{{Name: "wait"}}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { boundRequests(t, req) })
		})
	}
}

func boundRequests(t *testing.T, req llm.Request) {
	t.Helper()
	attempt := llm.Attempt{Outage: true, Answered: true}
	m := &fakeModel{}
	m.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
		llm.ReportAttempt(ctx, attempt)
		return llm.Reply{}, fault.Wrap(fault.ModelError, errAway)
	})
	b := newBreaker(m)
	req.Account = b.account
	ask := func() { _, _ = b.Generate(t.Context(), req, nil) }
	for range 20 {
		ask()
	}
	if b.Open() {
		t.Error("answers of 500 opened the circuit")
	}
	attempt.Answered = false
	for range 20 {
		ask()
	}
	if !b.Open() {
		t.Error("failed connections did not open it")
	}
	wait(10 * time.Second)
	attempt = llm.Attempt{Answered: true}
	if ask(); !b.Open() {
		t.Error("an answer closed it")
	}
	if _, err := b.Generate(t.Context(), llm.Request{Account: b.account}, nil); errors.Is(err, llm.ErrCircuitOpen) || b.Open() {
		t.Errorf("the next request is no probe: %v", err)
	}
}
