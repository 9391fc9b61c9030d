package circuit

import (
	"time"

	"github.com/google/uuid"
)

// maxCircuits bounds how many accounts' circuits one model remembers, of less than 1 KiB each.
const maxCircuits = 16_384

// circuit is what is known of an account's calls of a model. The lock of its circuits guards it.
type circuit struct {
	state state
	// calls is how many are under way, and used when one last began, ended or was tried.
	calls int
	used  time.Duration
}

func (c *circuit) away(now time.Duration) (retryAfter time.Duration, away bool) {
	return c.state.away(now)
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
