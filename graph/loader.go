package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/store"
)

// loader loads what belongs to the rows of one page in one statement, whatever their number. The code that loads a page announces
// its rows as a batch; the first of them whose value is needed loads the values of all. There is no timer, so the number of
// statements does not depend on how fast the fields are resolved.
type loader[V any] struct {
	mu      sync.Mutex
	load    func(ctx context.Context, keys []uuid.UUID) (map[uuid.UUID]V, error)
	batches map[uuid.UUID]*batch[V]
}

// batch is the rows that are loaded together.
type batch[V any] struct {
	once   sync.Once
	keys   []uuid.UUID
	values map[uuid.UUID]V
	err    error
}

func newLoader[V any](load func(context.Context, []uuid.UUID) (map[uuid.UUID]V, error)) *loader[V] {
	return &loader[V]{load: load, batches: map[uuid.UUID]*batch[V]{}}
}

// batch announces rows that are to be loaded together. Rows that already belong to a batch stay in it.
func (l *loader[V]) batch(keys []uuid.UUID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	added := &batch[V]{}
	for _, key := range keys {
		if l.batches[key] == nil {
			l.batches[key] = added
			added.keys = append(added.keys, key)
		}
	}
}

// get returns what belongs to a row; ok is false when there is nothing.
func (l *loader[V]) get(ctx context.Context, key uuid.UUID) (value V, ok bool, err error) {
	l.batch([]uuid.UUID{key})
	l.mu.Lock()
	b := l.batches[key]
	l.mu.Unlock()
	b.once.Do(func() { b.values, b.err = l.load(ctx, b.keys) })
	value, ok = b.values[key]
	return value, ok, b.err
}

// optional returns what belongs to an id; nil for no id, and when there is nothing any more.
func optional[V any](ctx context.Context, l *loader[V], id *uuid.UUID) (*V, error) {
	if id == nil {
		return nil, nil
	}
	value, ok, err := l.get(ctx, *id)
	if !ok || err != nil {
		return nil, err
	}
	return &value, nil
}

// pageLoader loads pages of children. It has a loader for each field of the document, because a field's arguments are the same for
// all its parents.
type pageLoader[T any] struct {
	mu      sync.Mutex
	parents [][]uuid.UUID
	loaders map[*ast.Field]*loader[store.Page[T]]
}

// batch announces parents whose children are to be loaded together.
func (p *pageLoader[T]) batch(parents []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parents = append(p.parents, parents)
	for _, l := range p.loaders {
		l.batch(parents)
	}
}

// of returns the loader of the field that is being resolved; the first call for a field sets its load function.
func (p *pageLoader[T]) of(ctx context.Context, load func(context.Context, []uuid.UUID) (map[uuid.UUID]store.Page[T], error),
) *loader[store.Page[T]] {
	field := graphql.GetFieldContext(ctx).Field.Field
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loaders[field] == nil {
		if p.loaders == nil {
			p.loaders = map[*ast.Field]*loader[store.Page[T]]{}
		}
		p.loaders[field] = newLoader(load)
		for _, parents := range p.parents {
			p.loaders[field].batch(parents)
		}
	}
	return p.loaders[field]
}
