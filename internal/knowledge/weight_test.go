package knowledge

import (
	"testing"

	"github.com/google/uuid"
)

func TestWeight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		count, length int
		want          int16
	}{{1, typicalLength, 1000}, {1, 25, 1583}, {1, 1000, 449}, {2, typicalLength, 1375},
		{MaxTerms, MaxTerms, 2192}, {1, MaxTerms, 59}} {
		if got := Weight(c.count, c.length); got != c.want {
			t.Errorf("%d of %d terms: %d, want %d", c.count, c.length, got, c.want)
		}
	}
	for count := 1; count <= 50; count++ {
		if more, less := Weight(count+1, 100), Weight(count, 100); more < less || more >= 2200 {
			t.Errorf("%d times weighs %d, once more %d", count, less, more)
		}
		if long, short := Weight(1, 100*count+1), Weight(1, 100*count); long > short || long < 1 {
			t.Errorf("in %d terms it weighs %d, in one more %d", 100*count, short, long)
		}
	}
}

// TestKeysDependOnTheAgent shows that two agents share no keys for the same terms.
func TestKeysDependOnTheAgent(t *testing.T) {
	t.Parallel()
	a, b := uuid.MustParse("018f0000-0000-7000-8000-000000000001"),
		uuid.MustParse("018f0000-0000-7000-8000-000000000002")
	seen := map[int64]bool{}
	for _, agent := range []uuid.UUID{a, b} {
		for _, key := range Keys(agent, []string{"refund", "返品", "refunds", ""}) {
			if seen[key] {
				t.Errorf("the key %d occurs twice", key)
			}
			seen[key] = true
		}
	}
	// Keys are stored, so they must never change.
	if got := Key(a, "refund"); got != -1492789095804765922 {
		t.Errorf("%d", got)
	}
}
