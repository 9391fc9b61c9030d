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
	// maxOperations bounds the requests of one account that are under way in this process: a browser sends six at a time.
	maxOperations = 16
	// operationWait is how long another request waits for one of them to end.
	operationWait = time.Second
)

// newShares bounds the requests under way of each user and account token.
func newShares() *share.Shares {
	return share.New(share.Limits{Slots: maxOperations, Waiting: math.MaxInt - maxOperations})
}

// enter waits until the sender has few enough requests under way, before anything is done that costs time;
// done may be called more than once. Faults: RateLimited, Unavailable when the client leaves.
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
		Message: "You have too many requests under way. Wait for their answers, then send fewer at once."}
}
