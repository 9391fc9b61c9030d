package fair

import (
	"slices"

	"github.com/google/uuid"
)

// RoundRobin is a queue of items. Tenants take turns, one item each, so that many items of one
// tenant do not delay another's. The zero value is empty. It is not safe for concurrent use.
type RoundRobin[T any] struct {
	// tenants holds the tenants with items, the next one first.
	tenants []*waiting[T]
	n       int
}

type waiting[T any] struct {
	tenant uuid.UUID
	items  []T
}

// Len returns the number of items.
func (r *RoundRobin[T]) Len() int { return r.n }

// Add adds an item after the others of its tenant.
func (r *RoundRobin[T]) Add(tenant uuid.UUID, item T) {
	r.n++
	if i := slices.IndexFunc(r.tenants,
		func(w *waiting[T]) bool { return w.tenant == tenant }); i >= 0 {
		r.tenants[i].items = append(r.tenants[i].items, item)
		return
	}
	r.tenants = append(r.tenants, &waiting[T]{tenant: tenant, items: []T{item}})
}

// Tenants returns the number of tenants with items.
func (r *RoundRobin[T]) Tenants() int { return len(r.tenants) }

// Of returns the number of items of a tenant.
func (r *RoundRobin[T]) Of(tenant uuid.UUID) int {
	if i := slices.IndexFunc(r.tenants,
		func(w *waiting[T]) bool { return w.tenant == tenant }); i >= 0 {
		return len(r.tenants[i].items)
	}
	return 0
}

// Only reports whether no other tenant has items.
func (r *RoundRobin[T]) Only(tenant uuid.UUID) bool {
	return !slices.ContainsFunc(r.tenants, func(w *waiting[T]) bool { return w.tenant != tenant })
}

// Fewest returns the smallest number of items of any tenant.
func (r *RoundRobin[T]) Fewest() int {
	fewest := r.n
	for _, w := range r.tenants {
		fewest = min(fewest, len(w.items))
	}
	return fewest
}

// Take takes up to most items in turn, and up to perTenant of one tenant. A tenant whose next item
// does not fit keeps it.
func (r *RoundRobin[T]) Take(most, perTenant int, fits func(T) bool) (taken []T) {
	var kept []*waiting[T]
	of := map[uuid.UUID]int{}
	for len(taken) < most && len(r.tenants) > 0 {
		w := r.tenants[0]
		r.tenants = r.tenants[1:]
		if of[w.tenant] == perTenant || !fits(w.items[0]) {
			kept = append(kept, w)
			continue
		}
		of[w.tenant]++
		taken = append(taken, w.items[0])
		if w.items = w.items[1:]; len(w.items) > 0 {
			r.tenants = append(r.tenants, w)
		}
	}
	r.tenants = append(kept, r.tenants...)
	r.n -= len(taken)
	return taken
}
