package usage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
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

// AccountsUsageRow is the usage of one combination of the requested dimensions. The fields of other
// dimensions are nil. Email is also nil for deleted accounts.
type AccountsUsageRow struct {
	Account, Agent            *uuid.UUID
	Email, AgentName, Model   *string
	Day                       *time.Time
	Messages, Failed          int64
	Credits                   int64
	InputTokens, OutputTokens int64
}

// AccountsUsage returns the usage of one account, or for nil of all, from one moment (inclusive) to
// another (exclusive), ordered by the dimensions. Days are UTC days. Without dimensions it returns
// one row. With dimensions it returns only rows that have answered or failed messages. It reads few
// rows for each day, agent, export and model. It counts the ends of the range within a quarter of
// an hour as UsageRows does. Faults: NotFound for an unknown account; Unavailable while the
// background is far behind.
func (s Store) AccountsUsage(
	ctx context.Context, account *uuid.UUID, from, to time.Time, by []Dimension,
) ([]AccountsUsageRow, error) {
	q := Query{Filter: Filter{From: from, To: to}}
	ends, err := "", s.catchUpWith(ctx, account)
	if err == nil {
		ends, err = s.accountsUsageAtEnds(ctx, account, q)
	}
	if err != nil {
		return nil, err
	}
	var minutes []int
	var starts, behind []time.Time
	for _, span := range spansBetween(q.wholeQuarters()) {
		minutes, starts, behind = append(minutes, int(span.length.Minutes())), append(starts, span.from),
			append(behind, span.to)
	}
	var inner, outer, group, order []string
	for _, dimension := range by {
		d := accountsDimensions[dimension]
		inner = append(inner, d.from+` AS `+d.column+`, `)
		outer = append(outer, d.result+`, `)
		group = append(group, d.from)
		order = append(order, `u.`+d.column)
	}
	return db.All[AccountsUsageRow](ctx, s.db, `
		SELECT `+strings.Join(outer, ``)+`u.messages, u.failed, u.credits, u.input_tokens, u.output_tokens
			FROM (
			SELECT `+strings.Join(inner, ``)+`
				coalesce(sum(r.messages), 0)::bigint AS messages, coalesce(sum(r.failed), 0)::bigint AS failed,
				coalesce(sum(r.credits), 0)::bigint AS credits, coalesce(sum(r.input_tokens), 0)::bigint AS input_tokens,
				coalesce(sum(r.output_tokens), 0)::bigint AS output_tokens
			FROM (
				SELECT r.account_id, r.start, r.agent_id, r.model, r.messages, r.failed, r.credits,
					r.input_tokens, r.output_tokens
				FROM usage_rollups r
					JOIN unnest($1::smallint[], $2::timestamptz[], $3::timestamptz[]) s(minutes, lo, hi)
					ON r.minutes = s.minutes AND r.start >= s.lo AND r.start < s.hi
				WHERE $5::uuid IS NULL OR r.account_id = $5
				UNION ALL SELECT * FROM jsonb_to_recordset($4::jsonb) e(account_id uuid, start timestamptz,
					agent_id uuid, model text,
					messages bigint, failed bigint, credits bigint, input_tokens bigint, output_tokens bigint)
			) r WHERE r.messages > 0 OR r.failed > 0 -- a refused request uses nothing, and has no model
			`+clause(` GROUP BY `, group)+`
		) u`+clause(` ORDER BY `, order), minutes, starts, behind, ends, account)
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

// accountsUsageAtEnds returns rows like those of usage_rollups, as JSON, for the ends of a range
// that are not whole quarters of an hour.
func (s Store) accountsUsageAtEnds(
	ctx context.Context, account *uuid.UUID, q Query,
) (string, error) {
	type row struct {
		AccountID    uuid.UUID `json:"account_id"`
		Start        time.Time `json:"start"`
		AgentID      uuid.UUID `json:"agent_id"`
		Model        string    `json:"model"`
		Messages     int64     `json:"messages"`
		Failed       int64     `json:"failed"`
		Credits      int64     `json:"credits"`
		InputTokens  int64     `json:"input_tokens"`
		OutputTokens int64     `json:"output_tokens"`
	}
	rows := []row{}
	for _, end := range q.ends() {
		start := end.from.Truncate(quarter)
		accounts, err := db.All[uuid.UUID](ctx, s.db, `SELECT DISTINCT account_id FROM usage_rollups
			WHERE minutes = $1 AND start = $2 AND ($3::uuid IS NULL OR account_id = $3)`,
			int(quarter.Minutes()), start, account)
		if err != nil {
			return "", err
		}
		for _, account := range accounts {
			used, err := s.UsageRows(ctx, account, Query{Filter: Filter{From: end.from, To: end.to},
				SplitBy: []credit.Dimension{credit.ByAgent, credit.ByModel}})
			if err != nil {
				return "", err
			}
			for _, u := range used {
				r := row{AccountID: account, Start: start, Messages: u.Messages, Failed: u.Failed,
					Credits:     u.Credits,
					InputTokens: u.InputTokens, OutputTokens: u.OutputTokens}
				if u.AgentID != nil {
					r.AgentID = *u.AgentID
				}
				if u.Model != nil {
					r.Model = *u.Model
				}
				rows = append(rows, r)
			}
		}
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

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
