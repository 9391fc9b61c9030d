package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
)

// ExportQuery says which exports a page shows.
type ExportQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the newest.
	After *Cursor
	// AgentID is the agent; nil finds those of all agents.
	AgentID *uuid.UUID
	// State is the state; empty finds both.
	State agent.ExportState
}

// ExportPage returns a page of an account's exports, removed ones too, the newest first, in one statement. Fault: InvalidInput
// on first, before any statement.
func (s *Store) ExportPage(ctx context.Context, accountID uuid.UUID, q ExportQuery) (Page[agent.Export], error) {
	if _, err := PageSize(&q.First); err != nil {
		return Page[agent.Export]{}, err
	}
	text := exportStatement(accountID, q)
	items, err := query(ctx, s.pool, scanExport, text.text.String(), text.args...)
	if err != nil {
		return Page[agent.Export]{}, err
	}
	return cut(items, q.First), nil
}

func exportStatement(accountID uuid.UUID, q ExportQuery) *statement {
	var out statement
	out.page(`id DESC`, q.First, func() {
		out.add(`SELECT ` + exportColumns + ` FROM api_exports e WHERE`)
		if q.AgentID != nil { // the agent's index alone: the planner may not go through the account's for it
			out.add(` e.agent_id = (SELECT a.id FROM agents a WHERE a.id = ?::uuid AND a.account_id = ?::uuid AND a.deleted_at IS NULL)`,
				*q.AgentID, accountID)
		} else {
			out.add(` e.account_id = ?::uuid AND`+ofLiveAgent, accountID)
		}
		switch q.State {
		case agent.ExportActive:
			out.add(` AND e.removed_at IS NULL`)
		case agent.ExportRemoved:
			out.add(` AND e.removed_at IS NOT NULL`)
		}
		if q.After != nil {
			out.add(` AND e.id < ?::uuid`, q.After.ID)
		}
	})
	return &out
}

// ExportsByIDs returns those of the exports that are the account's, removed or not.
func (s *Store) ExportsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]agent.Export, error) {
	rows, err := query(ctx, s.pool, scanExport, `
		SELECT `+exportColumns+` FROM api_exports e WHERE e.account_id = $1 AND e.id = ANY($2::uuid[]) AND`+ofLiveAgent,
		accountID, texts(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]agent.Export, len(rows))
	for _, e := range rows {
		out[e.ID] = e
	}
	return out, nil
}
