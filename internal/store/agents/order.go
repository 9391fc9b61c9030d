package agents

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/credit"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/usage"
)

// The fields by which agents are ordered.
const (
	ByCreated      = db.Created
	ByName         = "NAME"
	ByLastUsed     = "LAST_USED"
	ByMessages24H  = "MESSAGES_24H"
	BySuccess24H   = "SUCCESS_24H"
	ByCreditsMonth = "CREDITS_MONTH"
)

// orderedPage returns the page of the agents that match a filter in the order of the query.
func (s Store) orderedPage(
	ctx context.Context, accountID uuid.UUID, q AgentQuery, last *db.Ranked, filter string, args []any,
) (db.Page[agent.Agent], error) {
	rows, err := s.rankedAgents(ctx, accountID, q.Order.Field, filter, args)
	if err != nil {
		return db.Page[agent.Agent]{}, err
	}
	total := len(rows)
	out, err := db.OrderedPage(*q.Order, rows, q.First, last,
		func(ids []uuid.UUID) (map[uuid.UUID]agent.Agent, error) {
			return s.AgentsByIDs(ctx, accountID, ids)
		})
	if q.Count {
		out.Total = total
	}
	return out, err
}

// rankedAgents returns the agents that match a filter, with the values of a field.
func (s Store) rankedAgents(
	ctx context.Context, accountID uuid.UUID, field, filter string, args []any,
) ([]db.Ranked, error) {
	used, err := s.used(ctx, accountID, field)
	if err != nil {
		return nil, err
	}
	lastUsed := `NULL::timestamptz`
	if field == ByLastUsed {
		lastUsed = `(SELECT max(k.last_used_at) FROM api_exports e JOIN api_keys k ON k.export_id = e.id
			WHERE e.agent_id = a.id)`
	}
	type row struct {
		ID     uuid.UUID
		Name   string
		UsedAt *time.Time
	}
	found, err := db.All[row](ctx, s.db, `SELECT a.id, a.name, `+lastUsed+` AS used_at FROM agents a
		WHERE a.account_id = $1 AND a.deleted_at IS NULL `+filter, append([]any{accountID}, args...)...)
	return db.Mapped(found, func(a row) db.Ranked {
		out, total := db.Ranked{ID: a.ID}, used[a.ID]
		switch field {
		case ByName:
			out.Text = find.New(a.Name).Key()
		case ByLastUsed:
			out.Value = db.Micros(a.UsedAt)
		case ByMessages24H:
			out.Value = new(total.Messages + total.Failed)
		case BySuccess24H:
			out.Value = success(total)
		case ByCreditsMonth:
			out.Value = &total.Credits
		}
		return out
	}), err
}

// used returns the use of the account's agents in the time of a field; nil for a field without.
func (s Store) used(ctx context.Context, accountID uuid.UUID, field string,
) (map[uuid.UUID]credit.UsageRow, error) {
	switch field {
	case ByMessages24H, BySuccess24H:
		return usage.On(s.db).Totals(ctx, accountID, credit.ByAgent, time.Now().Add(-24*time.Hour))
	case ByCreditsMonth:
		now, err := db.CurrentPeriods(ctx, s.db)
		if err != nil {
			return nil, err
		}
		return usage.On(s.db).Totals(ctx, accountID, credit.ByAgent, now.ThisMonth)
	}
	return nil, nil
}

// success returns the share of the answered messages, in billionths; nil without messages.
func success(u credit.UsageRow) *int64 {
	if u.Messages+u.Failed == 0 {
		return nil
	}
	return new(int64(float64(u.Messages) / float64(u.Messages+u.Failed) * 1e9))
}
