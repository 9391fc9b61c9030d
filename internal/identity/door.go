package identity

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/share"
)

// Limits on what waits for a password hash in this process. A hash takes 40 ms of a core, and half of the cores may be at it.
const (
	// hashPlaces is how many sign-ins of one network, or of one account, get to their hash at once: one that is hashed, and one
	// that asks the database meanwhile.
	hashPlaces = 2
	// maxWaiting is how many of one network, or of one account, wait for that: an office where 200 people sign in at once.
	maxWaiting = 200
	// maxWaitingInAll bounds the memory.
	maxWaitingInAll = 2000
	// maxWait is how long one waits: 200 hashes take 10 s, and the panel gives up after 30 s.
	maxWait = 25 * time.Second
	// fullRetry is what one who did not get in is told to wait.
	fullRetry = 5 * time.Second
	// refusalDelay is how long a refusal takes.
	refusalDelay = time.Second
)

// doors are the two queues for password hashes. Those of clients that have been here before have their own, so that no crowd of
// strangers delays them.
type doors struct {
	strangers, known *share.Shares
	refusals         *share.Delay
}

func newDoors(delay time.Duration) *doors {
	limits := share.Limits{Places: hashPlaces, Waiting: maxWaiting, Total: maxWaitingInAll}
	return &doors{strangers: share.New(limits), known: share.New(limits), refusals: share.NewDelay(delay)}
}

// enter waits for the turn of a network at the strangers' door, or of an account at the other. The caller must call leave. Faults:
// RateLimited, Unavailable when the client left.
func enter(ctx context.Context, door *share.Shares, key string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	leave, err = door.Enter(waiting, key)
	switch {
	case err == nil:
		return leave, nil
	case errors.Is(err, share.ErrFull) || ctx.Err() == nil:
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: fullRetry, Err: err,
			Message: "Too many sign-ins are waiting at the moment. Try again shortly."}
	default:
		return nil, fault.Wrap(fault.Unavailable, err)
	}
}

// slow delays an error that says that there are too many attempts, and returns it.
func (d *doors) slow(ctx context.Context, err error) error {
	if fault.Is(err, fault.RateLimited) {
		d.refusals.Wait(ctx)
	}
	return err
}

// neighbourhood is the network whose wrong passwords are counted together: the /24 of an IPv4 address or the /48 of an IPv6 one,
// which are the smallest that a provider hands on (RFC 6177). It is "" if the address is not known.
func (c Client) neighbourhood() string {
	a := c.Address.Unmap().WithZone("")
	bits := 24
	if a.Is6() {
		bits = 48
	}
	if !a.IsValid() {
		return ""
	}
	return netip.PrefixFrom(a, bits).Masked().String()
}
