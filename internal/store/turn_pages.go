package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// TurnQuery says which turns of a conversation a page shows.
type TurnQuery struct {
	// Size is how many, 1 to MaxPage.
	Size int
	// FromEnd takes the last ones instead of the first ones; they are in order all the same.
	FromEnd bool
	// After and Before bound the page; nil goes to the ends. They are cursors of the conversation whose page is asked for.
	After, Before *Cursor
}

// TurnPlace is a turn's place in its conversation.
func TurnPlace(t conversation.Turn) Cursor { return Cursor{Key: t.Number, ID: t.ConversationID} }

// turnColumns are what scanTurn reads, of turns AS t.
const turnColumns = `t.id, t.account_id, t.agent_id, t.conversation_id, t.export_id, t.number, t.state, t.source, t.message, t.reply,
	t.error_code, t.finish_reason, t.model, t.price, t.input_tokens, t.output_tokens, t.request_id, t.created_at, t.settled_at`

func scanTurn(row scanner) (conversation.Turn, error) {
	var t conversation.Turn
	err := row.Scan(&t.ID, &t.AccountID, &t.AgentID, &t.ConversationID, &t.ExportID, &t.Number, &t.State, &t.Source, &t.Message,
		&t.Reply, &t.ErrorCode, &t.FinishReason, &t.Model, &t.Price, &t.InputTokens, &t.OutputTokens, &t.RequestID, &t.CreatedAt,
		&t.SettledAt)
	t.CreatedAt, t.SettledAt = t.CreatedAt.UTC(), inUTC(t.SettledAt)
	return t, err
}

// TurnsByConversations returns a page of each conversation's turns, in the order of their numbers, all in one statement;
// conversations that are not the account's have none. Faults, before any statement: InvalidInput on size, and on after and
// before for a cursor of another conversation.
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
	items, err := query(ctx, s.pool, scanTurn, text.text.String(), text.args...)
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

// page makes a page of turns in the order of their numbers, of which one more was asked for at its far end.
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

// TurnsByIDs returns those of the turns that are the account's, of conversations that are there.
func (s *Store) TurnsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]conversation.Turn, error) {
	rows, err := query(ctx, s.pool, scanTurn, `
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
