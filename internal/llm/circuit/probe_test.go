package circuit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

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
		if strings.Count(text, "\n") != 2 || strings.Count(text, "model=acme/large") != 2 ||
			strings.Contains(text, "connection") {
			t.Errorf("the log: %s", text)
		}
	})
}

// TestOneProbeAtATime shows that other calls are refused during a probe, and that the header of its
// answer closes the circuit.
func TestOneProbeAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := opened(t)
		wait(10 * time.Second)
		header, end := make(chan struct{}), make(chan struct{})
		s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
			<-header
			llm.ReportAttempt(ctx, llm.Attempt{})
			<-end
			return llm.Reply{}, errAway
		})
		var probe sync.WaitGroup
		probe.Go(func() { _ = b.ask(t.Context()) })
		synctest.Wait()
		var others sync.WaitGroup
		for range 100 {
			others.Go(func() {
				if err := ask(t, b); !fault.Is(err, fault.ModelUnavailable) {
					t.Errorf("during a probe: %v", err)
				}
			})
		}
		others.Wait()
		if s.count() != 6 {
			t.Errorf("%d requests, expected one probe after five", s.count())
		}
		wait(30 * time.Second)
		refused(t, b, s, time.Second)
		close(header)
		synctest.Wait()
		if b.Open() {
			t.Error("open after the header of a probe's answer")
		}
		close(end)
		probe.Wait()
		if b.Open() {
			t.Error("the end of that answer opened it again")
		}
	})
}

// TestProbeWithoutAnswer shows that another probe can follow immediately when the caller of a probe
// gives up, even if the adapter hangs. A probe that ran out of time, or that reported an outage
// before its caller gave up, has failed.
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
				_, _ = b.Generate(ctx, llm.Request{Account: b.account}, nil)
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
			go func() { _, _ = b.Generate(ctx, llm.Request{Account: b.account}, nil) }()
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
