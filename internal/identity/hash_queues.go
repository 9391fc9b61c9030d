package identity

import (
	"context"
	"errors"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/share"
)

// Limits of the queues for password hashes in this process. A hash takes 40 ms of a core, and at
// most half of the cores compute hashes.
const (
	// hashSlots is the most sign-ins of one network, or of one account, that run at once: while one
	// password is hashed, the other sign-in can query the database.
	hashSlots = 2
	// maxWaiting is the most sign-ins of one network, or of one account, that wait for a slot. It fits
	// an office where 200 people sign in at once.
	maxWaiting = 200
	// maxWaitingTotal bounds the memory.
	maxWaitingTotal = 2000
	// maxWait is the longest wait for a slot: 200 hashes take 10 s, and the panel gives up after 30 s.
	maxWait = 25 * time.Second
	// queueFullRetry is the Retry-After of a client that got no slot.
	queueFullRetry = 5 * time.Second
	// refusalDelay is the time that a refusal for too many attempts takes.
	refusalDelay = time.Second
)

// hashQueues holds two queues for password hashes. Known browsers and signed-in users have their
// own, so that many unknown clients do not delay them.
type hashQueues struct {
	unknown, known *share.Shares
	refusals       *share.Delay
}

func newHashQueues(delay time.Duration) *hashQueues {
	limits := share.Limits{Slots: hashSlots, Waiting: maxWaiting, Total: maxWaitingTotal}
	return &hashQueues{
		unknown:  share.New(limits),
		known:    share.New(limits),
		refusals: share.NewDelay(delay),
	}
}

// enter waits for a slot in a queue. The key is a network in the queue of unknown clients, and an
// account or a sign-in in the other. The caller must call leave. Faults: RateLimited; Unavailable
// when the client left.
func enter(ctx context.Context, queue *share.Shares, key string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	leave, err = queue.Enter(waiting, key)
	switch {
	case err == nil:
		return leave, nil
	case errors.Is(err, share.ErrFull) || ctx.Err() == nil:
		return nil, &fault.Error{
			Kind:       fault.RateLimited,
			RetryAfter: queueFullRetry,
			Err:        err,
			Message:    "Too many sign-ins are waiting. Try again in a few seconds.",
		}
	default:
		return nil, fault.Wrap(fault.Unavailable, err)
	}
}

// delayRefusal returns the error, after refusalDelay if it is RateLimited.
func (q *hashQueues) delayRefusal(ctx context.Context, err error) error {
	if fault.Is(err, fault.RateLimited) {
		q.refusals.Wait(ctx)
	}
	return err
}

// wideNetwork returns the network whose wrong passwords are counted together, and "" if the address
// is unknown.
func (c Client) wideNetwork() string {
	network := share.Network(c.Address)
	if !network.IsValid() {
		return ""
	}
	return network.String()
}
