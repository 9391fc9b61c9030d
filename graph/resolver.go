package graph

import (
	"context"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/topup"
)

// Resolver has the parts that all resolvers need.
type Resolver struct {
	store     *store.DB
	chat      *chat.Service
	identity  *identity.Service
	catalogue *catalogue.Live
	info      Info
	shop      *topup.Shop
	// statuses are the REST API's HTTP statuses by code.
	statuses map[fault.Kind]int
	// tests are the slots of each account's test messages.
	tests *share.Shares
	// examples is full while an example is made, and for a pause after it.
	examples chan struct{}
}

// examplePause is the pause after an example, as a multiple of the time that it took: examples of all accounts take
// turns and use at most a tenth of a core.
const examplePause = 9

// beginExample waits for its turn to make an example. end ends it. It returns the context's error.
func (r *Resolver) beginExample(ctx context.Context) (end func(), err error) {
	select {
	case r.examples <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	began := time.Now()
	return func() { time.AfterFunc(examplePause*time.Since(began), func() { <-r.examples }) }, nil
}
