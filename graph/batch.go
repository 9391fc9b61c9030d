package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
)

// batch loads what belongs to the rows of one page in one statement, whatever their number. Whoever loads a page says which
// rows came together (expect); the first of them that is asked for loads for them all. There is no timer, so the number of
// statements of a page does not depend on how fast its fields are resolved.
type batch[V any] struct {
	mu      sync.Mutex
	load    func(ctx context.Context, keys []uuid.UUID) (map[uuid.UUID]V, error)
	batches map[uuid.UUID]*together[V]
}

// together is the rows of one page.
type together[V any] struct {
	once   sync.Once
	keys   []uuid.UUID
	values map[uuid.UUID]V
	err    error
}

func newBatch[V any](load func(context.Context, []uuid.UUID) (map[uuid.UUID]V, error)) *batch[V] {
	return &batch[V]{load: load, batches: map[uuid.UUID]*together[V]{}}
}

// expect says that these rows came together. Rows that are known from before stay with the others they came with.
func (b *batch[V]) expect(keys []uuid.UUID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	group := &together[V]{}
	for _, key := range keys {
		if b.batches[key] == nil {
			b.batches[key] = group
			group.keys = append(group.keys, key)
		}
	}
}

// get returns what belongs to a row; ok is false when there is nothing.
func (b *batch[V]) get(ctx context.Context, key uuid.UUID) (value V, ok bool, err error) {
	b.expect([]uuid.UUID{key})
	b.mu.Lock()
	group := b.batches[key]
	b.mu.Unlock()
	group.once.Do(func() { group.values, group.err = b.load(ctx, group.keys) })
	value, ok = group.values[key]
	return value, ok, group.err
}

// batches are the loads of one request.
type batches struct {
	exports map[bool]*batch[[]agent.Export] // by whether the removed ones are wanted
	keys    *batch[[]apikey.APIKey]
	agents  *batch[agent.Agent]
	// lastUsedAgents and lastUsedExports tell when a key was last used.
	lastUsedAgents, lastUsedExports *batch[lastUse]
	histories
}

type batchesKey struct{}

// withBatches gives a request its own loads; they are made by the first resolver that needs them.
func withBatches(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchesKey{}, &lazyBatches{})
}

// freshForMutations gives every root field of a mutation loads of its own: they run one after the other, and each sees what
// the ones before it have changed.
func freshForMutations(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		ctx = withBatches(ctx)
	}
	return next(ctx)
}

type lazyBatches struct {
	once sync.Once
	all  *batches
}

func (r *Resolver) batches(ctx context.Context) *batches {
	lazy, ok := ctx.Value(batchesKey{}).(*lazyBatches)
	if !ok {
		return r.newBatches(ctx)
	}
	lazy.once.Do(func() { lazy.all = r.newBatches(ctx) })
	return lazy.all
}
