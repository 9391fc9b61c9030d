package circuit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// quota is a provider with a limit of calls at once and per second; 0 means no limit. Its adapter
// retries a rejected call once, as package upstream does.
type quota struct {
	atOnce    int
	perSecond float64
	takes     time.Duration

	mu     sync.Mutex
	inside int
	tokens float64
	filled time.Time
}

var errBusy = errors.New("429")

func (q *quota) Generate(ctx context.Context, _ llm.Request,
	_ func(string) error) (llm.Reply, error) {
	for try := range 2 {
		if q.enter() {
			llm.ReportAttempt(ctx, llm.Attempt{})
			wait(q.takes/2 + rand.N(q.takes))
			q.leave()
			return llm.Reply{Text: "hi"}, nil
		}
		llm.ReportAttempt(ctx, llm.Attempt{Busy: true})
		if try == 0 {
			wait(250*time.Millisecond + rand.N(500*time.Millisecond))
		}
	}
	return llm.Reply{}, fault.Wrap(fault.ModelUnavailable, errBusy)
}

func (q *quota) enter() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	q.tokens = min(q.perSecond, q.tokens+now.Sub(q.filled).Seconds()*q.perSecond)
	q.filled = now
	if q.atOnce > 0 && q.inside == q.atOnce || q.perSecond > 0 && q.tokens < 1 {
		return false
	}
	q.inside++
	q.tokens--
	return true
}

func (q *quota) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inside--
}

// tally counts how calls ended.
type tally struct{ answered, turnedAway, refused int }

// load makes calls for an account in a number of loops until the context ends.
func (b *breaker) load(ctx context.Context, loops int, pause time.Duration) (count func() tally) {
	var mu sync.Mutex
	var n tally
	for range loops {
		go func() {
			for ctx.Err() == nil {
				err := b.ask(ctx)
				mu.Lock()
				switch {
				case err == nil:
					n.answered++
				case errors.Is(err, errBusy):
					n.turnedAway++
				default:
					n.refused++
				}
				mu.Unlock()
				wait(pause)
			}
		}()
	}
	return func() tally {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

// TestQuotaIsShared shows that while one account makes far more calls than the provider accepts,
// most calls of an account with one call at a time succeed (without back-off, one in ten at best),
// and that the provider is still well used.
func TestQuotaIsShared(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]*quota{
		"4 at once, 2 s":   {atOnce: 4, takes: 2 * time.Second},
		"20 at once, 5 s":  {atOnce: 20, takes: 5 * time.Second},
		"10 a second, 1 s": {perSecond: 10, takes: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				noisy := newBreaker(q)
				quiet := &breaker{noisy.Breaker, uuid.New()}
				ctx, cancel := context.WithCancel(t.Context())
				q.filled, q.tokens = time.Now(), q.perSecond
				loud := noisy.load(ctx, 60, time.Second)
				wait(time.Minute)
				soft := quiet.load(ctx, 1, 700*time.Millisecond)
				wait(2 * time.Minute)
				got, beside := soft(), loud()
				cancel()
				wait(2 * time.Minute)
				t.Logf("%s: quiet %+v, noisy %+v", name, got, beside)
				if got.refused > 0 || got.turnedAway > got.answered/2 {
					t.Errorf("%s: the quiet account got %+v", name, got)
				}
				could := 180 * max(q.perSecond, float64(q.atOnce)/q.takes.Seconds())
				if all := got.answered + beside.answered; float64(all) < could/2 {
					t.Errorf("%s: %d calls were answered, of %.0f that the provider could take", name, all, could)
				}
			})
		})
	}
}

// TestAccountsBackOffAlone shows that an account with five rejected calls is limited to half of its
// calls until the limit has grown, and that another account is not affected.
func TestAccountsBackOffAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fakeModel{}
		b := newBreaker(s)
		other := &breaker{b.Breaker, uuid.New()}
		leave := make(chan struct{})
		s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
			llm.ReportAttempt(ctx, llm.Attempt{})
			<-leave
			return llm.Reply{}, nil
		})
		for range 8 {
			go func() { _ = b.ask(t.Context()) }()
		}
		synctest.Wait()
		s.set(false, func(ctx context.Context, _ func(string) error) (llm.Reply, error) {
			llm.ReportAttempt(ctx, llm.Attempt{Busy: true})
			return llm.Reply{}, errBusy
		})
		for i := range 5 {
			if _, away := b.Away(); away {
				t.Errorf("away after %d rejected calls", i)
			}
			_ = ask(t, b)
		}
		refused(t, b, s, time.Second)
		for range 4 {
			leave <- struct{}{}
		}
		synctest.Wait()
		refused(t, b, s, time.Second) // four calls are running, the limit
		if wait, away := b.Away(); wait != time.Second || !away || b.Open() {
			t.Errorf("away %v for %v, open %v", away, wait, b.Open())
		}
		s.set(false, nil)
		if err := ask(t, other); err != nil {
			t.Errorf("another account: %v", err)
		}
		leave <- struct{}{}
		synctest.Wait()
		if err := ask(t, b); err != nil {
			t.Errorf("below the limit: %v", err)
		}
		close(leave)
	})
}
