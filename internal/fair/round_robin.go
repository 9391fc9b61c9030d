package fair

import (
	"slices"

	"github.com/google/uuid"
)

// RoundRobin is a queue of items. Owners take turns, one item each, so that many items of one owner
// do not delay another's. The zero value is empty. It is not safe for concurrent use.
type RoundRobin[T any] struct {
	// owners holds the owners with items, the next one first.
	owners []*waiting[T]
	n      int
}

type waiting[T any] struct {
	owner uuid.UUID
	items []T
}

// Len returns the number of items.
func (r *RoundRobin[T]) Len() int { return r.n }

// Add adds an item after the others of its owner.
func (r *RoundRobin[T]) Add(owner uuid.UUID, item T) {
	r.n++
	if i := slices.IndexFunc(r.owners, func(w *waiting[T]) bool { return w.owner == owner }); i >= 0 {
		r.owners[i].items = append(r.owners[i].items, item)
		return
	}
	r.owners = append(r.owners, &waiting[T]{owner: owner, items: []T{item}})
}

// Owners returns the number of owners with items.
func (r *RoundRobin[T]) Owners() int { return len(r.owners) }

// Of returns the number of items of an owner.
func (r *RoundRobin[T]) Of(owner uuid.UUID) int {
	if i := slices.IndexFunc(r.owners, func(w *waiting[T]) bool { return w.owner == owner }); i >= 0 {
		return len(r.owners[i].items)
	}
	return 0
}

// Only reports whether no other owner has items.
func (r *RoundRobin[T]) Only(owner uuid.UUID) bool {
	return !slices.ContainsFunc(r.owners, func(w *waiting[T]) bool { return w.owner != owner })
}

// Fewest returns the smallest number of items of any owner.
func (r *RoundRobin[T]) Fewest() int {
	fewest := r.n
	for _, w := range r.owners {
		fewest = min(fewest, len(w.items))
	}
	return fewest
}

// Take takes up to most items in turn, and up to each of one owner. An owner whose next item does
// not fit keeps it.
func (r *RoundRobin[T]) Take(most, each int, fits func(T) bool) (taken []T) {
	var kept []*waiting[T]
	of := map[uuid.UUID]int{}
	for len(taken) < most && len(r.owners) > 0 {
		w := r.owners[0]
		r.owners = r.owners[1:]
		if of[w.owner] == each || !fits(w.items[0]) {
			kept = append(kept, w)
			continue
		}
		of[w.owner]++
		taken = append(taken, w.items[0])
		if w.items = w.items[1:]; len(w.items) > 0 {
			r.owners = append(r.owners, w)
		}
	}
	r.owners = append(kept, r.owners...)
	r.n -= len(taken)
	return taken
}
