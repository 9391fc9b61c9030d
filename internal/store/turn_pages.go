package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// TurnQuery selects a page of a conversation's turns.
type TurnQuery struct {
	// Size is the number of turns, 1 to MaxPage.
	Size int
	// FromEnd selects the last turns instead of the first ones, still in ascending order.
	FromEnd bool
	// After and Before bound the page, exclusive; nil is unbounded. They must be cursors of the same conversation.
	After, Before *Cursor
}

// TurnPlace returns a turn's cursor in its conversation.
func TurnPlace(t conversation.Turn) Cursor { return Cursor{Key: t.Number, ID: t.ConversationID} }

// turnColumns are the columns of conversation.Turn, of turns AS t and conversations AS c.
const turnColumns = `t.id, t.account_id, t.agent_id, t.conversation_id, t.export_id, t.number, t.state, t.source, t.message, t.reply,
	c.user_id, t.variables, t.error_code, t.finish_reason, t.version, t.model, t.price, t.input_tokens, t.output_tokens,
	t.request_id, t.created_at, t.settled_at`

// turns runs a statement that returns turnColumns.
func (s *Store) turns(ctx context.Context, statement string, args ...any) ([]conversation.Turn, error) {
	turns, err := all[conversation.Turn](ctx, s, statement, args...)
	for i := range turns {
		turns[i].CreatedAt, turns[i].SettledAt = turns[i].CreatedAt.UTC(), inUTC(turns[i].SettledAt)
	}
	return turns, err
}

// TurnsByConversations returns a page of turns for each conversation, in ascending order, with one statement; the page is empty for
// conversations that are not the account's. Faults, before any statement: InvalidInput on size, and on after and before for a
// cursor of another conversation.
func (s *Store) TurnsByConversations(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, q TurnQuery,
) (map[uuid.UUID]Page[conversation.Turn], error) {
	if _, err := pageSize("size", &q.Size); err != nil {
		return nil, err
	}
	foreign := func(c *Cursor) bool { return c != nil && (len(ids) != 1 || ids[0] != c.ID) }
	switch {
	case foreign(q.After):
		return nil, BadCursor("after")
	case foreign(q.Before):
		return nil, BadCursor("before")
	}
	text := turnStatement(accountID, ids, q)
	items, err := s.turns(ctx, text.text.String(), text.args...)
	if err != nil {
		return nil, err
	}
	lists := make(map[uuid.UUID][]conversation.Turn, len(ids))
	for _, t := range items {
		lists[t.ConversationID] = append(lists[t.ConversationID], t)
	}
	out := make(map[uuid.UUID]Page[conversation.Turn], len(ids))
	for _, id := range ids {
		out[id] = q.page(lists[id])
	}
	return out, nil
}

// page makes a page of turns in ascending order; one more than the page's size was read to see whether there are more.
func (q TurnQuery) page(items []conversation.Turn) Page[conversation.Turn] {
	more := len(items) > q.Size
	switch {
	case more && q.FromEnd:
		items = items[1:]
	case more:
		items = items[:q.Size]
	}
	return Page[conversation.Turn]{Items: items, HasNext: more && !q.FromEnd || q.Before != nil,
		HasPrevious: more && q.FromEnd || q.After != nil}
}

func turnStatement(accountID uuid.UUID, ids []uuid.UUID, q TurnQuery) *statement {
	var out statement
	order := `number`
	if q.FromEnd {
		order = `number DESC`
	}
	out.add(`
		SELECT ` + turnColumns + ` FROM` + ofLiveConversation + `CROSS JOIN LATERAL (`)
	out.page(order, q.Size, func() {
		out.add(`SELECT t.* FROM turns t WHERE t.conversation_id = c.id`)
		if q.After != nil {
			out.add(` AND t.number > ?::bigint`, q.After.Key)
		}
		if q.Before != nil {
			out.add(` AND t.number < ?::bigint`, q.Before.Key)
		}
	})
	out.add(`) t WHERE c.account_id = ?::uuid AND c.id = ANY(?::uuid[]) ORDER BY t.conversation_id, t.number`, accountID, texts(ids))
	return &out
}

// TurnsByIDs returns the turns by id, without those that are not the account's or whose conversation was deleted.
func (s *Store) TurnsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]conversation.Turn, error) {
	rows, err := s.turns(ctx, `
		SELECT `+turnColumns+` FROM`+ofLiveConversation+`JOIN turns t ON t.conversation_id = c.id
		WHERE t.account_id = $1 AND c.account_id = $1 AND t.id = ANY($2::uuid[])`, accountID, texts(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]conversation.Turn, len(rows))
	for _, t := range rows {
		out[t.ID] = t
	}
	return out, nil
}
