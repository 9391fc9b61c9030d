package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/store"
)

// loader loads the children of all rows of a page in one statement. The code that loads a page
// announces its rows as a batch; the first row whose value is needed loads the values of all. There
// is no timer, so the number of statements does not depend on the speed of the resolvers.
type loader[V any] = keyLoader[uuid.UUID, V]

// keyLoader is a loader by keys of another type.
type keyLoader[K comparable, V any] struct {
	mu      sync.Mutex
	load    func(ctx context.Context, keys []K) (map[K]V, error)
	batches map[K]*batch[K, V]
}

// batch holds the rows that are loaded together.
type batch[K comparable, V any] struct {
	once   sync.Once
	keys   []K
	values map[K]V
	err    error
}

func newLoader[K comparable, V any](
	load func(context.Context, []K) (map[K]V, error),
) *keyLoader[K, V] {
	return &keyLoader[K, V]{load: load, batches: map[K]*batch[K, V]{}}
}

// batch announces rows that will be loaded together. Rows that already belong to a batch stay in
// it.
func (l *keyLoader[K, V]) batch(keys []K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	added := &batch[K, V]{}
	for _, key := range keys {
		if l.batches[key] == nil {
			l.batches[key] = added
			added.keys = append(added.keys, key)
		}
	}
}

// get returns the value of a row; ok is false without a value.
func (l *keyLoader[K, V]) get(ctx context.Context, key K) (value V, ok bool, err error) {
	l.batch([]K{key})
	l.mu.Lock()
	b := l.batches[key]
	l.mu.Unlock()
	b.once.Do(func() { b.values, b.err = l.load(ctx, b.keys) })
	value, ok = b.values[key]
	return value, ok, b.err
}

// optional returns the value of an id; nil for no id, and if the value no longer exists.
func optional[K comparable, V any](ctx context.Context, l *keyLoader[K, V], id *K) (*V, error) {
	if id == nil {
		return nil, nil
	}
	value, ok, err := l.get(ctx, *id)
	if !ok || err != nil {
		return nil, err
	}
	return &value, nil
}

// pageLoader loads pages of children.
type pageLoader[T any] = fieldLoader[store.Page[T]]

// fieldLoader loads the values of a field with arguments. It has a loader for each field of the
// document, because a field's arguments are the same for all its parents.
type fieldLoader[V any] struct {
	mu      sync.Mutex
	parents [][]uuid.UUID
	loaders map[*ast.Field]*loader[V]
}

// batch announces parents whose values will be loaded together.
func (p *fieldLoader[V]) batch(parents []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parents = append(p.parents, parents)
	for _, l := range p.loaders {
		l.batch(parents)
	}
}

// of returns the loader of the current field. The first call for a field sets its load function.
func (p *fieldLoader[V]) of(
	ctx context.Context,
	load func(context.Context, []uuid.UUID) (map[uuid.UUID]V, error),
) *loader[V] {
	field := graphql.GetFieldContext(ctx).Field.Field
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaders[field] == nil {
		if p.loaders == nil {
			p.loaders = map[*ast.Field]*loader[V]{}
		}
		p.loaders[field] = newLoader(load)
		for _, parents := range p.parents {
			p.loaders[field].batch(parents)
		}
	}
	return p.loaders[field]
}
