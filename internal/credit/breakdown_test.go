package credit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"agentchat/internal/credit"
)

// bucketOf is latency_bucket_1 of the database.
func bucketOf(ms int64) int {
	if ms < 1 {
		return 0
	}
	return min(1+int(math.Floor(6*math.Log10(float64(ms)))), 36)
}

// TestQuantiles shows that quantiles are within a bucket of the exact ones.
func TestQuantiles(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for round := range 200 {
		var h credit.Histogram
		times := make([]int64, 1+random.IntN(300))
		for i := range times {
			times[i] = int64(math.Pow(10, random.Float64()*5.7))
			h.Add(bucketOf(times[i]), 1)
		}
		slices.Sort(times)
		for _, q := range []float64{0.5, 0.95} {
			exact := float64(times[max(int(math.Ceil(q*float64(len(times))))-1, 0)])
			if got := float64(*h.QuantileMs(q)); got < exact/1.5-1 || got > exact*1.5+1 {
				t.Fatalf("seed %d, round %d: quantile %v of %d times is %v, exactly %v", seed, round, q,
					len(times), got, exact)
			}
		}
	}
	if got := (credit.Histogram)(nil).QuantileMs(0.5); got != nil {
		t.Errorf("of nothing: %v", *got)
	}
	var fast credit.Histogram
	fast.Add(0, 10)
	if got := fast.QuantileMs(0.95); got == nil || *got != 0 {
		t.Errorf("below a millisecond: %v", got)
	}
}

// TestFoldUsage shows that the result has at most 1,000 rows with the same sums, and that the
// largest keys keep their rows.
func TestFoldUsage(t *testing.T) {
	t.Parallel()
	const days, models = 365, 25
	start := at(t, "2026-01-01T00:00:00Z")
	var rows []credit.UsageRow
	var sum int64
	for day := range days {
		for m := range models {
			when, name := start.AddDate(0, 0, day), fmt.Sprintf("m%02d", m)
			row := credit.UsageRow{
				Start:    &when,
				UsageKey: credit.UsageKey{Model: &name},
				Messages: 1,
				Credits:  int64(m + 1),
			}
			row.Durations.Add(3, 1)
			rows, sum = append(rows, row), sum+row.Credits
		}
	}
	folded := credit.FoldUsage(rows, days)
	if len(folded) > credit.MaxUsageRows || len(folded) != 2*days {
		t.Errorf("%d rows", len(folded))
	}
	var got, messages, timed int64
	var before *time.Time
	for i := range folded {
		r := &folded[i]
		got, messages = got+r.Credits, messages+r.Messages
		for _, n := range r.Durations {
			timed += n
		}
		if !r.Rest && *r.Model != "m24" || r.Rest && (r.Model != nil || r.Messages != models-1) ||
			before != nil && r.Start.Before(*before) {
			t.Fatalf("row %d: %+v", i, r)
		}
		before = r.Start
	}
	if got != sum || messages != days*models || timed != messages {
		t.Errorf("%d credits of %d, %d messages, %d times", got, sum, messages, timed)
	}
	if few := credit.FoldUsage(rows[:credit.MaxUsageRows], 40); len(few) != credit.MaxUsageRows {
		t.Errorf("1,000 rows became %d", len(few))
	}
	if none := credit.FoldUsage(rows[:credit.MaxUsageRows+1], credit.MaxUsageRows); len(none) > credit.MaxUsageRows {
		t.Errorf("as many intervals as rows: %d", len(none))
	}
}
