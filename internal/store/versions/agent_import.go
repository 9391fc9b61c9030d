package versions

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// StepBytes is the amount of source text, in bytes, that one transaction adds to a hidden agent; a
// single source can have more. On a slow machine it takes about a second. The deletion of the account
// waits for the transaction, at most 3 s.
const StepBytes = 256 << 10

// ImportAgent creates the draft that agent.New described and adds sources to it, all of them or
// none. All sources have the same creator. Chats of the account do not wait, because the account's
// limits are checked last. Faults: those of CreateAgent and AddKnowledge, and an error of the
// sequence. After a fault no more sources are read.
func (s Store) ImportAgent(
	ctx context.Context, accountID uuid.UUID, in agent.Agent,
	sources iter.Seq2[sources.NewKnowledge, error],
) (agent.Agent, error) {
	return s.insertWhole(ctx, accountID, in, func(ctx context.Context, out agent.Agent) error {
		return s.importSources(ctx, out, sources)
	})
}

const (
	// fillWithin is the longest time for filling an agent.
	fillWithin = 10 * time.Minute
	// hiddenFor is the time after which an agent that is still hidden is purged, because the process
	// that filled it has ended.
	hiddenFor = time.Hour
)

// insertWhole creates a hidden agent, runs addSources, which commits in steps, and makes the agent
// visible. After an error, PurgeDeletedAgents removes it. An account with all its agents is refused
// first, before anything is copied. Faults: those of CreateAgent and of addSources; Conflict for an
// exceeded limit of the account.
func (s Store) insertWhole(
	ctx context.Context, accountID uuid.UUID, in agent.Agent,
	addSources func(ctx context.Context, out agent.Agent) error,
) (agent.Agent, error) {
	filling, cancel := context.WithTimeout(ctx, fillWithin)
	defer cancel()
	hidden, err := agents.On(s.db).InsertAgent(filling, accountID, in, hiddenFor)
	if err != nil {
		return agent.Agent{}, err
	}
	var out agent.Agent
	if err = addSources(filling, hidden); err == nil {
		out, err = s.show(filling, hidden)
	}
	if err != nil {
		// If this fails too, the agent is purged after hiddenFor.
		_, _ = db.Exec(context.WithoutCancel(ctx), s.db, `UPDATE agents
			SET deleted_at = clock_timestamp() WHERE id = $1 AND`+agents.Hidden, hidden.ID)
		return agent.Agent{}, err
	}
	return out, nil
}

// step runs one transaction that adds passages to a hidden agent: more is their largest number.
// Faults: NotFound if the account was deleted; Conflict if the account has no room.
func (s Store) step(
	ctx context.Context, a agent.Agent, more int, add func(tx *db.DB) error,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := sources.On(tx).EstimateRoom(ctx, a, more)
		if err == nil {
			err = add(tx)
		}
		return err
	})
}

// show makes a hidden agent visible. It locks in the order agent, account, as deletions do. Faults:
// NotFound if the account was deleted; Conflict for an exceeded limit of the account.
func (s Store) show(ctx context.Context, a agent.Agent) (out agent.Agent, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := db.MustChange(db.Exec(ctx, tx, `UPDATE agents SET deleted_at = NULL
			WHERE id = $1 AND`+agents.Hidden, a.ID))
		if err == nil { // a source that was deleted while it was copied lacks passages
			_, err = sources.On(tx).DeleteSources(ctx, a.ID, `s.passage_count <> (
				SELECT count(*) FROM knowledge_passages p WHERE p.source = s.number)`)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, a.AccountID, a.ID.String())
		}
		if err == nil {
			err = agents.On(tx).CheckAgents(ctx, a.AccountID, 0)
		}
		if err == nil {
			err = sources.On(tx).CheckAccountsPassages(ctx, a.AccountID)
		}
		if err == nil {
			out, err = sources.On(tx).MarkKnowledgeChanged(ctx, a.ID)
		}
		return err
	})
	return out, err
}

// importSources adds sources to a hidden agent, so its totals are known without a query.
func (s Store) importSources(
	ctx context.Context, a agent.Agent, sourceSeq iter.Seq2[sources.NewKnowledge, error],
) error {
	var used knowledge.Use
	names := map[string]string{} // by hash
	var batch []*sources.AddedSource
	held, passages := 0, 0
	write := func() error {
		return s.step(ctx, a, passages, func(tx *db.DB) error {
			return sources.On(tx).InsertSources(ctx, batch, sources.NextVersion(a))
		})
	}
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
		batch, held, passages = append(batch, add), held+len(in.Text), passages+more.Passages
		if held >= StepBytes {
			if err := write(); err != nil {
				return err
			}
			batch, held, passages = nil, 0, 0
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return write()
}
