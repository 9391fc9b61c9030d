package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
)

// quarter is the time of a row of usage_quarters.
const quarter = 15 * time.Minute

// usageText is one of the two statements of a usage: the columns of its rows, and where they come from.
type usageText struct {
	// rolledUp are the columns in table, charge and failure those of a charge of the ledger and of a failed turn, and refusal those of a
	// refused call; without the last two there are none.
	table, rolledUp, charge, failure, refusal string
	// sums are the columns of the result, and groupBy what it is grouped by beside the key.
	sums, groupBy string
}

var (
	totalsOfUsage = usageText{
		table:    `usage_quarters`,
		rolledUp: `q.status, q.messages, q.failed, q.refused, q.credits, q.input_tokens, q.output_tokens`,
		charge:   `1, 0, 0, -e.amount, coalesce(t.input_tokens, 0), coalesce(t.output_tokens, 0)`,
		failure:  `0, 1, 0, 0, 0, 0`,
		refusal:  `0, 0, 1, 0, 0, 0`,
		sums: `sum(u.messages)::bigint AS messages, sum(u.failed)::bigint AS failed, sum(u.refused)::bigint AS refused,
			sum(u.credits)::bigint AS credits, sum(u.input_tokens)::bigint AS input_tokens, sum(u.output_tokens)::bigint AS output_tokens`,
	}
	latenciesOfUsage = usageText{
		table:    `usage_latencies`,
		rolledUp: `'answered', q.bucket, q.durations, q.first_texts`,
		charge:   `b.bucket, b.durations, b.first_texts`,
		sums:     `u.bucket, sum(u.durations)::bigint AS durations, sum(u.first_texts)::bigint AS first_texts`,
		groupBy:  `, u.bucket`,
	}
)

// noID is how usage_quarters says that there is no agent or no export.
const noID = `'00000000-0000-0000-0000-000000000000'::uuid`

// usageDimensions are what a usage can be split by: a column of credit.UsageKey, and its value when it is not split by it.
var usageDimensions = []struct {
	by                  credit.Dimension
	column, known, none string
}{
	{credit.ByAgent, "agent_id", `nullif(u.agent_id, ` + noID + `)`, `NULL::uuid`},
	{credit.ByExport, "export_id", `nullif(u.export_id, ` + noID + `)`, `NULL::uuid`},
	{credit.ByModel, "model", `nullif(u.model, '')`, `NULL::text`},
	{credit.BySource, "source", `nullif(u.source, '')`, `NULL::text`},
	{credit.ByUser, "user_id", `u.user_id`, `NULL::text`},
	{credit.ByStatus, "status", `u.status`, `NULL::text`},
}

// statement sums up what the parts of a usage have for each interval and key.
func (q Usage) statement(accountID uuid.UUID, starts []time.Time, charges []chargeRange, text usageText) *statement {
	var out statement
	group := []string{"1"}
	out.add(`SELECT width_bucket(u.at, ?::timestamptz[]) AS point, `, starts)
	for _, d := range usageDimensions {
		if slices.Contains(q.SplitBy, d.by) {
			out.add(d.known + ` AS ` + d.column + `, `)
			group = append(group, "u."+d.column)
		} else {
			out.add(d.none + ` AS ` + d.column + `, `)
		}
	}
	columns := `at, agent_id, export_id, model, source, user_id, status, messages, failed, refused, credits, input_tokens, output_tokens`
	if text.groupBy != "" {
		columns = `at, agent_id, export_id, model, source, user_id, status, bucket, durations, first_texts`
	}
	out.add(text.sums + ` FROM (`)
	q.rolledUp(&out, accountID, text)
	for _, r := range charges {
		out.add(` UNION ALL `)
		q.charges(&out, accountID, r, text)
	}
	if q.byUser() && text.failure != "" {
		out.add(` UNION ALL `)
		q.failures(&out, accountID, text)
		out.add(` UNION ALL `)
		q.refusals(&out, accountID, text)
	}
	out.add(`) u(` + columns + `) WHERE true`)
	q.Filter.conditions(&out)
	out.add(` GROUP BY ` + strings.Join(group, ", ") + text.groupBy + ` ORDER BY 1`)
	return &out
}

func (f UsageFilter) conditions(out *statement) {
	if f.AgentID != nil {
		out.add(` AND u.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		out.add(` AND u.export_id = ?::uuid`, *f.ExportID)
	}
	if f.Model != "" {
		out.add(` AND u.model = ?::text`, f.Model)
	}
	if f.Source != "" {
		out.add(` AND u.source = ?::text`, string(f.Source))
	}
	if f.UserID != nil {
		out.add(` AND u.user_id = ?::text`, *f.UserID)
	}
}

// rolledUp adds the whole quarters of the range; of the last one that has begun, only what is no charge. With end users it has nothing.
func (q Usage) rolledUp(out *statement, accountID uuid.UUID, text usageText) {
	first, last := q.wholeQuarters()
	out.add(`SELECT q.start, q.agent_id, q.export_id, q.model, q.source, NULL::text, `+text.rolledUp+` FROM `+text.table+` q
		WHERE q.account_id = ?::uuid AND q.start >= ?::timestamptz AND q.start < ?::timestamptz`, accountID, first, q.Filter.To)
	if text.failure == "" {
		out.add(` AND q.start < ?::timestamptz`, last)
	} else {
		out.add(` AND (q.start < ?::timestamptz OR q.status <> 'answered')`, last)
	}
	if q.byUser() {
		out.add(` AND false`)
	}
}

// wholeQuarters are the start of the first quarter of an hour that lies in the range, and the end of the last.
func (q Usage) wholeQuarters() (first, last time.Time) {
	first, last = q.Filter.From.Truncate(quarter), q.Filter.To.Truncate(quarter)
	if first.Before(q.Filter.From) {
		first = first.Add(quarter)
	}
	return first, last
}

// chargeRange is a range of the ledger by time, with the numbers of its entries: from inclusive, to exclusive.
type chargeRange struct {
	from, to      time.Time
	first, behind int64
}

// chargeRanges are the parts of the range whose charges are read from the ledger: what is not a whole quarter or, with end users, all.
func (s *Store) chargeRanges(ctx context.Context, accountID uuid.UUID, q Usage) ([]chargeRange, error) {
	first, last := q.wholeQuarters()
	ranges := []chargeRange{{from: q.Filter.From, to: first}, {from: last, to: q.Filter.To}}
	if q.byUser() || first.After(q.Filter.To) {
		ranges = []chargeRange{{from: q.Filter.From, to: q.Filter.To}}
	}
	var out []chargeRange
	for _, r := range ranges {
		if !r.from.Before(r.to) {
			continue
		}
		var text statement
		text.bounds(accountID, CreditFilter{From: &r.from, To: &r.to})
		text.add(` SELECT (SELECT max(lo) FROM low) AS first, (SELECT max(lo) FROM high) AS behind`)
		n, err := one[struct{ First, Behind int64 }](ctx, s, text.text.String(), text.args...)
		if err != nil {
			return nil, err
		}
		r.first, r.behind = n.First, n.Behind
		out = append(out, r)
	}
	return out, nil
}

// charges adds a range of the ledger; of one end user, the charges of the conversations.
func (q Usage) charges(out *statement, accountID uuid.UUID, r chargeRange, text usageText) {
	out.add(`SELECT e.created_at, coalesce(e.agent_id, ` + noID + `), coalesce(e.export_id, ` + noID + `), coalesce(t.model, ''),
		coalesce(t.source, ''), CASE WHEN c.deleted_at IS NULL THEN c.user_id END, 'answered', ` + text.charge)
	user := q.Filter.UserID
	if user != nil {
		out.add(` FROM conversations c JOIN turns t ON t.conversation_id = c.id JOIN credit_entries e ON e.turn_id = t.id`)
	} else {
		out.add(` FROM credit_entries e LEFT JOIN turns t ON t.id = e.turn_id LEFT JOIN conversations c ON c.id = t.conversation_id`)
	}
	if text.failure == "" {
		out.add(` CROSS JOIN LATERAL (VALUES (latency_bucket_1(` + turnDuration + `), 1, 0), (latency_bucket_1(t.first_text_ms), 0, 1))
			b(bucket, durations, first_texts)`)
	}
	out.add(` WHERE e.account_id = ?::uuid AND e.kind = 'CHARGE' AND e.number >= ?::bigint AND e.number < ?::bigint
		AND e.created_at >= ?::timestamptz AND e.created_at < ?::timestamptz`, accountID, r.first, r.behind, r.from, r.to)
	if user != nil {
		out.add(` AND c.account_id = ?::uuid AND c.user_id = ?::text AND c.deleted_at IS NULL`, accountID, *user)
	}
	if text.failure == "" {
		out.add(` AND b.bucket IS NOT NULL`)
	}
}

// failures adds the failed turns of conversations with an end user, and of those without.
func (q Usage) failures(out *statement, accountID uuid.UUID, text usageText) {
	out.add(`SELECT t.created_at, t.agent_id, coalesce(t.export_id, `+noID+`), t.model, t.source,
		CASE WHEN c.deleted_at IS NULL THEN c.user_id END, t.error_code, `+text.failure+`
		FROM agents a CROSS JOIN (VALUES ('API'), ('PLAYGROUND')) s(source)
		JOIN conversations c ON c.agent_id = a.id AND c.source = s.source AND c.failed_turns > 0 AND c.deleted_at IS NULL
		JOIN turns t ON t.conversation_id = c.id AND t.state = 'FAILED' AND t.counted
		WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL`, accountID)
	q.inQuarters(out, `t.created_at`)
}

// refusals adds the refused calls that are still recorded.
func (q Usage) refusals(out *statement, accountID uuid.UUID, text usageText) {
	out.add(`SELECT r.created_at, r.agent_id, r.export_id, '', 'API', r.user_id, r.code, `+text.refusal+`
		FROM api_exports x JOIN recorded_calls r ON r.export_id = x.id AND r.code IS NOT NULL
		WHERE x.account_id = ?::uuid`, accountID)
	q.inQuarters(out, `r.created_at`)
}

// inQuarters compares a time as usage_quarters would.
func (q Usage) inQuarters(out *statement, column string) {
	out.add(` AND date_bin('15 minutes', `+column+`, 'epoch') >= ?::timestamptz AND date_bin('15 minutes', `+column+`, 'epoch') < ?::timestamptz`,
		q.Filter.From, q.Filter.To)
}
