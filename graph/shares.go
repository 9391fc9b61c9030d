package graph

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/share"
)

const (
	// maxOperations bounds the requests of one account that are under way in this process: a browser sends six at a time.
	maxOperations = 16
	// operationWait is how long another request waits for one of them to end.
	operationWait = time.Second
)

// shares bounds each account's requests under way.
type shares struct{ operations *share.Shares }

func newShares() shares {
	return shares{share.New(share.Limits{Places: maxOperations, Waiting: math.MaxInt - maxOperations})}
}

// admit waits until the account has few enough requests under way. Faults: RateLimited, Unavailable when the client leaves.
func (s shares) admit(ctx context.Context, account uuid.UUID) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, operationWait)
	defer cancel()
	done, err = s.operations.Enter(waiting, account.String())
	switch {
	case err == nil:
		return done, nil
	case ctx.Err() != nil:
		return nil, fault.Wrap(fault.Unavailable, err)
	}
	return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: operationWait,
		Message: "This account has too many requests under way. Wait for their answers, then send fewer at once."}
}
