package store

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
)

// ImportAgent creates the draft that agent.New described, and adds sources to it: all of that or nothing. Chats of the account do not wait
// for the sources, because the account's limits are checked last. Faults: those of CreateAgent and of AddKnowledge, and an error of the
// sources; after that, and after a source that is refused, no more sources are asked for.
func (s *Store) ImportAgent(ctx context.Context, accountID uuid.UUID, in agent.Agent, sources iter.Seq2[NewKnowledge, error],
) (out agent.Agent, err error) {
	err = s.inTx(ctx, func(tx *Store) error {
		out, err = tx.importAgent(ctx, accountID, in, sources)
		return err
	})
	return out, err
}

func (s *Store) importAgent(ctx context.Context, accountID uuid.UUID, in agent.Agent, sources iter.Seq2[NewKnowledge, error],
) (agent.Agent, error) {
	out, err := s.insertAgent(ctx, accountID, in)
	if err == nil {
		err = s.importSources(ctx, out, sources)
	}
	if err == nil {
		err = s.checkAgents(ctx, accountID, 0)
	}
	if err == nil {
		err = s.checkAccountsPassages(ctx, accountID)
	}
	if err != nil {
		return agent.Agent{}, err
	}
	return s.knowledgeChanged(ctx, out.ID)
}

// importSources adds sources to an agent that nobody else sees yet, so that what it has is known without asking the database.
func (s *Store) importSources(ctx context.Context, a agent.Agent, sources iter.Seq2[NewKnowledge, error]) error {
	var used knowledge.Use
	names := map[string]string{} // by hash
	for in, err := range sources {
		if err != nil {
			return err
		}
		add := newSource(a.AccountID, a.ID, in)
		if name, had := names[string(add.hash)]; had {
			return alreadyKnown(name)
		}
		more := add.use()
		if err := used.Room(more); err != nil {
			return err
		}
		if _, err := s.insertSource(ctx, add, nextVersion(a)); err != nil {
			return err
		}
		names[string(add.hash)] = in.Name
		used = knowledge.Use{Sources: used.Sources + more.Sources, Passages: used.Passages + more.Passages, Bytes: used.Bytes + more.Bytes}
	}
	return nil
}
