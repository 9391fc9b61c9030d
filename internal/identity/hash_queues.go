package identity

import (
	"context"
	"errors"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/share"
)

// Limits on what waits for a password hash in this process. A hash takes 40 ms of a core, and half of the cores may be at it.
const (
	// hashSlots is how many sign-ins of one network, or of one account, run at once: one is hashed while another asks the database.
	hashSlots = 2
	// maxWaiting is how many of one network, or of one account, wait for that: an office where 200 people sign in at once.
	maxWaiting = 200
	// maxWaitingTotal bounds the memory.
	maxWaitingTotal = 2000
	// maxWait is how long one waits: 200 hashes take 10 s, and the panel gives up after 30 s.
	maxWait = 25 * time.Second
	// queueFullRetry is how long a client that got no slot is told to wait.
	queueFullRetry = 5 * time.Second
	// refusalDelay is how long a refusal takes.
	refusalDelay = time.Second
)

// hashQueues are the two queues for password hashes. Clients that have been here before have one of their own, so that many strangers do
// not delay them.
type hashQueues struct {
	unknown, known *share.Shares
	refusals         *share.Delay
}

func newHashQueues(delay time.Duration) *hashQueues {
	limits := share.Limits{Slots: hashSlots, Waiting: maxWaiting, Total: maxWaitingTotal}
	return &hashQueues{unknown: share.New(limits), known: share.New(limits), refusals: share.NewDelay(delay)}
}

// enter waits for a slot in a queue: of a network among the strangers, or of an account or a sign-in among the known. The caller must
// call leave. Faults: RateLimited, Unavailable when the client left.
func enter(ctx context.Context, queue *share.Shares, key string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	leave, err = queue.Enter(waiting, key)
	switch {
	case err == nil:
		return leave, nil
	case errors.Is(err, share.ErrFull) || ctx.Err() == nil:
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: queueFullRetry, Err: err,
			Message: "Too many sign-ins are waiting at the moment. Try again shortly."}
	default:
		return nil, fault.Wrap(fault.Unavailable, err)
	}
}

// delayRefusal delays an error that says that there are too many attempts, and returns it.
func (q *hashQueues) delayRefusal(ctx context.Context, err error) error {
	if fault.Is(err, fault.RateLimited) {
		q.refusals.Wait(ctx)
	}
	return err
}

// wideNetwork is the network whose wrong passwords are counted together. It is "" if the address is not known.
func (c Client) wideNetwork() string {
	network := share.Network(c.Address)
	if !network.IsValid() {
		return ""
	}
	return network.String()
}
