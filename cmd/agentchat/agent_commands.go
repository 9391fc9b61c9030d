package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/sources"
)

// agentExportCmd is `agentchat agent export`.
type agentExportCmd struct {
	databaseSettings
	ID string `name:"id" required:"" placeholder:"ID" help:"The agent's ID, as in the panel's address."`
}

// Run prints the agent's draft as a file for agent import.
func (c *agentExportCmd) Run(ctx context.Context, out *output) error {
	id, err := parseID(c.ID)
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		owner, err := operator.On(db.DB).OwnerOfAgent(ctx, id)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no agent "+c.ID+".")
		}
		if err != nil {
			return err
		}
		found, err := agents.On(db.DB).Agent(ctx, owner, id)
		if err != nil {
			return err
		}
		head := agentfile.HeadOf(found)
		if err := out.result(head.Text(true), head); err != nil {
			return err
		}
		return exportSources(ctx, db, found, out)
	})
}

// exportSources prints the knowledge sources of an agent's draft, one per line, the oldest first.
// It reports sources without text on standard error.
func exportSources(ctx context.Context, db *database, a agent.Agent, out *output) error {
	sourceList, err := draftSources(ctx, db, a)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out.stdout)
	encoder.SetEscapeHTML(false)
	for batch := range slices.Chunk(sourceList, store.MaxPage) {
		ids := make([]uuid.UUID, len(batch))
		for i, source := range batch {
			ids[i] = source.ID
		}
		texts, err := sources.On(db.DB).KnowledgeTexts(ctx, a.AccountID, ids, 0, knowledge.MaxCharacters)
		if err != nil {
			return fmt.Errorf("the export is not complete: %w", err)
		}
		for _, source := range batch {
			text, found := texts[source.ID]
			switch {
			case source.State != knowledge.Ready:
				out.note(fmt.Sprintf("“%s” is left out, because it has not been read", source.Name))
			case found: // not deleted meanwhile
				err = encoder.Encode(agentfile.Source{
					Kind:      source.Kind,
					Name:      source.Name,
					Questions: source.Questions,
					Pages:     source.Pages,
					Text:      text,
				})
			}
			if err != nil {
				return fmt.Errorf("cannot write to standard output: %w", err)
			}
		}
	}
	return nil
}

// draftSources returns the sources of an agent's draft, the oldest first.
func draftSources(
	ctx context.Context, db *database, a agent.Agent,
) (out []knowledge.Source, err error) {
	for after, more := (*store.Cursor)(nil), true; more; {
		pages, err := sources.On(db.DB).KnowledgeByAgents(ctx, a.AccountID, []uuid.UUID{a.ID},
			store.MaxPage, after)
		if err != nil {
			return nil, err
		}
		page := pages[a.ID]
		for _, source := range page.Items {
			if source.InDraft {
				out = append(out, source)
			}
			after = new(sources.KnowledgePlace(source))
		}
		more = page.HasNext
	}
	slices.Reverse(out)
	return out, nil
}
