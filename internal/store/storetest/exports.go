package storetest

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/exports"
)

// NewExport returns an export to create.
func NewExport(agentID uuid.UUID) agent.Export {
	return agent.Export{AgentID: agentID, Name: "Export", RatePerMinute: 600}
}

// ExportByID reads one export, removed or not. Fault: NotFound.
func ExportByID(ctx context.Context, s *store.DB, accountID, id uuid.UUID) (agent.Export, error) {
	found, err := exports.On(s).ExportsByIDs(ctx, accountID, []uuid.UUID{id})
	if err == nil && len(found) == 0 {
		err = fault.Wrap(fault.NotFound, nil)
	}
	return found[id], err
}
