package graph

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fair"
	"agentchat/internal/fault"
)

const (
	// maxFieldsUnderWay bounds the fields at the root of one account's requests, over all its requests under way. The panel's largest
	// page asks for five, so this is some twenty windows that load at the same time.
	maxFieldsUnderWay = 100
	// tooManyFields is how soon a request over the bound may come again.
	tooManyFields = time.Second
)

// shares divides the panel's connections between accounts: each field at the root, with everything below it, waits for its account's
// turn.
type shares struct {
	queue *fair.Queue

	mu       sync.Mutex
	underWay map[uuid.UUID]int
}

func newShares(conns int, waited func(time.Duration)) *shares {
	return &shares{queue: fair.NewQueue(conns, conns, waited), underWay: map[uuid.UUID]int{}}
}

// admit counts the fields at the root of an account's operation until done is called. Fault: RateLimited over maxFieldsUnderWay.
func (s *shares) admit(account uuid.UUID, fields int) (done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.underWay[account]+fields > maxFieldsUnderWay {
		return nil, &fault.Error{Kind: fault.RateLimited, RetryAfter: tooManyFields,
			Message: "This account has too many requests under way. Wait for their answers, and send fewer at the same time."}
	}
	s.underWay[account] += fields
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.underWay[account] -= fields; s.underWay[account] == 0 {
			delete(s.underWay, account)
		}
	}, nil
}

// waits reports whether a field at the root takes its account's turn. Not those that wait for something else meanwhile: for a model, or
// for a password's hash.
func waits(operation ast.Operation, field string) bool {
	return operation != ast.Subscription && field != "sendTestMessage" && !passwordFields[field] && !public[roots[operation]+"."+field]
}

// inTurn resolves a field at the root, and everything below it, when it is its account's turn.
func (s *shares) inTurn(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if !waits(graphql.GetOperationContext(ctx).Operation.Operation, graphql.GetRootFieldContext(ctx).Field.Name) {
		return next(ctx)
	}
	leave, err := s.queue.Enter(ctx, owner(ctx))
	if err != nil { // the client has left
		graphql.AddError(ctx, gqlerror.WrapPath(nil, fault.Wrap(fault.Unavailable, err)))
		return graphql.Null
	}
	defer leave()
	return next(ctx)
}
