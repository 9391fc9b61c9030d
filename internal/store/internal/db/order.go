package db

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Created is the field of lists in the order in which their items were created.
const Created = "CREATED"

// Order is the order of a list by a field whose values have no index. They may change while pages
// are read.
type Order struct {
	Field      string
	Descending bool
}

// Ranked is an item of an ordered list with its value: a text, a number or a time. Value is nil if
// the item has none, or if it is a text.
type Ranked struct {
	ID    uuid.UUID
	Value *int64
	Text  string
}

// compare compares items by their places. Items without a value come last in both directions, and
// items with the same value newest first.
func (o Order) compare(a, b Ranked) int {
	if (a.Value == nil) != (b.Value == nil) {
		if a.Value == nil {
			return 1
		}
		return -1
	}
	newer := bytes.Compare(b.ID[:], a.ID[:])
	by := strings.Compare(a.Text, b.Text)
	switch {
	case o.Field == Created:
		by = -newer
	case a.Value != nil:
		by = cmp.Compare(*a.Value, *b.Value)
	}
	if o.Descending {
		by = -by
	}
	return cmp.Or(by, newer)
}

// mark begins the text of a cursor, so that no other order takes it.
func (o Order) mark(hasValue bool) string {
	out := o.Field + " ASC"
	if o.Descending {
		out = o.Field + " DESC"
	}
	if hasValue {
		return out + " value "
	}
	return out + " "
}

// Place returns the cursor of an item.
func (o Order) Place(r Ranked) Cursor {
	out := Cursor{ID: r.ID, Text: o.mark(r.Value != nil) + r.Text}
	if r.Value != nil {
		out.Key = *r.Value
	}
	return out
}

// At returns the item of a cursor; nil for nil. Fault: InvalidInput on after for a cursor of
// another order.
func (o Order) At(c *Cursor) (*Ranked, error) {
	if c == nil {
		return nil, nil
	}
	if text, ok := strings.CutPrefix(c.Text, o.mark(true)); ok {
		return &Ranked{ID: c.ID, Value: &c.Key, Text: text}, nil
	}
	if text, ok := strings.CutPrefix(c.Text, o.mark(false)); ok {
		return &Ranked{ID: c.ID, Text: text}, nil
	}
	return nil, BadCursor("after")
}

// OrderedPage returns the page of a list that follows an item. It sorts all rows; read returns the
// items of the page by their IDs.
func OrderedPage[T any](
	o Order, rows []Ranked, first int, after *Ranked,
	read func(ids []uuid.UUID) (map[uuid.UUID]T, error),
) (Page[T], error) {
	slices.SortFunc(rows, o.compare)
	if after != nil {
		rows = slices.DeleteFunc(rows, func(r Ranked) bool { return o.compare(r, *after) <= 0 })
	}
	page := Cut(rows, first)
	found, err := read(Mapped(page.Items, func(r Ranked) uuid.UUID { return r.ID }))
	out := Page[T]{HasNext: page.HasNext, Places: make(map[string]Cursor, first)}
	for _, r := range page.Items {
		if item, ok := found[r.ID]; ok {
			out.Items, out.Places[r.ID.String()] = append(out.Items, item), o.Place(r)
		}
	}
	return out, err
}

// Micros returns a time as the value of a Ranked; nil for nil.
func Micros(at *time.Time) *int64 {
	if at == nil {
		return nil
	}
	return new(at.UnixMicro())
}
