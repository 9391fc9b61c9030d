package graph

import (
	"context"
	"math"
	"sync"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/share"
)

const (
	// maxOperations is the most requests of one account in flight in this process. A browser sends six
	// at a time.
	maxOperations = 16
	// operationWait is the time that another request waits for a slot.
	operationWait = time.Second
)

// newShares limits the requests in flight of each user and account token.
func newShares() *share.Shares {
	return share.New(share.Limits{Slots: maxOperations, Waiting: math.MaxInt - maxOperations})
}

// enter waits for a slot of the sender before the request does any work. done may be called more
// than once. Faults: RateLimited, Unavailable when the client disconnects.
func (h *endpoint) enter(ctx context.Context, req *request) (done func(), err error) {
	if req.sender == "" {
		return func() {}, nil
	}
	waiting, cancel := context.WithTimeout(ctx, operationWait)
	defer cancel()
	done, err = h.shares.Enter(waiting, req.sender)
	switch {
	case err == nil:
		return sync.OnceFunc(done), nil
	case ctx.Err() != nil:
		return nil, fault.Wrap(fault.Unavailable, err)
	}
	return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: operationWait,
		Message: "You have too many requests in flight. Wait for their responses, then send fewer at once."}
}
