package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

const (
	// searchWithin is how long a page of a search in texts looks before it says how far it came.
	searchWithin = 400 * time.Millisecond
	// searchTurns is how many turns one statement of it reads, which keeps it far under the statement timeout.
	searchTurns = 1_000
)

// searchTexts looks for a text in the conversations that match the rest of the filter, the latest first, in steps of a statement each.
// The page may be short, or empty, while there are more: Looked says how far it came.
func (s *Store) searchTexts(ctx context.Context, accountID uuid.UUID, q ConversationQuery) (Page[conversation.Conversation], error) {
	var page Page[conversation.Conversation]
	step := q
	step.First, step.Filter.Text = MaxPage, ""
	for start := time.Now(); ; {
		next, err := s.ConversationPage(ctx, accountID, step)
		if err != nil {
			return page, err
		}
		for n := 0; n < len(next.Items); {
			some := fewTurns(next.Items[n:])
			found, err := s.withText(ctx, some, q.Filter.Text)
			if err != nil {
				return page, err
			}
			for i, c := range some {
				if found[c.ID] {
					page.Items = append(page.Items, c)
				}
				place := ConversationPlace(c)
				page.Looked = &place
				page.HasNext = next.HasNext || n+i+1 < len(next.Items)
				if len(page.Items) == q.First {
					return page, nil
				}
			}
			n += len(some)
			if time.Since(start) > searchWithin && page.HasNext {
				return page, nil
			}
		}
		if !next.HasNext {
			page.HasNext = false
			return page, nil
		}
		step.After = page.Looked
	}
}

// fewTurns are the first conversations with at most searchTurns turns together, and at least one.
func fewTurns(items []conversation.Conversation) []conversation.Conversation {
	turns := int64(0)
	for i, c := range items {
		if turns += c.TurnCount; turns > searchTurns && i > 0 {
			return items[:i]
		}
	}
	return items
}

// withText returns which of the conversations have a text in a message or a reply. A long one is read in several statements.
func (s *Store) withText(ctx context.Context, items []conversation.Conversation, text string) (map[uuid.UUID]bool, error) {
	ids, longest := make([]uuid.UUID, len(items)), int64(0)
	for i, c := range items {
		ids[i], longest = c.ID, max(longest, c.TurnCount)
	}
	out := map[uuid.UUID]bool{}
	for from := int64(0); from < longest && len(out) < len(ids); from += searchTurns {
		found, err := all[uuid.UUID](ctx, s, `
			SELECT c.id FROM unnest($1::uuid[]) c(id) WHERE EXISTS (
				SELECT 1 FROM turns t WHERE t.conversation_id = c.id AND t.number > $2 AND t.number <= $3
					AND (t.message COLLATE "default" ILIKE $4 OR t.reply COLLATE "default" ILIKE $4))`,
			texts(ids), from, from+searchTurns, likePattern(text))
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			out[id] = true
		}
	}
	return out, nil
}
