package credit

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
)

// MaxUsageRows is the most rows of a usage report.
const MaxUsageRows = 1_000

// Dimension is a column by which usage is split.
type Dimension string

// The dimensions.
const (
	ByAgent   Dimension = "AGENT"
	ByExport  Dimension = "EXPORT"
	ByModel   Dimension = "MODEL"
	BySource  Dimension = "SOURCE"
	ByUser    Dimension = "USER"
	ByVersion Dimension = "VERSION"
	ByStatus  Dimension = "STATUS"
)

// UsageKey holds the values that the messages of a row have in common. A field is nil if the usage
// is not split by it, or if its value is unknown or absent.
type UsageKey struct {
	AgentID, ExportID *uuid.UUID
	Model             *string
	Source            *string
	UserID            *string
	// Version is the number of the agent's version; nil also for the draft.
	Version *int
	// Status is "answered", or the REST API's error code of the failed or rejected messages.
	Status *string
}

// UsageRow is the usage of some messages in an interval.
type UsageRow struct {
	// Start is the start of the interval; nil without intervals.
	Start *time.Time
	UsageKey
	// Rest marks the row for all messages of the interval that have no row of their own, because there
	// would be too many rows.
	Rest bool
	// Messages counts answered messages, Failed failed turns, and Refused rejected requests.
	Messages, Failed, Refused int64
	// Credits is the cost of the answered messages, in whole credits. The tokens are those that models
	// reported. CachedTokens are the input tokens that providers had cached.
	Credits, InputTokens, CachedTokens, OutputTokens int64
	// ProviderCost is the sum of the known costs at the providers, in nano-dollars, and Uncosted
	// counts the answered and failed messages without a known cost. Only operators see both.
	ProviderCost, Uncosted int64
	// Durations and FirstTexts count the answered messages by total time and by time to the first
	// text.
	Durations, FirstTexts Histogram
}

// buckets is the number of buckets of a histogram: bucket 0 is below 1 ms, followed by six per
// factor of ten, and the last has no upper bound. The database function latency_bucket_1 returns
// the bucket of a time.
const buckets = 37

// Histogram counts times by bucket. nil is empty.
type Histogram []int64

// Add adds count to a bucket.
func (h *Histogram) Add(bucket int, count int64) {
	if count == 0 {
		return
	}
	if *h == nil {
		*h = make(Histogram, buckets)
	}
	(*h)[min(max(bucket, 0), buckets-1)] += count
}

// QuantileMs returns the q quantile of the times, in milliseconds, within a factor of 1.47; nil if
// there are no times.
func (h Histogram) QuantileMs(q float64) *int64 {
	total := int64(0)
	for _, n := range h {
		total += n
	}
	if total == 0 {
		return nil
	}
	before, rank := int64(0), q*float64(total)
	for bucket, n := range h {
		if float64(before+n) < rank || n == 0 {
			before += n
			continue
		}
		ms := int64(0)
		if bucket > 0 { // as if the times were spread evenly over the bucket's exponents
			ms = int64(math.Round(math.Pow(10, (float64(bucket-1)+(rank-float64(before))/float64(n))/6)))
		}
		return &ms
	}
	return nil // unreachable: the ranks end with the total
}

// DurationP50Ms returns the median time to the complete reply, in milliseconds; nil without
// answered messages.
func (r *UsageRow) DurationP50Ms() *int64 { return r.Durations.QuantileMs(0.5) }

// DurationP95Ms returns the time within which 95 % of replies were complete.
func (r *UsageRow) DurationP95Ms() *int64 { return r.Durations.QuantileMs(0.95) }

// FirstTextP50Ms returns the median time to the first text of streamed replies.
func (r *UsageRow) FirstTextP50Ms() *int64 { return r.FirstTexts.QuantileMs(0.5) }

func (r *UsageRow) add(other *UsageRow) {
	r.Messages += other.Messages
	r.Failed += other.Failed
	r.Refused += other.Refused
	r.Credits += other.Credits
	r.InputTokens += other.InputTokens
	r.CachedTokens += other.CachedTokens
	r.OutputTokens += other.OutputTokens
	r.ProviderCost += other.ProviderCost
	r.Uncosted += other.Uncosted
	for bucket, n := range other.Durations {
		r.Durations.Add(bucket, n)
	}
	for bucket, n := range other.FirstTexts {
		r.FirstTexts.Add(bucket, n)
	}
}

// FoldUsage reduces the rows, which are ordered by start, to at most MaxUsageRows: the keys with
// the most usage over all intervals keep their rows, and in each interval all others become one
// row.
func FoldUsage(rows []UsageRow, intervals int) []UsageRow {
	if len(rows) <= MaxUsageRows {
		return rows
	}
	kept := largest(rows, max(MaxUsageRows/intervals-1, 0))
	var out []UsageRow
	for len(rows) > 0 {
		rest := UsageRow{Start: rows[0].Start, Rest: true}
		folded := false
		for len(rows) > 0 && sameStart(rest.Start, rows[0].Start) {
			if kept[rows[0].ID()] {
				out = append(out, rows[0])
			} else {
				rest.add(&rows[0])
				folded = true
			}
			rows = rows[1:]
		}
		if folded {
			out = append(out, rest)
		}
	}
	return out
}

func sameStart(a, b *time.Time) bool { return a == nil || a.Equal(*b) }

// UsageID is a UsageKey by value, with zero values for nil.
type UsageID struct {
	Agent, Export               uuid.UUID
	Model, Source, User, Status string
	Version                     int
}

// ID returns the key by value.
func (k UsageKey) ID() UsageID {
	return UsageID{value(k.AgentID), value(k.ExportID), value(k.Model), value(k.Source),
		value(k.UserID), value(k.Status), value(k.Version)}
}

func value[T any](p *T) T {
	var v T
	if p != nil {
		v = *p
	}
	return v
}

// largest returns the n keys with the most credits over all rows; of equal ones, those with the
// most messages of any kind.
func largest(rows []UsageRow, n int) map[UsageID]bool {
	totals := map[UsageID]*UsageRow{}
	for i := range rows {
		id := rows[i].ID()
		if totals[id] == nil {
			totals[id] = &UsageRow{UsageKey: rows[i].UsageKey}
		}
		totals[id].add(&rows[i])
	}
	requests := func(r *UsageRow) int64 { return r.Messages + r.Failed + r.Refused }
	ids := slices.SortedFunc(maps.Keys(totals), func(a, b UsageID) int {
		x, y := totals[a], totals[b]
		return cmp.Or(
			cmp.Compare(y.Credits, x.Credits),
			cmp.Compare(requests(y), requests(x)),
			cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.User, b.User),
			slices.Compare(a.Agent[:], b.Agent[:]),
			slices.Compare(a.Export[:], b.Export[:]),
			cmp.Compare(a.Source, b.Source),
			cmp.Compare(a.Status, b.Status),
			cmp.Compare(a.Version, b.Version),
		)
	})
	out := map[UsageID]bool{}
	for _, id := range ids[:min(n, len(ids))] {
		out[id] = true
	}
	return out
}
