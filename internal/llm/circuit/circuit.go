// Package circuit is a circuit breaker for models. Each account has its own circuit for each model,
// so an account whose messages make a model fail does not take it from the others.
//
// Once too many of an account's attempts were outages, its calls are refused at once, and one call
// at a time probes whether the model is back.
//
//	            5 attempts within 30 s, at least half of them outages
//	closed ------------------------------------------------------------> open
//	   ^                                                                  |  every 10 s, one call is a probe
//	   +------------------------------------------------------------------+
//	                 the probe was answered; the window is cleared
//
// The breaker counts the attempts that adapters report by llm.ReportAttempt. Refusals are answers,
// and so is everything after the header of a response of status 200. A circuit that was not used
// for 30 s is dropped.
//
// All accounts share a provider's quota. While the provider answers 429, each account backs off by
// itself: see backOff.
package circuit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// Breaker is a model behind the circuits of its accounts. It is safe for concurrent use.
type Breaker struct {
	*circuits
	model llm.Model
}

// circuits holds the circuits of one model.
type circuits struct {
	name  string
	now   func() time.Time
	began time.Time

	mu     sync.Mutex
	of     map[uuid.UUID]*circuit
	swept  time.Duration // when unused circuits were last forgotten
	logger *slog.Logger
}

var _ llm.Model = (*Breaker)(nil)

// New returns a breaker for a model, with closed circuits. name is the model's name in the
// catalogue; now is the clock, nil for the real one.
func New(name string, model llm.Model, now func() time.Time) *Breaker {
	if now == nil {
		now = time.Now
	}
	return &Breaker{model: model, circuits: &circuits{
		name:   name,
		now:    now,
		began:  now(),
		of:     map[uuid.UUID]*circuit{},
		logger: slog.Default(),
	}}
}

// LogTo sets the logger for circuits that open and close.
func (b *Breaker) LogTo(logger *slog.Logger) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logger = logger
}

// With returns a breaker of another model that shares the circuits.
func (b *Breaker) With(model llm.Model) *Breaker {
	return &Breaker{circuits: b.circuits, model: model}
}

// Unwrap returns the model behind the circuits.
func (b *Breaker) Unwrap() llm.Model { return b.model }

// Open counts the accounts whose circuit is open.
func (b *Breaker) Open() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgetUnused()
	for _, c := range b.of {
		if c.state.open {
			n++
		}
	}
	return n
}

// Away reports whether an account's call would be refused now, and the wait until its next attempt.
// If the next call is a probe, it returns false.
func (b *Breaker) Away(account uuid.UUID) (retryAfter time.Duration, away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.of[account]; c != nil {
		return c.away(b.since())
	}
	return 0, false
}

// Generate calls the model for the request's account, or refuses at once. Faults: those of the
// model, and ModelUnavailable with RetryAfter.
func (b *Breaker) Generate(ctx context.Context, req llm.Request,
	emit func(text string) error) (llm.Reply, error) {
	c, err := b.letThrough(req.Account)
	if err != nil {
		return llm.Reply{}, err
	}
	defer c.until(ctx)()
	c.bound = req.Schema != "" || len(req.Actions) > 0
	reply, err := b.model.Generate(llm.ObserveAttempts(ctx, c.observe), req, emit)
	if err == nil && c.pass.probe != 0 && !c.bound { // a model may report no attempts
		c.observe(llm.Attempt{})
	}
	return reply, err
}

func (b *Breaker) letThrough(account uuid.UUID) (*call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, now := b.circuit(account), b.since()
	if c.overLimit(now) {
		return nil, &fault.Error{
			Kind:       fault.ModelUnavailable,
			RetryAfter: limitRetry,
			Err:        llm.ErrThrottled,
		}
	}
	p, retryAfter, ok := c.state.letThrough(now)
	if !ok {
		return nil, &fault.Error{
			Kind:       fault.ModelUnavailable,
			RetryAfter: retryAfter,
			Err:        llm.ErrCircuitOpen,
		}
	}
	c.used, c.calls = now, c.calls+1
	return &call{circuits: b.circuits, circuit: c, account: account, pass: p}, nil
}

// since returns the time since the breaker was made. It is never negative.
func (c *circuits) since() time.Duration { return max(c.now().Sub(c.began), 0) }

// call is a call that was let through. The lock of its circuits guards it.
type call struct {
	*circuits
	circuit *circuit
	account uuid.UUID
	pass    pass
	// outage means that an attempt was an outage; busy that the latest one got a 429.
	outage, busy bool
	ended        bool
	// bound means that the reply or its calls must match a schema. A response then says nothing about
	// the provider, because a schema can cause a 500. It neither opens nor closes a circuit.
	bound bool
}

// observe records an attempt. It logs changes of a circuit in order.
func (c *call) observe(a llm.Attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.since()
	c.circuit.used = now
	c.turnedAway(a.Busy)
	if a.Busy {
		c.circuit.backOff(now)
	}
	if c.bound && a.Answered {
		return
	}
	c.outage = c.outage || a.Outage
	if !c.circuit.state.attempted(c.pass, now, a.Outage) {
		return
	}
	model, account := slog.String("model", c.name), slog.String("account", c.account.String())
	if c.circuit.state.open {
		c.logger.Warn("a model is unavailable to an account: its circuit is open", model, account)
	} else {
		c.logger.Info("a model is back for an account: its circuit is closed", model, account)
	}
}

// turnedAway records whether the latest attempt got a 429.
func (c *call) turnedAway(busy bool) {
	if busy == c.busy || c.ended {
		return
	}
	if c.busy = busy; busy {
		c.circuit.turnedAway++
	} else {
		c.circuit.turnedAway--
	}
}

// until ends the call with the context, or when the returned function is called. So a probe ends
// even if the adapter panics or never returns, and another one can follow.
func (c *call) until(ctx context.Context) (end func()) {
	stop := context.AfterFunc(ctx, func() { c.end(ctx) })
	return func() {
		stop()
		c.end(ctx)
	}
}

// end ends the call, once. A probe fails if an attempt failed or it timed out, but not if its
// caller canceled it.
func (c *call) end(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.turnedAway(false)
	now := c.since()
	c.ended, c.circuit.used = true, now
	c.circuit.calls--
	c.circuit.state.ended(c.pass, now, c.outage || errors.Is(ctx.Err(), context.DeadlineExceeded))
}
