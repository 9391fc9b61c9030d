package store

import (
	"context"
	_ "embed" // the statement is a file of its own
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

//go:embed sql/erase_end_users.sql
var eraseEndUsersSQL string

// EndUserFilter selects turns that match all of its fields.
type EndUserFilter struct {
	// Search is a part of the end user's id, without regard to case; empty finds all.
	Search string
	// AgentID and ExportID are those of the turns; nil finds all.
	AgentID, ExportID *uuid.UUID
	// From (inclusive) and To (exclusive) bound the time at which the turns began.
	From, To *time.Time
}

// EndUserQuery says which end users a page shows.
type EndUserQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the first id.
	After  *Cursor
	Filter EndUserFilter
}

// EndUserPage returns a page of an account's end users in the order of their ids, with their use by the turns that the filter selects,
// in one statement. It reads the turns of the page's end users, and of those that the filter leaves out. Fault: InvalidInput on first
// and filter.search, before any statement.
func (s *Store) EndUserPage(ctx context.Context, accountID uuid.UUID, q EndUserQuery) (Page[conversation.EndUser], error) {
	search, err := conversation.ParseSearch("filter.search", q.Filter.Search)
	if err == nil {
		_, err = PageSize(&q.First)
	}
	if err != nil {
		return Page[conversation.EndUser]{}, err
	}
	f, after := q.Filter, ""
	if q.After != nil {
		after = q.After.Text
	}
	var text statement
	// Grouped in the order of an index, of which the limit then needs only the beginning.
	text.add(`
		SELECT c.user_id, min(u.first_at) AS first_seen_at, max(u.last_at) AS last_seen_at, sum(u.messages)::bigint AS messages,
			sum(u.credits)::bigint AS credits, count(*) AS conversations
		FROM conversations c JOIN agents a ON a.id = c.agent_id AND a.deleted_at IS NULL CROSS JOIN LATERAL (
			SELECT min(t.created_at) AS first_at, max(t.created_at) AS last_at, count(*) FILTER (WHERE t.state = 'ANSWERED') AS messages,
				coalesce(sum(t.price) FILTER (WHERE t.state = 'ANSWERED'), 0) AS credits, count(*) AS turns
			FROM turns t WHERE t.conversation_id = c.id`)
	if f.ExportID != nil {
		text.add(` AND t.export_id = ?::uuid`, *f.ExportID)
	}
	if f.From != nil {
		text.add(` AND t.created_at >= ?::timestamptz`, *f.From)
	}
	if f.To != nil {
		text.add(` AND t.created_at < ?::timestamptz`, *f.To)
	}
	text.add(`) u WHERE c.account_id = ?::uuid AND c.user_id > ?::text AND c.deleted_at IS NULL AND u.turns > 0`, accountID, after)
	if f.AgentID != nil {
		text.add(` AND c.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil { // which belongs to one agent
		text.add(` AND c.agent_id = (SELECT x.agent_id FROM api_exports x WHERE x.id = ?::uuid)`, *f.ExportID)
	}
	if f.From != nil {
		// Written by the statement that began the turn, which may have waited for a lock in between.
		text.add(` AND c.last_turn_at >= ?::timestamptz - interval '1 minute'`, *f.From)
	}
	if search != "" {
		text.add(` AND c.user_id COLLATE "default" ILIKE ?::text`, likePattern(search))
	}
	text.add(` GROUP BY c.user_id ORDER BY c.user_id LIMIT ?::bigint`, q.First+1)
	items, err := all[conversation.EndUser](ctx, s, text.text.String(), text.args...)
	if err != nil {
		return Page[conversation.EndUser]{}, tooSlow(err, search)
	}
	return cut(items, q.First), nil
}

// hideBatch is how many conversations of an end user one transaction hides.
const hideBatch = 5_000

// DeleteEndUser hides all conversations of an end user, of one agent or, for nil, of all, and returns how many; EraseEndUsers then
// erases their text. In the same transactions the turns under way are marked (see markTurns). Turnless requests with the id, or of its
// sessions, lose both ids. The ledger, which never has the id, and the counters of limits stay. Conversations that begin meanwhile stay.
// Fault: NotFound for an agent that is not the account's.
func (s *Store) DeleteEndUser(ctx context.Context, accountID uuid.UUID, userID string, agentID *uuid.UUID) (int, error) {
	if agentID != nil {
		if _, err := s.Agent(ctx, accountID, *agentID); err != nil {
			return 0, err
		}
	}
	return s.whileForgetting(ctx, accountID, agentID, erasedUser, userID, func() (deleted int, err error) {
		for n := hideBatch; err == nil && n == hideBatch; deleted += n {
			n, err = s.hideEndUser(ctx, accountID, userID, agentID)
		}
		return deleted, err
	})
}

// hideEndUser hides a batch of an end user's conversations. It locks conversations, turns and the usage, in this order, the first two each
// in the order of their ids.
func (s *Store) hideEndUser(ctx context.Context, accountID uuid.UUID, userID string, agentID *uuid.UUID) (n int, err error) {
	var turns []uuid.UUID
	for range deletionTries {
		err = s.inTx(ctx, func(tx *Store) error {
			hidden, err := all[deletedConversation](ctx, tx, `
				WITH due AS MATERIALIZED (
					SELECT c.* FROM conversations c WHERE c.account_id = $1 AND c.user_id = $2 AND c.deleted_at IS NULL
						AND ($3::uuid IS NULL OR c.agent_id = $3::uuid)
						AND EXISTS (SELECT 1 FROM agents a WHERE a.id = c.agent_id AND a.deleted_at IS NULL)
					ORDER BY c.id LIMIT $4::bigint FOR UPDATE
				)
				UPDATE conversations c SET deleted_at = clock_timestamp(), session_id = '' FROM due WHERE c.id = due.id
				RETURNING `+deletedColumns,
				accountID, userID, agentID, hideBatch)
			if n = len(hidden); err != nil || n == 0 {
				return err
			}
			ids := mapped(hidden, func(c deletedConversation) uuid.UUID { return c.ID })
			// A begin that held a conversation's lock has committed by now, and this new snapshot sees its turn.
			if turns, err = tx.markTurns(ctx, ofConversations, texts(ids)); err != nil {
				return err
			}
			return tx.forgetSessions(ctx, accountID, hidden)
		})
		if !isRace(err) {
			break
		}
	}
	if err != nil {
		return 0, err
	}
	s.turnsDeleted(turns)
	return n, nil
}

// EraseEndUsers erases text of end users that DeleteEndUser has hidden, of at most limit conversations and twice as many turns. It
// returns limit while there may be more, and less when nothing is left.
func (s *Store) EraseEndUsers(ctx context.Context, limit int) (int, error) {
	err := s.beforeErasing(ctx, `
		SELECT DISTINCT c.account_id FROM conversations c WHERE c.deleted_at IS NOT NULL AND c.user_id IS NOT NULL`)
	if err != nil {
		return 0, err
	}
	return one[int](ctx, s, eraseEndUsersSQL, limit, 2*limit)
}
