package circuit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/circuit"
)

// fakeModel is a model whose provider can be away. It counts the requests that reach it.
type fakeModel struct {
	mu       sync.Mutex
	away     bool
	silent   bool // reports no attempt
	answer   func(ctx context.Context, emit func(string) error) (llm.Reply, error)
	requests int
}

var errAway = errors.New("no connection")

func (s *fakeModel) Generate(ctx context.Context, _ llm.Request, emit func(string) error) (llm.Reply, error) {
	s.mu.Lock()
	s.requests++
	away, silent, answer := s.away, s.silent, s.answer
	s.mu.Unlock()
	if answer != nil {
		return answer(ctx, emit)
	}
	if !silent {
		llm.ReportAttempt(ctx, llm.Attempt{Outage: away})
	}
	if away {
		return llm.Reply{}, fault.Wrap(fault.ModelUnavailable, errAway)
	}
	return llm.Reply{Text: "hi"}, nil
}

func (s *fakeModel) set(away bool, answer func(context.Context, func(string) error) (llm.Reply, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.answer = away, answer
}

func (s *fakeModel) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func ask(t *testing.T, b *circuit.Breaker) error {
	t.Helper()
	_, err := b.Generate(t.Context(), llm.Request{}, nil)
	return err
}

// opened returns a circuit that five outages have opened.
func opened(t *testing.T) (*circuit.Breaker, *fakeModel, *bytes.Buffer) {
	t.Helper()
	s, log := &fakeModel{away: true}, &bytes.Buffer{}
	b := circuit.New("acme/large", s, nil)
	b.LogTo(slog.New(slog.NewTextHandler(log, nil)))
	for i := range 5 {
		if b.Open() {
			t.Fatalf("open after %d outages", i)
		}
		if err := ask(t, b); !errors.Is(err, errAway) {
			t.Fatalf("call %d: %v, want the model's fault", i+1, err)
		}
	}
	if !b.Open() {
		t.Fatal("closed after 5 outages")
	}
	return b, s, log
}

// refused checks that a call is refused at once, without the model, with a wait.
func refused(t *testing.T, b *circuit.Breaker, s *fakeModel, retryAfter time.Duration) {
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

func TestProbeClosesCircuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, s, log := opened(t)
		refused(t, b, s, 10*time.Second)
		wait(7 * time.Second)
		refused(t, b, s, 3*time.Second)
		wait(3 * time.Second)
		if err := ask(t, b); !errors.Is(err, errAway) || s.count() != 6 {
			t.Errorf("a failed probe: %v, %d requests", err, s.count())
		}
		refused(t, b, s, 10*time.Second)
		wait(10 * time.Second)
		s.set(false, nil)
		if _, away := b.Away(); away {
			t.Error("away when a probe is due")
		}
		if err := ask(t, b); err != nil || b.Open() {
			t.Errorf("a probe that was answered: %v, open %t", err, b.Open())
		}
		// The window was cleared: five more outages are needed.
		s.set(true, nil)
		for range 4 {
			_ = ask(t, b)
		}
		if b.Open() {
			t.Error("four outages after closing opened the circuit")
		}
		text := log.String()
		if strings.Count(text, "\n") != 2 || strings.Count(text, "model=acme/large") != 2 || strings.Contains(text, "connection") {
			t.Errorf("the log: %s", text)
		}
	})
}

// wait advances the simulated clock.
func wait(d time.Duration) { <-time.After(d) }

func TestOutagesWithinWindow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attempts string // o outage, a answer, . a second, - ten seconds
		open     bool
	}{
		"four outages":               {"oooo", false},
		"five":                       {"ooooo", true},
		"half of six":                {"aaaooo", true},
		"less than half":             {"aaaaooo", false},
		"the fifth is an answer":     {"ooooa", true},
		"answers only":               {"aaaaaaaaaa", false},
		"outages that are too old":   {"oooo---o", false},
		"outages that are just so":   {"oooo--.........o", true},
		"answers that have gone old": {"aaaaaaaa---ooooo", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &fakeModel{}
			b := circuit.New("acme/large", s, nil)
			b.LogTo(slog.New(slog.DiscardHandler))
			for _, what := range c.attempts {
				switch what {
				case '.':
					wait(time.Second)
				case '-':
					wait(10 * time.Second)
				default:
					s.set(what == 'o', nil)
					_ = ask(t, b)
				}
			}
			if b.Open() != c.open {
				t.Errorf("%s: open %t, want %t", name, b.Open(), c.open)
			}
		})
	}
}

// TestOneProbeAtATime shows that other calls are refused during a probe, and that its first text closes the circuit.
func TestOneProbeAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := opened(t)
		wait(10 * time.Second)
		var text strings.Builder
		first, goOn := make(chan struct{}), make(chan struct{})
		s.set(false, func(ctx context.Context, emit func(string) error) (llm.Reply, error) {
			<-first
			if err := emit("one "); err != nil {
				return llm.Reply{}, err
			}
			<-goOn
			if err := emit("two"); err != nil {
				return llm.Reply{}, err
			}
			llm.ReportAttempt(ctx, llm.Attempt{Outage: true}) // it breaks at the end, long after the first text
			return llm.Reply{}, errAway
		})
		var probe sync.WaitGroup
		probe.Go(func() {
			_, _ = b.Generate(t.Context(), llm.Request{}, func(piece string) error {
				text.WriteString(piece)
				return nil
			})
		})
		synctest.Wait()
		var others sync.WaitGroup
		for range 100 {
			others.Go(func() {
				if err := ask(t, b); !fault.Is(err, fault.ModelUnavailable) {
					t.Errorf("beside a probe: %v", err)
				}
			})
		}
		others.Wait()
		if s.count() != 6 {
			t.Errorf("%d requests, want one probe after five", s.count())
		}
		wait(30 * time.Second)
		refused(t, b, s, time.Second)
		close(first)
		synctest.Wait()
		if b.Open() {
			t.Error("open after a probe's first text")
		}
		close(goOn)
		probe.Wait()
		if b.Open() || text.String() != "one two" {
			t.Errorf("open %t, text %q", b.Open(), text.String())
		}
	})
}

// TestProbeWithoutAnswer shows that another probe can follow at once when the caller of a probe gives up, even if the adapter hangs.
// A probe that ran out of time, or that reported an outage before its caller gave up, has failed.
func TestProbeWithoutAnswer(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	}
	failThenHang := func(ctx context.Context, emit func(string) error) (llm.Reply, error) {
		llm.ReportAttempt(ctx, llm.Attempt{Outage: true})
		return hang(ctx, emit)
	}
	for name, c := range map[string]struct {
		answer  func(context.Context, func(string) error) (llm.Reply, error)
		timeout time.Duration
		freed   bool
	}{
		"caller gave up":                 {hang, 0, true},
		"caller gave up after an outage": {failThenHang, 0, false},
		"out of time":                    {hang, 2 * time.Second, false},
		"a panic":                        {func(context.Context, func(string) error) (llm.Reply, error) { panic("adapter") }, 0, true},
		"no answer and no report": {func(context.Context, func(string) error) (llm.Reply, error) {
			return llm.Reply{}, errAway
		}, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, s, _ := opened(t)
			wait(10 * time.Second)
			s.set(true, c.answer)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.timeout > 0 {
				ctx, cancel = context.WithTimeout(ctx, c.timeout)
				defer cancel()
			}
			var probe sync.WaitGroup
			probe.Go(func() {
				defer func() { _ = recover() }()
				_, _ = b.Generate(ctx, llm.Request{}, nil)
			})
			synctest.Wait()
			if c.timeout > 0 {
				wait(c.timeout)
			} else {
				cancel()
			}
			probe.Wait()
			if _, away := b.Away(); away == c.freed || !b.Open() {
				t.Errorf("%s: away %t, open %t", name, away, b.Open())
			}
			if !c.freed {
				refused(t, b, s, 10*time.Second)
			}
		})
	}
	t.Run("an adapter that never returns", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			b, s, _ := opened(t)
			wait(10 * time.Second)
			release := make(chan struct{})
			s.set(true, func(context.Context, func(string) error) (llm.Reply, error) {
				<-release
				return llm.Reply{}, errAway
			})
			ctx, cancel := context.WithCancel(t.Context())
			go func() { _, _ = b.Generate(ctx, llm.Request{}, nil) }()
			synctest.Wait()
			cancel()
			synctest.Wait()
			if _, away := b.Away(); away {
				t.Error("a hanging adapter blocks the next probe")
			}
			s.set(false, nil)
			if err := ask(t, b); err != nil || b.Open() {
				t.Errorf("the next probe: %v, open %t", err, b.Open())
			}
			close(release)
		})
	})
}

// TestEarlierCalls shows that reports of calls from before the last opening or closing are ignored.
func TestEarlierCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fakeModel{}
		b := circuit.New("acme/large", s, nil)
		b.LogTo(slog.New(slog.DiscardHandler))
		release := make(chan bool)
		s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
			outage := <-release
			llm.ReportAttempt(ctx, llm.Attempt{Outage: outage})
			return llm.Reply{}, errAway
		})
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() { _ = ask(t, b) })
		}
		synctest.Wait()
		for range 5 {
			release <- true
		}
		synctest.Wait()
		if !b.Open() {
			t.Fatal("closed after five outages")
		}
		release <- false
		synctest.Wait()
		if !b.Open() {
			t.Error("an earlier call closed the circuit")
		}
		wait(10 * time.Second)
		hold := s.answer
		s.set(false, nil)
		if err := ask(t, b); err != nil || b.Open() {
			t.Fatalf("the probe: %v, open %t", err, b.Open())
		}
		s.set(false, hold)
		for range 14 {
			release <- true
		}
		calls.Wait()
		if b.Open() {
			t.Error("outages of earlier calls opened the circuit again")
		}
	})
}

// TestRefusalsAreAnswers shows that a model that refuses is not away.
func TestRefusalsAreAnswers(t *testing.T) {
	t.Parallel()
	s := &fakeModel{}
	b := circuit.New("acme/large", s, nil)
	s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
		llm.ReportAttempt(ctx, llm.Attempt{})
		return llm.Reply{}, fault.New(fault.ContentBlocked, "")
	})
	for range 50 {
		if err := ask(t, b); !fault.Is(err, fault.ContentBlocked) || b.Open() {
			t.Fatalf("%v, open %t", err, b.Open())
		}
	}
}
