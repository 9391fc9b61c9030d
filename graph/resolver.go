package graph

import (
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
	store     *store.Store
	chat      *chat.Service
	identity  *identity.Service
	catalogue *catalogue.Live
	info      Info
	shop      *topup.Shop
	// statuses are the REST API's HTTP statuses by code.
	statuses map[fault.Kind]int
	// tests are the slots of each account's test messages.
	tests *share.Shares
}
