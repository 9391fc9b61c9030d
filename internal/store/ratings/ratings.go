package ratings

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// Given is a rating to store, without RatedAt. The value Withdrawn removes the stored rating.
type Given struct {
	conversation.Rating
	// AgentID is the agent whose replies may be rated; nil for all agents of the account.
	AgentID *uuid.UUID
	// UserID is the end user whose replies may be rated; nil for all replies.
	UserID *string
}

// Rated is the result of Rate.
type Rated struct {
	SessionID string
	// RatedAt is nil if the rating was withdrawn.
	RatedAt *time.Time
	// Changed is false if the same rating was already stored.
	Changed bool
}

// Rate stores a rating, or withdraws it. The last rating of a kind wins, with its note. A caller's
// rating is counted for the version and sent to webhooks. An identical rating writes nothing.
// Fault: NotFound unless the account has this turn, answered, in a live conversation of the given
// agent and end user. Callers can only rate turns of the API.
func (s Store) Rate(ctx context.Context, accountID uuid.UUID, in Given) (rated Rated, err error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		rated, err = db.One[Rated](ctx, tx, `SELECT * FROM rate_turn_1($1, $2, $3, $4, $5, $6, $7, $8)`,
			accountID, in.AgentID, in.UserID, in.TurnID, string(in.Kind), int(in.Value), in.Note, in.RatedBy)
		if err != nil || !rated.Changed {
			return err
		}
		if in.Kind == conversation.ByCaller {
			about := notifications.EventData{AccountID: accountID, MessageID: &in.TurnID, Value: new(int(in.Value))}
			return notifications.On(tx).NotifyWebhooks(ctx, notifications.RatingGiven, about)
		}
		return audit.On(tx).RecordIn(ctx, accountID, in.TurnID.String())
	})
	rated.RatedAt = db.InUTC(rated.RatedAt)
	return rated, err
}

// ratingColumns are the columns of a conversation.Rating, of ratings AS r.
const ratingColumns = ` r.turn_id, r.kind, r.value, r.note, r.rated_by, r.rated_at `

// ofLiveConversation joins the conversation of a rating r and excludes deleted ones. It reads each
// turn and conversation by key, so that a list keeps its order.
const ofLiveConversation = `
	CROSS JOIN LATERAL (SELECT t.conversation_id FROM turns t WHERE t.id = r.turn_id LIMIT 1) t
	CROSS JOIN LATERAL (
		SELECT FROM conversations c WHERE c.id = t.conversation_id AND c.deleted_at IS NULL LIMIT 1) c `

// ByTurns returns the ratings of turns, except in other accounts and in deleted conversations.
func (s Store) ByTurns(ctx context.Context, accountID uuid.UUID, turnIDs []uuid.UUID,
) (map[uuid.UUID][]conversation.Rating, error) {
	found, err := db.All[conversation.Rating](ctx, s.db, `
		SELECT`+ratingColumns+`FROM ratings r`+ofLiveConversation+`
		WHERE r.account_id = $1 AND r.turn_id = ANY($2::uuid[]) ORDER BY r.turn_id, r.kind`,
		accountID, db.Texts(turnIDs))
	out := make(map[uuid.UUID][]conversation.Rating, len(turnIDs))
	for _, r := range found {
		out[r.TurnID] = append(out[r.TurnID], r)
	}
	return out, err
}

// Query selects a page of an agent's ratings.
type Query struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last rating before the page; nil starts with the newest message.
	After *db.Cursor
	// Value and Kind filter the ratings; nil matches all.
	Value *conversation.RatingValue
	Kind  *conversation.RatingKind
}

// Place returns a rating's cursor in a list.
func Place(r conversation.Rating) db.Cursor { return db.Cursor{ID: r.TurnID, Text: string(r.Kind)} }

// ByAgents returns a page of ratings for each of the account's agents, newest message first, in one
// statement. It reads at most a page of each kind and value, by index. Fault: InvalidInput on first,
// before any statement.
func (s Store) ByAgents(ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, q Query,
) (map[uuid.UUID]db.Page[conversation.Rating], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return nil, err
	}
	type row struct {
		conversation.Rating
		AgentID uuid.UUID
	}
	var text db.Statement
	text.Add(`SELECT r.* FROM agents a CROSS JOIN (VALUES ('CALLER'), ('TEAM')) k(kind)
		CROSS JOIN (VALUES (-1), (1)) v(value) CROSS JOIN LATERAL (`)
	text.Page(`turn_id DESC`, q.First, func() {
		text.Add(`SELECT` + ratingColumns + `, r.agent_id FROM ratings r` + ofLiveConversation + `
			WHERE r.agent_id = a.id AND r.kind = k.kind AND r.value = v.value`)
		if q.After != nil {
			text.Add(` AND (r.turn_id, r.kind) < (?::uuid, ?::text)`, q.After.ID, q.After.Text)
		}
	})
	text.Add(`) r WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL AND a.id = ANY(?::uuid[])`,
		accountID, db.Texts(agentIDs))
	if q.Kind != nil {
		text.Add(` AND k.kind = ?::text`, string(*q.Kind))
	}
	if q.Value != nil {
		text.Add(` AND v.value = ?::int`, int(*q.Value))
	}
	text.Add(` ORDER BY r.turn_id DESC, r.kind DESC`)
	items, err := db.All[row](ctx, s.db, text.String(), text.Args()...)
	out := make(map[uuid.UUID]db.Page[conversation.Rating], len(agentIDs))
	for id, page := range db.CutEach(items, func(r row) uuid.UUID { return r.AgentID }, q.First) {
		out[id] = db.Page[conversation.Rating]{
			Items:   db.Mapped(page.Items, func(r row) conversation.Rating { return r.Rating }),
			HasNext: page.HasNext,
		}
	}
	return out, err
}

// CountsByVersions returns the counts of callers' ratings of the account's versions. Ratings in
// deleted conversations still count.
func (s Store) CountsByVersions(ctx context.Context, accountID uuid.UUID, versionIDs []uuid.UUID,
) (map[uuid.UUID]conversation.RatingCounts, error) {
	type row struct {
		ID uuid.UUID
		conversation.RatingCounts
	}
	found, err := db.All[row](ctx, s.db, `SELECT v.id, n.up, n.down
		FROM agent_versions v JOIN rating_counts n ON n.agent_id = v.agent_id AND n.version = v.number
		WHERE v.account_id = $1 AND v.id = ANY($2::uuid[])`, accountID, db.Texts(versionIDs))
	out := make(map[uuid.UUID]conversation.RatingCounts, len(found))
	for _, r := range found {
		out[r.ID] = r.RatingCounts
	}
	return out, err
}
