package graph

import (
	"context"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/foreign"
	"agentchat/internal/identity"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/topup"
	"agentchat/internal/webhook"
)

// Resolver holds the dependencies of all resolvers.
type Resolver struct {
	store     *store.DB
	chat      *chat.Service
	identity  *identity.Service
	catalogue *catalogue.Live
	info      Info
	shop      *topup.Shop
	webhooks  *webhook.Owners
	// statuses maps codes of the REST API to HTTP statuses.
	statuses map[fault.Kind]int
	// foreign reads agents' files of other systems.
	foreign *foreign.Reader
	// tests holds the slots of each account's test messages.
	tests *share.Shares
	// examples is full while an example is generated, and during the pause after it.
	examples chan struct{}
}

// examplePause is the pause after an example, as a multiple of its duration: examples of all
// accounts run one at a time and use at most a tenth of a core.
const examplePause = 9

// beginExample waits until no other example is being generated. end ends this one. It returns the
// context's error.
func (r *Resolver) beginExample(ctx context.Context) (end func(), err error) {
	select {
	case r.examples <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	began := time.Now()
	return func() { time.AfterFunc(examplePause*time.Since(began), func() { <-r.examples }) }, nil
}
