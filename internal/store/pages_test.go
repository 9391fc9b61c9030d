package store_test

import (
	"cmp"
	"slices"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestPages tests what every list promises: pages of any size have each item of the account once,
// in order, and are full except the last. Items that are added meanwhile move no other item. A page
// costs a fixed number of statements, and an invalid size none.
func TestPages(t *testing.T) {
	t.Parallel()
	for name := range pagedLists(t, nil) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, count := storetest.Counted(t)
			list := pagedLists(t, s)[name]
			mine := storetest.Seed(t, s, storetest.Options{Credits: 1000})
			other := storetest.Seed(t, s, storetest.Options{Credits: 1000})
			all := list.fill(t, mine, 11)
			list.add(other, 0)
			if theirs := list.readAll(t, other, store.MaxPage, nil); slices.ContainsFunc(all,
				func(id string) bool { return slices.Contains(theirs, id) }) || len(theirs) == 0 {
				t.Errorf("another account has %v, and this one %v", theirs, all)
			}
			for _, first := range []int{1, 3, len(all) - 1, len(all), len(all) + 1} {
				if got := list.readAll(t, mine, first, nil); !slices.Equal(got, all) {
					t.Errorf("pages of %d: %v, want %v", first, got, all)
				}
			}
			list.costs(t, count, mine)
			n := 20
			grown := list.readAll(t, mine, 4, func() {
				list.add(mine, n)
				list.add(other, n)
				n++
			})
			known := slices.DeleteFunc(slices.Clone(grown),
				func(id string) bool { return !slices.Contains(all, id) })
			if !slices.Equal(known, all) || list.order == newestFirst && len(grown) != len(all) {
				t.Errorf("while the list grows: %v, want %v", grown, all)
			}
		})
	}
}

// fill adds n items and checks the place of each. It returns the ids of the list.
func (l pagedList) fill(t *testing.T, f storetest.Fixture, n int) (all []string) {
	t.Helper()
	all = l.readAll(t, f, store.MaxPage, nil)
	for i := range n {
		l.add(f, i)
		now := l.readAll(t, f, store.MaxPage, nil)
		inOrder := len(now) == len(all)+1
		switch l.order {
		case newestFirst:
			inOrder = inOrder && slices.Equal(now[1:], all)
		case oldestFirst:
			inOrder = inOrder && slices.Equal(now[:len(all)], all)
		case byID:
			inOrder = inOrder && slices.IsSorted(now)
		}
		if !inOrder {
			t.Fatalf("after %v comes %v", all, now)
		}
		all = now
	}
	return all
}

// readAll reads a list in pages and returns the ids of its items. It calls between after each page
// but the last.
func (l pagedList) readAll(
	t *testing.T, f storetest.Fixture, first int, between func(),
) (ids []string) {
	t.Helper()
	var after *store.Cursor
	page := listPage{HasNext: true}
	for page.HasNext {
		if after != nil && between != nil {
			between()
		}
		var err error
		if page, err = l.read(f, first, after); err != nil {
			t.Fatal(err)
		}
		if len(page.Items) > first || page.HasNext && len(page.Items) < first || len(ids) > 200 {
			t.Fatalf("a page of %d has %d items, next %v", first, len(page.Items), page.HasNext)
		}
		for _, i := range page.Items {
			ids, after = append(ids, i.id), &i.at
		}
	}
	if l.counts && between == nil && page.Total != len(ids) || !l.counts && page.Total != 0 {
		t.Errorf("a total of %d for %d items", page.Total, len(ids))
	}
	return ids
}

// costs checks the number of statements of a page, and that an invalid size is refused before any.
func (l pagedList) costs(t *testing.T, count *storetest.Statements, f storetest.Fixture) {
	t.Helper()
	own, want := int64(0), int64(1)
	if l.order == oldestFirst { // read looks its conversation up
		own, want = 1, 2
	}
	if l.counts {
		want = 2
	}
	before := count.Load()
	if _, err := l.read(f, 3, nil); err != nil || count.Load()-before != want {
		t.Errorf("%d statements for a page, want %d: %v", count.Load()-before, want, err)
	}
	field := cmp.Or(l.size, "first")
	for _, size := range []int{0, -1, store.MaxPage + 1, -1 << 31, 1<<31 - 1} {
		before := count.Load()
		_, err := l.read(f, size, nil)
		if !slices.Equal(storetest.FieldsOf(err), []string{field}) || count.Load()-before != own {
			t.Errorf("size %d: %v, %d statements", size, err, count.Load()-before)
		}
	}
}

func TestPageSize(t *testing.T) {
	t.Parallel()
	if n, err := store.PageSize(nil); n != store.DefaultPage || err != nil {
		t.Errorf("the default: %d %v", n, err)
	}
	for _, first := range []int{1, store.MaxPage} {
		if n, err := store.PageSize(&first); n != first || err != nil {
			t.Errorf("%d: %d %v", first, n, err)
		}
	}
}
