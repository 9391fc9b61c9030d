package store_test

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

func newExport(agentID uuid.UUID) agent.Export {
	return agent.Export{AgentID: agentID, Name: "Export", RatePerMinute: 600}
}

// exportByID reads one export, removed or not. Fault: NotFound.
func exportByID(ctx context.Context, s *store.Store, accountID, id uuid.UUID) (agent.Export, error) {
	found, err := s.ExportsByIDs(ctx, accountID, []uuid.UUID{id})
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, nil)
	}
	return found[id], err
}
