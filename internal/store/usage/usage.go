package usage

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// Filter selects the messages that a usage counts. Zero values select all.
type Filter struct {
	// From is inclusive, To exclusive.
	From, To time.Time
	// AgentID and ExportID may be deleted ones.
	AgentID, ExportID *uuid.UUID
	Model             string
	Source            conversation.Source
	UserID            *string
}

// Query describes a usage.
type Query struct {
	Filter Filter
	// SplitBy are the dimensions of the rows.
	SplitBy []credit.Dimension
	// Interval is empty for one row over the whole range.
	Interval credit.Interval
	Zone     *time.Location
	// Latencies asks for the histograms.
	Latencies bool
}

// UsageRows returns the usage of a range, in the order of the intervals. Charges are those of the
// ledger, to the microsecond. Failed turns and rejected requests count in the quarter of an hour in
// which they began, and belong to the range if the start of that quarter does. An interval without
// usage has a row only if the usage is not split.
//
// Erased messages keep their model and tokens in the whole quarters of the range. At its other
// ends, and for usage by end user or version, the turns are read: there, only the agent, the export
// and the credits of erased messages are known.
//
// Faults: InvalidInput on to, filter.userId and filter.agentId, before any statement; on filter if
// the range has too many turns to read in time; Unavailable while the background is far behind.
func (s Store) UsageRows(
	ctx context.Context, accountID uuid.UUID, q Query,
) ([]credit.UsageRow, error) {
	starts, err := q.starts()
	if err != nil {
		return nil, err
	}
	if user := q.Filter.UserID; user != nil {
		if err := conversation.FindUser("filter.userId", *user); err != nil {
			return nil, err
		}
	}
	if err := q.checkVersions(); err != nil {
		return nil, err
	}
	if err := s.catchUp(ctx, accountID); err != nil {
		return nil, err
	}
	charges, err := s.chargeRanges(ctx, accountID, q)
	if err != nil {
		return nil, err
	}
	text := q.statement(accountID, starts, charges, totalsOfUsage)
	rows, err := db.All[usageTotal](ctx, s.db, text.String(), text.Args()...)
	if err != nil {
		return nil, q.tooSlow(err)
	}
	out := make([]credit.UsageRow, len(rows))
	for i, r := range rows {
		out[i] = r.UsageRow
		if q.Interval != "" {
			out[i].Start = &starts[r.Point-1]
		}
	}
	if q.Latencies {
		text := q.statement(accountID, starts, charges, latenciesOfUsage)
		counts, err := db.All[usageLatency](ctx, s.db, text.String(), text.Args()...)
		if err != nil {
			return nil, q.tooSlow(err)
		}
		addLatencies(out, rows, counts)
	}
	return credit.FoldUsage(withEmpty(out, starts, q), len(starts)), nil
}

// usageTotal is a row of totalsOfUsage; Point is the number of its interval, from 1.
type usageTotal struct {
	Point int
	credit.UsageRow
}

// usageLatency is a row of latenciesOfUsage: the number of messages of a key in a latency bucket.
type usageLatency struct {
	Point int
	credit.UsageKey
	Bucket     int
	Durations  int64
	FirstTexts int64
}

// addLatencies adds the counts to the rows of their interval and key. totals are the rows before
// they were converted.
func addLatencies(rows []credit.UsageRow, totals []usageTotal, counts []usageLatency) {
	type place struct {
		point int
		id    credit.UsageID
	}
	places := make(map[place]*credit.UsageRow, len(rows))
	for i := range rows {
		places[place{totals[i].Point, rows[i].ID()}] = &rows[i]
	}
	for _, c := range counts {
		// A message that was charged between the two statements has no row yet.
		if row := places[place{c.Point, c.ID()}]; row != nil {
			row.Durations.Add(c.Bucket, c.Durations)
			row.FirstTexts.Add(c.Bucket, c.FirstTexts)
		}
	}
}

// withEmpty adds rows for intervals without usage, unless the usage is split.
func withEmpty(rows []credit.UsageRow, starts []time.Time, q Query) []credit.UsageRow {
	if len(q.SplitBy) > 0 || len(rows) == len(starts) {
		return rows
	}
	out := make([]credit.UsageRow, len(starts))
	for i := range starts {
		if q.Interval != "" {
			out[i].Start = &starts[i]
		}
		if len(rows) > 0 && (q.Interval == "" || rows[0].Start.Equal(starts[i])) {
			out[i], rows = rows[0], rows[1:]
		}
	}
	return out
}

// MaxVersionRange is the longest range of a usage by version.
const MaxVersionRange = 31 * 24 * time.Hour

// checkVersions checks a usage by version. Fault: InvalidInput on filter.agentId without an agent,
// and on to for a range above MaxVersionRange.
func (q Query) checkVersions() error {
	switch {
	case !slices.Contains(q.SplitBy, credit.ByVersion):
		return nil
	case q.Filter.AgentID == nil:
		return fault.Invalid(fault.Field{Path: "filter.agentId", Reason: fault.Missing,
			Message: "Versions belong to an agent. Name one."})
	case q.Filter.To.Sub(q.Filter.From) > MaxVersionRange:
		return fault.Invalid(fault.Field{Path: "to", Reason: fault.OutOfRange, Limit: 31,
			Message: "Usage by version covers at most 31 days. Choose a shorter range."})
	}
	return nil
}

// tooSlow translates the timeout of a usage that is read from turns. Fault: InvalidInput on filter.
func (q Query) tooSlow(err error) error {
	if !q.fromTurns() || !db.ViolatedCode(err, db.CodeQueryCanceled) {
		return err
	}
	return fault.Invalid(fault.Field{Path: "filter", Reason: fault.NotSupported,
		Message: "Too many messages to group by user or version. Choose a shorter period."})
}

// fromTurns reports whether the query needs what only turns have: end users or versions.
func (q Query) fromTurns() bool {
	return q.Filter.UserID != nil || slices.Contains(q.SplitBy, credit.ByUser) ||
		slices.Contains(q.SplitBy, credit.ByVersion)
}

// starts returns the starts of the intervals.
func (q Query) starts() ([]time.Time, error) {
	if q.Interval == "" {
		if !q.Filter.From.Before(q.Filter.To) {
			return nil, fault.Invalid(fault.Field{Path: "to", Reason: fault.OutOfRange,
				Message: "The end must be after the start."})
		}
		return []time.Time{q.Filter.From}, nil
	}
	return credit.UsageStarts(q.Filter.From, q.Filter.To, q.Interval, q.Zone)
}
