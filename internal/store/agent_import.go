package store

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
)

// ImportAgent creates the draft that agent.New described, and adds sources to it: all of that or nothing. Chats of the account do not wait
// for the sources, because the account's limits are checked last. Faults: those of CreateAgent and of AddKnowledge; for what a source is
// refused for, no more sources are asked for.
func (s *Store) ImportAgent(ctx context.Context, accountID uuid.UUID, in agent.Agent, sources iter.Seq[NewKnowledge],
) (out agent.Agent, err error) {
	err = s.inTx(ctx, func(tx *Store) error {
		if out, err = tx.insertAgent(ctx, accountID, in); err != nil {
			return err
		}
		if err := tx.importSources(ctx, out, sources); err != nil {
			return err
		}
		if err := tx.checkAgents(ctx, accountID, 0); err != nil {
			return err
		}
		if err := tx.checkAccountsPassages(ctx, accountID); err != nil {
			return err
		}
		out, err = tx.knowledgeChanged(ctx, out.ID)
		return err
	})
	return out, err
}

// importSources adds sources to an agent that nobody else sees yet, so that what it has is known without asking the database.
func (s *Store) importSources(ctx context.Context, a agent.Agent, sources iter.Seq[NewKnowledge]) error {
	var used knowledge.Use
	names := map[string]string{} // by hash
	for in := range sources {
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
