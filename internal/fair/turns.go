package fair

import (
	"slices"

	"github.com/google/uuid"
)

// Turns are items that wait. Owners take turns, one item each, so that many items of one owner do not keep another's waiting. The zero
// value has none. It is not safe for concurrent use.
type Turns[T any] struct {
	// owners are those with items, the next one first.
	owners []*waiting[T]
	n      int
}

type waiting[T any] struct {
	owner uuid.UUID
	items []T
}

// Len is how many items wait.
func (t *Turns[T]) Len() int { return t.n }

// Add adds an item behind the others of its owner.
func (t *Turns[T]) Add(owner uuid.UUID, item T) {
	t.n++
	if i := slices.IndexFunc(t.owners, func(w *waiting[T]) bool { return w.owner == owner }); i >= 0 {
		t.owners[i].items = append(t.owners[i].items, item)
		return
	}
	t.owners = append(t.owners, &waiting[T]{owner: owner, items: []T{item}})
}

// Owners is how many owners have items that wait.
func (t *Turns[T]) Owners() int { return len(t.owners) }

// Only reports whether no other owner has items that wait.
func (t *Turns[T]) Only(owner uuid.UUID) bool {
	return !slices.ContainsFunc(t.owners, func(w *waiting[T]) bool { return w.owner != owner })
}

// Fewest is how many items the owner with the fewest has.
func (t *Turns[T]) Fewest() int {
	fewest := t.n
	for _, w := range t.owners {
		fewest = min(fewest, len(w.items))
	}
	return fewest
}

// Take takes at most so many items in turn, and at most each of one owner. An owner whose next item does not fit keeps it.
func (t *Turns[T]) Take(most, each int, fits func(T) bool) (taken []T) {
	var kept []*waiting[T]
	of := map[uuid.UUID]int{}
	for len(taken) < most && len(t.owners) > 0 {
		w := t.owners[0]
		t.owners = t.owners[1:]
		if of[w.owner] == each || !fits(w.items[0]) {
			kept = append(kept, w)
			continue
		}
		of[w.owner]++
		taken = append(taken, w.items[0])
		if w.items = w.items[1:]; len(w.items) > 0 {
			t.owners = append(t.owners, w)
		}
	}
	t.owners = append(kept, t.owners...)
	t.n -= len(taken)
	return taken
}
