package circuit

import (
	"math"
	"time"

	"github.com/google/uuid"
)

// maxCircuits is the most accounts that one model keeps a circuit for. Each takes less than 1 KiB.
const maxCircuits = 16_384

const (
	// leastBusy is the number of 429 responses within 30 s after which an account backs off.
	leastBusy = 5
	// doubleEvery is the time in which the limit of a throttled account doubles; limitFor is its
	// lifetime.
	doubleEvery = 10 * time.Second
	limitFor    = 2 * time.Minute
	// limitRetry is the Retry-After of a call over the limit.
	limitRetry = time.Second
)

// circuit is the state of one account's calls of a model. The lock of its circuits guards it.
type circuit struct {
	state state
	// calls counts the calls in flight, and turnedAway those of them that got a 429. used is the time
	// when a call last began, made an attempt or ended.
	calls, turnedAway int
	used              time.Duration
	// busy counts the 429 responses, as outages.
	busy window
	// limit is the most calls in flight at limitedAt; 0 for no limit.
	limit     int
	limitedAt time.Duration
}

// backOff records a 429 for one of the account's calls. From the fifth within 30 s, the account's
// limit becomes half the number of calls that the provider accepted, at least one, and then grows
// with time. Each account does this by itself. So busy accounts converge to about equal shares of
// the provider's quota, which is unknown here, and small accounts get what they ask for. An account
// that gets 429 for a reason of its own, such as the size of its calls, backs off alone.
func (c *circuit) backOff(now time.Duration) {
	if c.busy.add(now, true); c.busy.outages >= leastBusy || c.limited(now) {
		c.limit, c.limitedAt = max((c.calls-c.turnedAway)/2, 1), now
	}
}

// away reports whether a call would be refused now, and the wait until the next attempt.
func (c *circuit) away(now time.Duration) (retryAfter time.Duration, away bool) {
	if c.overLimit(now) {
		return limitRetry, true
	}
	return c.state.away(now)
}

func (c *circuit) limited(now time.Duration) bool {
	return c.limit > 0 && now-c.limitedAt < limitFor
}

// overLimit reports whether one more call would exceed the account's limit.
func (c *circuit) overLimit(now time.Duration) bool {
	grown := float64(c.limit) * math.Exp2(float64(now-c.limitedAt)/float64(doubleEvery))
	return c.limited(now) && float64(c.calls+1) > grown
}

// circuit returns an account's circuit, a new one if needed. The caller holds the lock.
func (c *circuits) circuit(account uuid.UUID) *circuit {
	if found := c.of[account]; found != nil {
		return found
	}
	if c.since()-c.swept >= span {
		c.forgetUnused()
	}
	for other, circuit := range c.of { // evicts arbitrary idle circuits if there are still too many
		if len(c.of) < maxCircuits {
			break
		}
		if circuit.calls == 0 {
			delete(c.of, other)
		}
	}
	fresh := &circuit{}
	c.of[account] = fresh
	return fresh
}

// forgetUnused drops the circuits that were not used for the span of the window. The caller holds
// the lock.
func (c *circuits) forgetUnused() {
	now := c.since()
	c.swept = now
	for account, circuit := range c.of {
		if circuit.calls == 0 && now-circuit.used >= span {
			delete(c.of, account)
		}
	}
}
