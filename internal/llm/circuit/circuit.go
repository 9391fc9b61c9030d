// Package circuit is a circuit breaker for models: once too many of a model's attempts have failed by an outage, calls are refused
// at once, and one call at a time probes whether the model is back.
//
//	            5 attempts within 30 s, at least half of them outages
//	closed ------------------------------------------------------------> open
//	   ^                                                                  |  every 10 s, one call is a probe
//	   +------------------------------------------------------------------+
//	                 the probe was answered; the window is cleared
//
// It counts the attempts that adapters report by llm.ReportAttempt. Refusals, blocked prompts and nonsense count as answers.
package circuit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// Breaker is a model behind a circuit. It is safe for concurrent use.
type Breaker struct {
	*circuit
	model llm.Model
}

type circuit struct {
	name  string
	now   func() time.Time
	began time.Time

	mu     sync.Mutex
	state  state
	logger *slog.Logger
}

var _ llm.Model = (*Breaker)(nil)

// New returns a closed breaker in front of a model. name is the model's name in the catalogue; now is the clock, nil for the real one.
func New(name string, model llm.Model, now func() time.Time) *Breaker {
	if now == nil {
		now = time.Now
	}
	return &Breaker{model: model, circuit: &circuit{name: name, now: now, began: now(), logger: slog.Default()}}
}

// LogTo sets where openings and closings are logged.
func (b *Breaker) LogTo(logger *slog.Logger) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logger = logger
}

// With returns a breaker of another model that shares the circuit.
func (b *Breaker) With(model llm.Model) *Breaker { return &Breaker{circuit: b.circuit, model: model} }

// Unwrap returns the model behind the circuit.
func (b *Breaker) Unwrap() llm.Model { return b.model }

// Open reports whether the circuit is open.
func (b *Breaker) Open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state.open
}

// Away reports whether a call would be refused now, and for how long. When the next call is a probe, it returns false.
func (b *Breaker) Away() (retryAfter time.Duration, away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state.away(b.since())
}

// Generate calls the model, or refuses at once. Faults: those of the model, and ModelUnavailable with RetryAfter.
func (b *Breaker) Generate(ctx context.Context, req llm.Request, emit func(text string) error) (llm.Reply, error) {
	c, err := b.letThrough()
	if err != nil {
		return llm.Reply{}, err
	}
	defer c.until(ctx)()
	reply, err := b.model.Generate(llm.ObserveAttempts(ctx, c.observe), req, c.closing(emit))
	if err == nil && c.pass.probe != 0 {
		b.attempted(c.pass, false)
	}
	return reply, err
}

func (b *Breaker) letThrough() (*call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, retryAfter, ok := b.state.letThrough(b.since())
	if !ok {
		return nil, &fault.Error{Kind: fault.ModelUnavailable, RetryAfter: retryAfter, Err: llm.ErrCircuitOpen}
	}
	return &call{breaker: b, pass: p}, nil
}

// attempted records an attempt. Changes of the circuit are logged in their order.
func (b *Breaker) attempted(p pass, outage bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.state.attempted(p, b.since(), outage) {
		return
	}
	if b.state.open {
		b.logger.Warn("a model is unavailable: its circuit is open", slog.String("model", b.name))
	} else {
		b.logger.Info("a model is back: its circuit is closed", slog.String("model", b.name))
	}
}

// since is the time since the breaker was made, which is the clock of the state. It is never negative.
func (b *Breaker) since() time.Duration { return max(b.now().Sub(b.began), 0) }

// call is one call that was let through.
type call struct {
	breaker *Breaker
	pass    pass
	mu      sync.Mutex
	outage  bool
}

func (c *call) observe(a llm.Attempt) {
	if a.Outage {
		c.mu.Lock()
		c.outage = true
		c.mu.Unlock()
	}
	c.breaker.attempted(c.pass, a.Outage)
}

// until ends the call with the context, or with the returned function. So a probe ends even if the adapter panics or never
// returns, and another one can follow.
func (c *call) until(ctx context.Context) (end func()) {
	stop := context.AfterFunc(ctx, func() { c.end(ctx) })
	return func() {
		stop()
		c.end(ctx)
	}
}

// closing returns an emit that closes the circuit at a probe's first text. Other calls do not wait for the end of a long reply.
func (c *call) closing(emit func(text string) error) func(text string) error {
	if c.pass.probe == 0 {
		return emit
	}
	var once sync.Once
	return func(text string) error {
		once.Do(func() { c.breaker.attempted(c.pass, false) })
		if emit == nil {
			return nil
		}
		return emit(text)
	}
}

// end ends a probe. It has failed if an attempt has, or if it ran out of time, but not if its caller left.
func (c *call) end(ctx context.Context) {
	c.mu.Lock()
	failed := c.outage || errors.Is(ctx.Err(), context.DeadlineExceeded)
	c.mu.Unlock()
	b := c.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.ended(c.pass, b.since(), failed)
}
