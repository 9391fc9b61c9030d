package versions

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// ImportBatch is the amount of source text, in bytes, that ImportAgent collects before it writes.
const ImportBatch = 256 << 10

// ImportAgent creates the draft that agent.New described and adds sources to it, all of them or
// none. All sources have the same creator. Chats of the account do not wait, because the account's
// limits are checked last. Faults: those of CreateAgent and AddKnowledge, and an error of the
// sequence. After a fault no more sources are read.
func (s Store) ImportAgent(
	ctx context.Context, accountID uuid.UUID, in agent.Agent,
	sources iter.Seq2[sources.NewKnowledge, error],
) (agent.Agent, error) {
	return s.insertWhole(ctx, accountID, in,
		func(tx *db.DB, out agent.Agent) error { return On(tx).importSources(ctx, out, sources) })
}

// insertWhole creates an agent and runs addSources in the same transaction. Faults: those of
// CreateAgent and of addSources; Conflict for an exceeded limit of the account.
func (s Store) insertWhole(
	ctx context.Context, accountID uuid.UUID, in agent.Agent,
	addSources func(tx *db.DB, out agent.Agent) error,
) (out agent.Agent, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		out, err = agents.On(tx).InsertAgent(ctx, accountID, in)
		if err == nil {
			err = addSources(tx, out)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
		}
		if err == nil {
			err = agents.On(tx).CheckAgents(ctx, accountID, 0)
		}
		if err == nil {
			err = sources.On(tx).CheckAccountsPassages(ctx, accountID)
		}
		if err == nil {
			out, err = sources.On(tx).MarkKnowledgeChanged(ctx, out.ID)
		}
		return err
	})
	if err != nil {
		return agent.Agent{}, err
	}
	return out, nil
}

// importSources adds sources to an agent that other transactions cannot see yet, so its totals are
// known without a query.
func (s Store) importSources(
	ctx context.Context, a agent.Agent, sourceSeq iter.Seq2[sources.NewKnowledge, error],
) error {
	var used knowledge.Use
	names := map[string]string{} // by hash
	var batch []*sources.AddedSource
	held := 0
	for in, err := range sourceSeq {
		if err != nil {
			return err
		}
		add := sources.NewSource(a.AccountID, a.ID, in)
		if name, had := names[string(add.Hash)]; had {
			return sources.AlreadyKnown(name)
		}
		more := add.Use()
		if err := used.Room(more); err != nil {
			return err
		}
		names[string(add.Hash)] = in.Name
		used = knowledge.Use{Sources: used.Sources + more.Sources,
			Passages: used.Passages + more.Passages, Bytes: used.Bytes + more.Bytes}
		batch, held = append(batch, add), held+len(in.Text)
		if held >= ImportBatch {
			if err := sources.On(s.db).InsertSources(ctx, batch, sources.NextVersion(a)); err != nil {
				return err
			}
			batch, held = nil, 0
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return sources.On(s.db).InsertSources(ctx, batch, sources.NextVersion(a))
}
