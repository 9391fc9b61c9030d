package circuit

import (
	"math"
	"time"

	"github.com/google/uuid"
)

// maxCircuits bounds how many accounts' circuits one model remembers, of less than 1 KiB each.
const maxCircuits = 16_384

const (
	// leastBusy is how many attempts of the last 30 s have to be turned away before an account begins to give way.
	leastBusy = 5
	// doubleEvery is how soon the limit of an account that gives way doubles, and limitFor how long it lasts.
	doubleEvery = 10 * time.Second
	limitFor    = 2 * time.Minute
	// limitRetry is the wait that a call over the limit is told.
	limitRetry = time.Second
)

// circuit is what is known of an account's calls of a model. The lock of its circuits guards it.
type circuit struct {
	state state
	// calls is how many are under way, and turnedAway how many of these the provider has turned away. used is when one last began, ended
	// or was tried.
	calls, turnedAway int
	used              time.Duration
	// busy counts as outages the attempts that were turned away.
	busy window
	// limit is how many calls the account might have at limitedAt; 0 for any number.
	limit     int
	limitedAt time.Duration
}

// giveWay records that the provider turned one of the account's calls away. The account may then have half as many calls as the provider
// took, at least one, and more as time passes. Since each account does this for itself, those that ask for much come to about the same
// share of a quota that nobody here knows, and those that ask for little get it. Nothing is shared for that: an account whose calls are
// turned away for a reason of their own, such as their size, gives way alone.
func (c *circuit) giveWay(now time.Duration) {
	if c.busy.add(now, true); c.busy.outages >= leastBusy || c.limited(now) {
		c.limit, c.limitedAt = max((c.calls-c.turnedAway)/2, 1), now
	}
}

// away reports whether a call would be refused now, and the time until the next try.
func (c *circuit) away(now time.Duration) (retryAfter time.Duration, away bool) {
	if c.overLimit(now) {
		return limitRetry, true
	}
	return c.state.away(now)
}

func (c *circuit) limited(now time.Duration) bool { return c.limit > 0 && now-c.limitedAt < limitFor }

// overLimit reports whether one more call would be more than the account's limit.
func (c *circuit) overLimit(now time.Duration) bool {
	grown := float64(c.limit) * math.Exp2(float64(now-c.limitedAt)/float64(doubleEvery))
	return c.limited(now) && float64(c.calls+1) > grown
}

// circuit returns an account's circuit, a new one if it has none. The caller holds the lock.
func (c *circuits) circuit(account uuid.UUID) *circuit {
	if found := c.of[account]; found != nil {
		return found
	}
	if c.since()-c.swept >= span {
		c.forgetUnused()
	}
	for other, circuit := range c.of { // any one, if there are still too many
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

// forgetUnused drops the circuits that nobody has used for the span of the window. The caller holds the lock.
func (c *circuits) forgetUnused() {
	now := c.since()
	c.swept = now
	for account, circuit := range c.of {
		if circuit.calls == 0 && now-circuit.used >= span {
			delete(c.of, account)
		}
	}
}
