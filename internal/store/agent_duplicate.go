package store

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// DuplicateAgent creates a draft with a checked name and all else that an agent's draft has, its READY sources included: all of that or
// nothing. Chats do not wait for it, and what is deleted meanwhile is left out. grow is asked for memory before a text of so many bytes is
// read, and an error of it ends the work. Faults: NotFound; those of ImportAgent.
func (s *Store) DuplicateAgent(ctx context.Context, accountID, id uuid.UUID, name string, by *uuid.UUID, grow func(bytes int64) error,
) (out agent.Agent, err error) {
	err = s.inTx(ctx, func(tx *Store) error {
		original, err := tx.Agent(ctx, accountID, id)
		if err != nil {
			return err
		}
		original.Name = name
		known, err := all[copiedSource](ctx, tx, `SELECT s.number, s.bytes FROM knowledge_sources s
			WHERE s.agent_id = $1 AND upper_inf(s.versions) ORDER BY s.id`, id)
		if err != nil {
			return err
		}
		out, err = tx.importAgent(ctx, accountID, original, func(yield func(NewKnowledge, error) bool) {
			for _, source := range known {
				in := NewKnowledge{By: by}
				err := grow(source.Bytes)
				if err == nil {
					err = tx.readSource(ctx, source.Number, &in)
				}
				if fault.Is(err, fault.NotFound) {
					continue
				}
				if !yield(in, err) {
					return
				}
			}
		})
		return err
	})
	return out, err
}

// copiedSource is a source of which there is to be another one.
type copiedSource struct {
	Number int32
	Bytes  int64
}

// readSource reads a READY source as it was added. Sources never change, and go as a whole: one that is there after its passages were read
// had them all. Fault: NotFound.
func (s *Store) readSource(ctx context.Context, number int32, in *NewKnowledge) error {
	type passage struct {
		Heading, Text string
		Page          int
	}
	passages, err := all[passage](ctx, s, `SELECT p.heading, p.text, coalesce(p.page, 0) AS page FROM knowledge_passages p
		WHERE p.source = $1 ORDER BY p.passage`, number)
	if err != nil {
		return err
	}
	found, err := one[struct {
		Kind       knowledge.Kind
		Name, Text string
		Size       int64
		Pages      *int
		Questions  *string
	}](ctx, s, `SELECT kind, name, text, size, pages, questions FROM knowledge_sources WHERE number = $1`, number)
	if err != nil {
		return err
	}
	in.Kind, in.Name, in.Text, in.Size, in.Pages = found.Kind, found.Name, found.Text, found.Size, found.Pages
	in.Passages = mapped(passages, func(p passage) knowledge.Passage {
		return knowledge.Passage{Heading: p.Heading, Page: p.Page, Text: p.Text}
	})
	if found.Questions != nil {
		err = json.Unmarshal([]byte(*found.Questions), &in.Questions)
	}
	return err
}
