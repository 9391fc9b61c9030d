package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
)

// exportListCmd is `agentchat export list`.
type exportListCmd struct {
	accountShowCmd
	Removed bool `help:"List removed exports as well."`
}

// Run lists the exports of an account.
func (c *exportListCmd) Run(ctx context.Context, out *output) error {
	return c.with(ctx, out, func(db *database, found accounts.Owned) error {
		var lines []string
		objects := []map[string]any{}
		query := exports.ExportQuery{First: store.MaxPage}
		for {
			page, err := exports.On(db.DB).ExportPage(ctx, found.ID, query)
			if err != nil {
				return err
			}
			for _, e := range page.Items {
				if e.State() == agent.ExportRemoved && !c.Removed {
					continue
				}
				lines, objects = append(lines, exportLine(e)), append(objects, exportObject(e))
			}
			if !page.HasNext || len(page.Items) == 0 {
				break
			}
			last := page.Items[len(page.Items)-1]
			query.After = &store.Cursor{ID: last.ID}
		}
		if len(lines) == 0 {
			lines = []string{"No exports."}
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"exports": objects})
	})
}

func exportLine(e agent.Export) string {
	return fmt.Sprintf("%s  %-7s  %s  agent %s  %s", e.ID, strings.ToLower(string(e.State())),
		e.CreatedAt.UTC().Format(time.DateOnly),
		e.AgentID, e.Name)
}

// exportObject is an export under --json.
func exportObject(e agent.Export) map[string]any {
	return map[string]any{
		"id":                    e.ID,
		"account_id":            e.AccountID,
		"agent_id":              e.AgentID,
		"name":                  e.Name,
		"state":                 e.State(),
		"rate_limit_per_minute": e.RatePerMinute,
		"version":               e.Version,
		"expires_at":            e.ExpiresAt,
		"created_at":            e.CreatedAt.UTC(),
	}
}

// exportRef holds the flags of the commands on one export.
type exportRef struct {
	databaseSettings
	actingOperator
	ID string `name:"id" required:"" placeholder:"ID" help:"The export's ID, as export list prints it."`
}

// with runs a command's work on the export and prints the result.
func (c *exportRef) with(ctx context.Context, out *output, command, says string,
	work func(ctx context.Context, db *database, owner, id uuid.UUID) (agent.Export, error),
) error {
	id, err := parseID(c.ID)
	if err != nil {
		return err
	}
	if ctx, err = c.acting(ctx, command); err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		owner, err := operator.On(db.DB).OwnerOfExport(ctx, id)
		if err == nil {
			var changed agent.Export
			if changed, err = work(ctx, db, owner, id); err == nil {
				return out.result(fmt.Sprintf("The export “%s” %s.", changed.Name, says), exportObject(changed))
			}
		}
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no export "+c.ID+".")
		}
		return err
	})
}

// exportPauseCmd is `agentchat export pause`.
type exportPauseCmd struct{ exportRef }

// Run pauses the export.
func (c *exportPauseCmd) Run(ctx context.Context, out *output) error {
	const says = "is paused: its callers get export_paused"
	return c.with(ctx, out, "export pause", says,
		func(ctx context.Context, db *database, owner, id uuid.UUID) (agent.Export, error) {
			return exports.On(db.DB).PauseExport(ctx, owner, id, true)
		})
}

// exportResumeCmd is `agentchat export resume`.
type exportResumeCmd struct{ exportRef }

// Run resumes the export.
func (c *exportResumeCmd) Run(ctx context.Context, out *output) error {
	const says = "answers again"
	return c.with(ctx, out, "export resume", says,
		func(ctx context.Context, db *database, owner, id uuid.UUID) (agent.Export, error) {
			return exports.On(db.DB).PauseExport(ctx, owner, id, false)
		})
}

// exportRemoveCmd is `agentchat export remove`.
type exportRemoveCmd struct {
	exportRef
	Yes bool `help:"Remove without asking."`
}

// Run removes the export.
func (c *exportRemoveCmd) Run(ctx context.Context, p *process, out *output) error {
	const says = "is removed: its key no longer works"
	return c.with(ctx, out, "export remove", says,
		func(ctx context.Context, db *database, owner, id uuid.UUID) (agent.Export, error) {
			if err := confirm(p, c.Yes, "Remove the export "+c.ID+"?"); err != nil {
				return agent.Export{}, err
			}
			return exports.On(db.DB).RemoveExport(ctx, owner, id)
		})
}
