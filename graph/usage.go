package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/credit"
	"agentchat/internal/store/usage"
)

// usageLatencies are the fields of a usage row that need its histograms.
var usageLatencies = map[string]bool{
	"durationP50Ms":  true,
	"durationP95Ms":  true,
	"firstTextP50Ms": true,
}

func (r *Resolver) usage(
	ctx context.Context,
	obj *account.Account,
	filter model.UsageFilter,
	groupBy []credit.Dimension,
	interval *credit.Interval,
	timeZone *string,
) ([]*credit.UsageRow, error) {
	zone, err := credit.ParseZone(deref(timeZone))
	if err != nil {
		return nil, err
	}
	rows, err := usage.On(r.store).UsageRows(ctx, obj.ID, usage.Query{
		Filter: usage.Filter{
			From:     filter.From,
			To:       filter.To,
			AgentID:  filter.AgentID.Value(),
			ExportID: filter.ExportID.Value(),
			Model:    deref(filter.Model.Value()),
			Source:   deref(filter.Source.Value()),
			UserID:   filter.UserID.Value(),
		},
		SplitBy:   groupBy,
		Interval:  deref(interval),
		Zone:      zone,
		Latencies: selects(ctx, usageLatencies),
	})
	if err != nil {
		return nil, err
	}
	loadersOf(ctx).batchUsage(rows)
	return pointers(rows), nil
}

func (l *loaders) batchUsage(rows []credit.UsageRow) {
	agents := collect(rows, func(r credit.UsageRow) *uuid.UUID { return r.AgentID })
	exports := collect(rows, func(r credit.UsageRow) *uuid.UUID { return r.ExportID })
	l.batchAgents(agents)
	l.chargedAgents.batch(agents)
	l.exportsByID.batch(exports)
	l.chargedExports.batch(exports)
}

// nameOr returns the current name of an agent or export or, once it is deleted, the name at the
// last charge; nil without one.
func nameOr[T any](
	ctx context.Context,
	live *loader[T],
	name func(T) string,
	charged *loader[string],
	id *uuid.UUID,
) (*string, error) {
	switch found, err := optional(ctx, live, id); {
	case err != nil:
		return nil, err
	case found != nil:
		return textOrNull(name(*found)), nil
	}
	return optional(ctx, charged, id)
}

func agentName(a agent.Agent) string { return a.Name }

func exportName(e agent.Export) string { return e.Name }
