package fair

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

func TestRoundRobin(t *testing.T) {
	t.Parallel()
	var items RoundRobin[string]
	busy, quiet := uuid.New(), uuid.New()
	for _, item := range []string{"b1", "b2", "b3", "b4"} {
		items.Add(busy, item)
	}
	items.Add(quiet, "q1")
	items.Add(quiet, "q2")
	if items.Of(busy) != 4 || items.Of(quiet) != 2 || items.Of(uuid.New()) != 0 {
		t.Error("Of is wrong")
	}
	if items.Only(busy) || !(&RoundRobin[string]{}).Only(busy) {
		t.Error("Only is wrong")
	}
	any := func(string) bool { return true }
	for _, c := range []struct {
		most int
		fits func(string) bool
		want []string
	}{
		{3, any, []string{"b1", "q1", "b2"}},
		{3, func(item string) bool { return item != "q2" }, []string{"b3", "b4"}},
		{3, any, []string{"q2"}},
		{3, any, nil},
	} {
		before := items.Len()
		if got := items.Take(c.most, c.most, c.fits); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
		if n := items.Len(); n != before-len(c.want) {
			t.Errorf("%d left of %d", n, before)
		}
	}
}
