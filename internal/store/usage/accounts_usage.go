package usage

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/credits"
	"agentchat/internal/store/internal/db"
)

// Dimension is a column by which the usage of all accounts is split.
type Dimension string

// The dimensions.
const (
	ByAccount Dimension = "account"
	ByAgent   Dimension = "agent"
	ByModel   Dimension = "model"
	ByDay     Dimension = "day"
)

// AccountsKey is one combination of the requested dimensions. The fields of other dimensions are
// nil. Day is the start of a UTC day.
type AccountsKey struct {
	Account *uuid.UUID `json:"account,omitzero"`
	Agent   *uuid.UUID `json:"agent,omitzero"`
	Model   *string    `json:"model,omitzero"`
	Day     *time.Time `json:"day,omitzero"`
}

// AccountsUsageRow is the usage of a key. Email is also nil for deleted accounts, AgentName for
// deleted agents.
type AccountsUsageRow struct {
	AccountsKey
	Email, AgentName                        *string
	Messages, Failed                        int64
	Credits                                 int64
	InputTokens, CachedTokens, OutputTokens int64
	// ProviderCost is the sum of the known costs at the providers, in nano-dollars. Uncosted counts the
	// answered and failed messages without a known cost.
	ProviderCost, Uncosted int64
}

// Cost returns the ProviderCost; nil if no message has a known cost.
func (r AccountsUsageRow) Cost() *int64 {
	if r.Uncosted == r.Messages+r.Failed {
		return nil
	}
	return &r.ProviderCost
}

// AccountsQuery describes a usage of several accounts.
type AccountsQuery struct {
	// Account is nil for all accounts.
	Account *uuid.UUID
	// From is inclusive, To exclusive.
	From, To time.Time
	// By are the dimensions of the rows, and their order.
	By []Dimension
	// After is the key of the last row before the page, with all dimensions of By; nil for the first.
	After *AccountsKey
	// Limit is the largest number of rows; 0 for all.
	Limit int
}

// AccountsUsage returns the usage of one account or of all, ordered by the dimensions. Days are UTC
// days. Without dimensions it returns one row. With dimensions it returns only rows that have
// answered or failed messages. It reads few rows for each day, agent, export and model. It counts
// the ends of the range within a quarter of an hour as UsageRows does. Faults: NotFound for an
// unknown account; Unavailable while the background is far behind.
func (s Store) AccountsUsage(ctx context.Context, q AccountsQuery) ([]AccountsUsageRow, error) {
	if err := s.catchUpWith(ctx, q.Account); err != nil {
		return nil, err
	}
	text := q.statement()
	return db.All[AccountsUsageRow](ctx, s.db, text.String(), text.Args()...)
}

// catchUpWith brings the usage of one account, or for nil of all, up to date.
func (s Store) catchUpWith(ctx context.Context, account *uuid.UUID) error {
	if account != nil {
		return s.catchUp(ctx, *account)
	}
	for {
		if n, err := s.RollUpCharges(ctx, 1, rollUpAccounts); err != nil || n < rollUpAccounts {
			return err
		}
	}
}

// statement sums up whole quarters of an hour from usage_rollups, and the ends from the ledger.
func (q AccountsQuery) statement() *db.Statement {
	var out db.Statement
	var inner, outer, group, order []string
	for _, dimension := range q.By {
		d := accountsDimensions[dimension]
		inner = append(inner, d.from+` AS `+d.column+`, `)
		outer = append(outer, d.result+`, `)
		group = append(group, d.from)
		order = append(order, `u.`+d.column)
	}
	out.Add(`SELECT ` + strings.Join(outer, ``) + `u.messages, u.failed, u.credits, u.input_tokens, u.cached_tokens,
			u.output_tokens, u.provider_cost, u.uncosted
		FROM (
			SELECT ` + strings.Join(inner, ``) + accountsSums + ` FROM (`)
	q.wholeQuarters(&out)
	q.ends(&out)
	out.Add(`) r WHERE (r.messages > 0 OR r.failed > 0)`) // a refused request uses nothing, and has no model
	q.after(&out, group)
	out.Add(clause(` GROUP BY `, group) + `) u` + clause(` ORDER BY `, order))
	if q.Limit > 0 {
		out.Add(` LIMIT ` + strconv.Itoa(q.Limit))
	}
	return &out
}

// accountsSums are the sums of the columns that wholeQuarters and ends have in common.
const accountsSums = `coalesce(sum(r.messages), 0)::bigint AS messages, coalesce(sum(r.failed), 0)::bigint AS failed,
	coalesce(sum(r.credits), 0)::bigint AS credits, coalesce(sum(r.input_tokens), 0)::bigint AS input_tokens,
	coalesce(sum(r.cached_tokens), 0)::bigint AS cached_tokens, coalesce(sum(r.output_tokens), 0)::bigint AS output_tokens,
	coalesce(sum(r.provider_cost), 0)::bigint AS provider_cost, coalesce(sum(r.uncosted), 0)::bigint AS uncosted`

// wholeQuarters adds the spans of the range, with the failed turns of a last quarter that the range
// has only in part.
func (q AccountsQuery) wholeQuarters(out *db.Statement) {
	var minutes []int
	var from, to []time.Time
	var charged []bool
	for _, s := range q.query().spans([]time.Time{q.From}) {
		minutes, from, to = append(minutes, int(s.length.Minutes())), append(from, s.from), append(to, s.to)
		charged = append(charged, s.charged)
	}
	out.Add(`SELECT o.id AS account_id, r.start, r.agent_id, r.model, r.messages, r.failed, r.credits, r.input_tokens,
				r.cached_tokens, r.output_tokens, r.provider_cost, r.uncosted
			FROM accounts o CROSS JOIN unnest(?::smallint[], ?::timestamptz[], ?::timestamptz[], ?::bool[])
				s(minutes, lo, hi, charged) CROSS JOIN LATERAL (
				SELECT * FROM usage_rollups r WHERE r.account_id = o.id AND r.minutes = s.minutes
					AND r.start >= s.lo AND r.start < s.hi OFFSET 0 -- by index, one by one
			) r WHERE (s.charged OR r.status <> 'answered')`, minutes, from, to, charged)
	q.ofAccount(out)
}

// ofAccount adds the condition on accounts AS o.
func (q AccountsQuery) ofAccount(out *db.Statement) {
	if q.Account != nil {
		out.Add(` AND o.id = ?::uuid`, *q.Account)
	}
}

// ends adds the charges of the ends of the range, of the accounts with usage in their quarters.
func (q AccountsQuery) ends(out *db.Statement) {
	var starts, from, to []time.Time
	for _, end := range q.query().ends() {
		starts, from, to = append(starts, end.from.Truncate(quarter)), append(from, end.from), append(to, end.to)
	}
	if len(starts) == 0 {
		return
	}
	out.Add(` UNION ALL SELECT o.id, span.start, coalesce(e.agent_id, `+noID+`), coalesce(t.model, ''), 1, 0, -e.amount,
				coalesce(t.input_tokens, 0), coalesce(t.cached_tokens, 0), coalesce(t.output_tokens, 0), `+costOfTurn+`
			FROM accounts o CROSS JOIN unnest(?::timestamptz[], ?::timestamptz[], ?::timestamptz[]) span(start, lo, hi)
				CROSS JOIN LATERAL (
				SELECT 1 FROM usage_rollups r WHERE r.account_id = o.id AND r.minutes = ?::smallint
					AND r.start = span.start LIMIT 1 -- by index, one by one
			) used CROSS JOIN LATERAL (
				SELECT * FROM credit_entries e WHERE e.account_id = o.id AND e.kind = 'CHARGE'
					AND e.number >= `+credits.NumberAt(`o.id`, `span.lo`)+`
					AND e.number < `+credits.NumberAt(`o.id`, `span.hi`)+`
					AND e.created_at >= span.lo AND e.created_at < span.hi OFFSET 0 -- so that each number is looked up once
			) e LEFT JOIN LATERAL (SELECT * FROM turns t WHERE t.id = e.turn_id LIMIT 1) t ON true
			WHERE true`,
		starts, from, to, int(quarter.Minutes()))
	q.ofAccount(out)
}

// after adds the condition that rows follow the key After. columns are those of By.
func (q AccountsQuery) after(out *db.Statement, columns []string) {
	if q.After == nil {
		return
	}
	out.Add(` AND (` + strings.Join(columns, `, `) + `) > (`)
	for i, dimension := range q.By {
		if i > 0 {
			out.Add(`, `)
		}
		switch dimension {
		case ByAccount:
			out.Add(`?::uuid`, *q.After.Account)
		case ByAgent:
			out.Add(`?::uuid`, *q.After.Agent)
		case ByModel:
			out.Add(`?::text`, *q.After.Model)
		case ByDay:
			out.Add(`?::timestamptz`, *q.After.Day)
		}
	}
	out.Add(`)`)
}

// query is the range as that of an account's usage.
func (q AccountsQuery) query() Query { return Query{Filter: Filter{From: q.From, To: q.To}} }

// clause returns a clause of a statement, or "" without items.
func clause(keyword string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return keyword + strings.Join(items, ", ")
}

// rollUpAccounts is the number of accounts that are brought up to date at a time before their usage
// is read.
const rollUpAccounts = 1_000

// accountsDimensions maps a dimension to its source, its column, and the columns of the result.
var accountsDimensions = map[Dimension]struct{ from, column, result string }{
	ByAccount: {`r.account_id`, `account`,
		`u.account, (SELECT owner.email FROM memberships m JOIN users owner ON owner.id = m.user_id
			WHERE m.account_id = u.account AND m.role = 'OWNER' ORDER BY m.created_at, owner.id
				LIMIT 1) AS email`},
	ByAgent: {`r.agent_id`, `agent`, `u.agent, (SELECT a.name FROM agents a
		WHERE a.id = u.agent) AS agent_name`},
	ByModel: {`r.model`, `model`, `u.model`},
	ByDay:   {`date_bin('1 day', r.start, 'epoch')`, `day`, `u.day`},
}
