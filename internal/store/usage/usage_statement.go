package usage

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/internal/db"
)

// quarter is the shortest span of usage_rollups.
const quarter = 15 * time.Minute

// usageText holds the column lists of one of the two statements of a usage.
type usageText struct {
	// rolledUp are the columns in table, counts the condition on its rows. charge, failure and refusal
	// are the same columns for a charge in the ledger, a failed turn and a rejected request; failure
	// and refusal may be empty.
	table, rolledUp, counts, charge, failure, refusal string
	// sums are the columns of the result. groupBy lists the grouping columns besides the key.
	sums, groupBy string
}

var (
	totalsOfUsage = usageText{
		table: `usage_rollups`,
		rolledUp: `r.status, r.messages, r.failed, r.refused, r.credits, r.input_tokens, r.cached_tokens,
			r.output_tokens, r.provider_cost, r.uncosted`,
		counts: `(s.charged OR r.status <> 'answered')`,
		charge: `1, 0, 0, -e.amount, coalesce(t.input_tokens, 0), coalesce(t.cached_tokens, 0),
			coalesce(t.output_tokens, 0), ` + costOfTurn,
		failure: `0, 1, 0, 0, 0, 0, 0, ` + costOfTurn,
		refusal: `0, 0, 1, 0, 0, 0, 0, 0, 0`,
		sums: `sum(u.messages)::bigint AS messages, sum(u.failed)::bigint AS failed, sum(u.refused)::bigint AS refused,
			sum(u.credits)::bigint AS credits, sum(u.input_tokens)::bigint AS input_tokens,
			sum(u.cached_tokens)::bigint AS cached_tokens, sum(u.output_tokens)::bigint AS output_tokens,
			sum(u.provider_cost)::bigint AS provider_cost, sum(u.uncosted)::bigint AS uncosted`,
	}
	latenciesOfUsage = usageText{
		table:    `latency_rollups`,
		rolledUp: `'answered', r.bucket, r.durations, r.first_texts`,
		counts:   `s.charged`,
		charge:   `b.bucket, b.durations, b.first_texts`,
		sums:     `u.bucket, sum(u.durations)::bigint AS durations, sum(u.first_texts)::bigint AS first_texts`,
		groupBy:  `, u.bucket`,
	}
)

// costOfTurn are the columns provider_cost and uncosted of a turn t. A missing turn is uncosted.
const costOfTurn = `coalesce(t.provider_cost, 0), (t.provider_cost IS NULL)::integer`

// noID is the id of no agent or no export in usage_rollups.
const noID = `'00000000-0000-0000-0000-000000000000'::uuid`

// usageDimensions are the columns of credit.UsageKey by which a usage can be split. A column that
// is not requested has the value none.
var usageDimensions = []struct {
	by                  credit.Dimension
	column, known, none string
}{
	{credit.ByAgent, "agent_id", `nullif(u.agent_id, ` + noID + `)`, `NULL::uuid`},
	{credit.ByExport, "export_id", `nullif(u.export_id, ` + noID + `)`, `NULL::uuid`},
	{credit.ByModel, "model", `nullif(u.model, '')`, `NULL::text`},
	{credit.BySource, "source", `nullif(u.source, '')`, `NULL::text`},
	{credit.ByUser, "user_id", `u.user_id`, `NULL::text`},
	{credit.ByVersion, "version", `u.version`, `NULL::integer`},
	{credit.ByStatus, "status", `u.status`, `NULL::text`},
}

// statement sums up the parts of a usage for each interval and key.
func (q Query) statement(
	accountID uuid.UUID, starts []time.Time, charges []chargeRange, text usageText,
) *db.Statement {
	var out db.Statement
	group := []string{"1"}
	out.Add(`SELECT width_bucket(u.at, ?::timestamptz[]) AS point, `, starts)
	for _, d := range usageDimensions {
		if slices.Contains(q.SplitBy, d.by) {
			out.Add(d.known + ` AS ` + d.column + `, `)
			group = append(group, "u."+d.column)
		} else {
			out.Add(d.none + ` AS ` + d.column + `, `)
		}
	}
	columns := `at, agent_id, export_id, model, source, user_id, version, status, `
	if text.groupBy == "" {
		columns += `messages, failed, refused, credits, input_tokens, cached_tokens, output_tokens,
			provider_cost, uncosted`
	} else {
		columns += `bucket, durations, first_texts`
	}
	out.Add(text.sums + ` FROM (`)
	q.rolledUp(&out, accountID, starts, text)
	for _, r := range charges {
		out.Add(` UNION ALL `)
		q.charges(&out, accountID, r, text)
	}
	if q.fromTurns() && text.failure != "" {
		out.Add(` UNION ALL `)
		q.failures(&out, accountID, text)
		out.Add(` UNION ALL `)
		q.refusals(&out, accountID, text)
	}
	out.Add(`) u(` + columns + `) WHERE true`)
	q.Filter.conditions(&out)
	out.Add(` GROUP BY ` + strings.Join(group, ", ") + text.groupBy + ` ORDER BY 1`)
	return &out
}

func (f Filter) conditions(out *db.Statement) {
	if f.AgentID != nil {
		out.Add(` AND u.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		out.Add(` AND u.export_id = ?::uuid`, *f.ExportID)
	}
	if f.Model != "" {
		out.Add(` AND u.model = ?::text`, f.Model)
	}
	if f.Source != "" {
		out.Add(` AND u.source = ?::text`, string(f.Source))
	}
	if f.UserID != nil {
		out.Add(` AND u.user_id = ?::text`, *f.UserID)
	}
}

// rolledUp adds the spans of the range. From turns it adds nothing.
func (q Query) rolledUp(
	out *db.Statement, accountID uuid.UUID, starts []time.Time, text usageText,
) {
	var minutes []int
	var from, to []time.Time
	var charged []bool
	for _, s := range q.spans(starts) {
		minutes, from, to = append(minutes, int(s.length.Minutes())), append(from, s.from),
			append(to, s.to)
		charged = append(charged, s.charged)
	}
	out.Add(`SELECT r.start, r.agent_id, r.export_id, r.model, r.source, NULL::text, NULL::integer, `+text.rolledUp+`
		FROM unnest(?::smallint[], ?::timestamptz[], ?::timestamptz[], ?::bool[])
			s(minutes, lo, hi, charged) CROSS JOIN LATERAL (
			SELECT * FROM `+text.table+` r
			WHERE r.account_id = ?::uuid AND r.minutes = s.minutes AND r.start >= s.lo AND r.start < s.hi OFFSET 0 -- by index, one by one
		) r WHERE `+text.counts, minutes, from, to, charged, accountID)
}

// spans returns the spans of usage_rollups that make up the intervals. If the range ends within a
// quarter of an hour, the failed turns and rejected requests of the whole quarter belong to it, but
// not its charges.
func (q Query) spans(starts []time.Time) []usageSpan {
	if q.fromTurns() {
		return nil
	}
	var out []usageSpan
	first, last := q.wholeQuarters()
	for i, start := range starts {
		end := last
		if i+1 < len(starts) {
			end = earlier(nextQuarter(starts[i+1]), last)
		}
		if start = nextQuarter(start); start.Before(first) {
			start = first
		}
		out = append(out, spansBetween(start, end)...)
	}
	if !last.Before(q.Filter.From) && last.Before(q.Filter.To) {
		out = append(out, usageSpan{length: quarter, from: last, to: q.Filter.To})
	}
	return out
}

// usageSpan is a run of spans of one length.
type usageSpan struct {
	length   time.Duration
	from, to time.Time
	// charged reports whether charges count.
	charged bool
}

// spanLengths are the lengths of the spans of usage_rollups. Each divides the next.
var spanLengths = []time.Duration{quarter, time.Hour, 6 * time.Hour, 24 * time.Hour}

// spansBetween returns the fewest spans between two starts of a quarter of an hour.
func spansBetween(from, to time.Time) (out []usageSpan) {
	for from.Before(to) {
		length := quarter
		for _, l := range spanLengths {
			if from.Truncate(l).Equal(from) && !from.Add(l).After(to) {
				length = l
			}
		}
		next := from.Add(length)
		if n := len(out); n > 0 && out[n-1].length == length {
			out[n-1].to = next
		} else {
			out = append(out, usageSpan{length: length, from: from, to: next, charged: true})
		}
		from = next
	}
	return out
}

// wholeQuarters returns the start of the first whole quarter of an hour in the range, and the end
// of the last.
func (q Query) wholeQuarters() (first, last time.Time) {
	return nextQuarter(q.Filter.From), q.Filter.To.Truncate(quarter)
}

// ends returns the parts of the range that are not whole quarters of an hour; from turns, the whole
// range.
func (q Query) ends() []chargeRange {
	first, last := q.wholeQuarters()
	ends := []chargeRange{{from: q.Filter.From, to: first}, {from: last, to: q.Filter.To}}
	if q.fromTurns() || first.After(q.Filter.To) {
		ends = []chargeRange{{from: q.Filter.From, to: q.Filter.To}}
	}
	return slices.DeleteFunc(ends, func(r chargeRange) bool { return !r.from.Before(r.to) })
}

// nextQuarter returns the first start of a quarter of an hour that is not before a time.
func nextQuarter(at time.Time) time.Time {
	if start := at.Truncate(quarter); start.Before(at) {
		return start.Add(quarter)
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// usersMessage is the end user of a turn of conversation c; null without an end user, and for test
// runs, whose messages no end user sent.
const usersMessage = `CASE WHEN c.deleted_at IS NULL AND c.source <> 'TEST' THEN c.user_id END`

// chargeRange is a range of the ledger by time, with the numbers of its entries. from is inclusive,
// to exclusive.
type chargeRange struct {
	from, to      time.Time
	first, behind int64
}

// chargeRanges returns the parts of the range whose charges are read from the ledger: all except
// whole quarters; from turns, the whole range.
func (s Store) chargeRanges(
	ctx context.Context, accountID uuid.UUID, q Query,
) ([]chargeRange, error) {
	var out []chargeRange
	for _, r := range q.ends() {
		var text db.Statement
		credits.CreditBounds(&text, accountID, credits.CreditFilter{From: &r.from, To: &r.to})
		text.Add(` SELECT (SELECT max(lo) FROM low) AS first, (SELECT max(lo) FROM high) AS behind`)
		n, err := db.One[struct{ First, Behind int64 }](ctx, s.db, text.String(), text.Args()...)
		if err != nil {
			return nil, err
		}
		r.first, r.behind = n.First, n.Behind
		out = append(out, r)
	}
	return out, nil
}

// charges adds the charges of a range of the ledger. For one end user, it starts from the
// conversations.
func (q Query) charges(out *db.Statement, accountID uuid.UUID, r chargeRange, text usageText) {
	out.Add(`SELECT e.created_at, coalesce(e.agent_id, ` + noID + `), coalesce(e.export_id, ` + noID +
		`), coalesce(t.model, ''),
		coalesce(t.source, ''), ` + usersMessage + `, t.version, 'answered', ` + text.charge)
	user := q.Filter.UserID
	if user != nil {
		out.Add(` FROM conversations c JOIN turns t ON t.conversation_id = c.id
			CROSS JOIN LATERAL (SELECT * FROM credit_entries e WHERE e.turn_id = t.id AND e.kind = 'CHARGE'
				LIMIT 1) e`)
	} else {
		// The laterals look turns up one by one, however long the planner estimates the range to be.
		out.Add(` FROM credit_entries e LEFT JOIN LATERAL (
			SELECT * FROM turns t WHERE t.id = e.turn_id LIMIT 1) t ON true
			LEFT JOIN LATERAL (
				SELECT * FROM conversations c WHERE c.id = t.conversation_id LIMIT 1) c ON true`)
	}
	if text.failure == "" {
		out.Add(` CROSS JOIN LATERAL (VALUES (latency_bucket_1(turn_duration_1(t.duration_ms,
			t.created_at, t.settled_at)), 1, 0),
			(latency_bucket_1(t.first_text_ms), 0, 1)) b(bucket, durations, first_texts)`)
	}
	out.Add(` WHERE e.account_id = ?::uuid AND e.kind = 'CHARGE' AND e.number >= ?::bigint
		AND e.number < ?::bigint AND e.created_at >= ?::timestamptz
		AND e.created_at < ?::timestamptz`,
		accountID, r.first, r.behind, r.from, r.to)
	if q.Filter.AgentID != nil { // of the ledger, an agent's charges are read by an index of their own
		out.Add(` AND e.agent_id = ?::uuid`, *q.Filter.AgentID)
	}
	if user != nil {
		out.Add(` AND c.account_id = ?::uuid AND c.user_id = ?::text AND c.deleted_at IS NULL`, accountID,
			*user)
	}
	if text.failure == "" {
		out.Add(` AND b.bucket IS NOT NULL`)
	}
}

// failures adds the failed turns, with the end user of their conversation if there is one.
func (q Query) failures(out *db.Statement, accountID uuid.UUID, text usageText) {
	out.Add(`SELECT t.created_at, t.agent_id, coalesce(t.export_id, `+noID+`), t.model, t.source,
		`+usersMessage+`, t.version, t.error_code, `+text.failure+`
		FROM agents a CROSS JOIN (VALUES ('API'), ('PLAYGROUND'), ('TEST')) s(source)
		JOIN conversations c ON c.agent_id = a.id AND c.source = s.source AND c.failed_turns > 0
			AND c.deleted_at IS NULL
		JOIN turns t ON t.conversation_id = c.id AND t.state = 'FAILED' AND t.counted
		WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL`, accountID)
	q.inQuarters(out, `t.created_at`)
}

// refusals adds the rejected requests that are still recorded.
func (q Query) refusals(out *db.Statement, accountID uuid.UUID, text usageText) {
	out.Add(`SELECT r.created_at, r.agent_id, r.export_id, '', 'API', r.user_id, NULL::integer, r.code, `+
		text.refusal+`
		FROM api_exports x JOIN rejected_requests r ON r.export_id = x.id AND r.code IS NOT NULL
		WHERE x.account_id = ?::uuid`, accountID)
	q.inQuarters(out, `r.created_at`)
}

// inQuarters compares a time by the quarter of an hour that usage_rollups counts it in.
func (q Query) inQuarters(out *db.Statement, column string) {
	start := `date_bin('15 minutes', ` + column + `, 'epoch')`
	out.Add(` AND `+start+` >= ?::timestamptz AND `+start+` < ?::timestamptz`, q.Filter.From,
		q.Filter.To)
}
