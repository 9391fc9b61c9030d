package credit_test

import (
	"fmt"
	"math"
	"testing"

	"agentchat/internal/credit"
)

func TestMargin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cost, credits, value int64
		want                 string
	}{
		{329_786_000, 1_204, 1e6, "0.726"},
		{0, 1, 1, "1"},
		{5, 5, 1, "0"},
		{100_001, 100_000, 1, "0"},
		{12_300, 98, 100, "-0.255"},
		{10_005, 10_000, 1, "-0.001"},
		{1, math.MaxInt64, math.MaxInt64, "1"},
		{math.MaxInt64, 1, 1, "-9.223372036854776e+18"},
	} {
		if got := fmt.Sprint(credit.Margin(c.cost, credit.Revenue(c.credits, c.value))); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
