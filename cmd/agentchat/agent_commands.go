package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/versions"
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

// agentImportCmd is `agentchat agent import`.
type agentImportCmd struct {
	accountShowCmd
	actingOperator
	knowledgeSettings
	File string `arg:"" help:"A file that agent export printed; - for standard input."`
}

// Run creates an agent of the account from the file, with its knowledge, as a draft.
func (c *agentImportCmd) Run(ctx context.Context, p *process, out *output) error {
	ctx, err := c.acting(ctx, "agent import")
	if err != nil {
		return err
	}
	content, err := c.read(p.stdin)
	if err != nil {
		return err
	}
	in, file, err := agentfile.Read(content)
	if err != nil {
		return err
	}
	c.knowledgePassages = c.KnowledgePassages
	return c.with(ctx, out, func(db *database, owner accounts.Owned) error {
		unbounded := func(int64) error { return nil }
		created, err := versions.On(db.DB).ImportAgent(ctx, owner.ID, in, file.Sources(nil, unbounded))
		if err != nil {
			return file.OnLine(err)
		}
		text := fmt.Sprintf("The agent “%s” is a draft of %s. Its ID is %s.", created.Name, owner.Email,
			created.ID)
		if file.Known > 0 {
			text = strings.TrimSuffix(text, ".") + fmt.Sprintf("; it knows %d sources.", file.Known)
		}
		return out.result(text, map[string]any{
			"id":         created.ID,
			"name":       created.Name,
			"account_id": owner.ID,
			"sources":    file.Known,
		})
	})
}

// maxAgentFile is the largest file of an agent, in bytes. The largest agent fits, with line feeds
// and quotes escaped.
const maxAgentFile = 128 << 20

func (c *agentImportCmd) read(stdin io.Reader) ([]byte, error) {
	from, name := stdin, "standard input"
	if c.File != "-" {
		name = c.File
		opened, err := os.Open(filepath.Clean(name))
		if err != nil {
			return nil, usagef("%s cannot be read: %v", name, plainFileError(err))
		}
		defer func() { _ = opened.Close() }()
		from = opened
	}
	content, err := io.ReadAll(io.LimitReader(from, maxAgentFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, plainFileError(err))
	}
	if len(content) > maxAgentFile {
		return nil, usagef("%s is longer than 128 MiB", name)
	}
	return content, nil
}
