package conversations

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// ofLiveConversation joins a conversation c with its agent a. It leaves out deleted conversations
// and those of deleted agents, which stay stored until they are erased.
const ofLiveConversation = ` conversations c JOIN agents a ON a.id = c.agent_id AND a.deleted_at IS NULL AND c.deleted_at IS NULL `

// ConversationFilter selects conversations that match all of its fields.
type ConversationFilter struct {
	// AgentID is the agent; nil matches all agents.
	AgentID *uuid.UUID
	// SessionID is the whole session ID, as conversation.FindSessionID accepts it; nil matches all.
	SessionID *string
	// Search is a part of the session ID, case-insensitive; empty matches all.
	Search string
	// Source is the source; empty matches all but conversation.Test.
	Source conversation.Source
	// From (inclusive) and To (exclusive) bound the time of the latest turn.
	From, To *time.Time
	// UserID is the end user; nil matches all conversations, including those without one.
	UserID *string
	// Failed selects conversations with failed turns, or without them; nil matches both.
	Failed *bool
	// Rating selects conversations with a reply of this rating; 0 matches all.
	Rating conversation.RatingValue
	// Text is a part of a message or reply, case-insensitive; empty matches all. It applies to
	// ConversationPage only.
	Text string
}

// ConversationQuery selects a page of conversations.
type ConversationQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last conversation before the page; nil starts with the one that has the latest
	// turn.
	After  *db.Cursor
	Filter ConversationFilter
}

// check validates the query before any statement, and trims the search.
func (q *ConversationQuery) check() error {
	var err error
	if q.Filter.Search, err = conversation.ParseSearch("filter.search", q.Filter.Search); err != nil {
		return err
	}
	if sessionID := q.Filter.SessionID; sessionID != nil {
		if err := conversation.FindSessionID("filter.sessionId", *sessionID); err != nil {
			return err
		}
	}
	if user := q.Filter.UserID; user != nil {
		if err := conversation.FindUser("filter.userId", *user); err != nil {
			return err
		}
	}
	if q.Filter.Text, err = conversation.ParseSearch("filter.text", q.Filter.Text); err != nil {
		return err
	}
	_, err = db.PageSize(&q.First)
	return err
}

// ConversationPlace returns a conversation's cursor in a list.
func ConversationPlace(c conversation.Conversation) db.Cursor {
	return db.Cursor{Key: c.LastTurnAt.UnixMicro(), ID: c.ID}
}

// conversationColumns are the columns of a conversation.Conversation, of conversations AS c.
const conversationColumns = `c.id, c.account_id, c.agent_id, c.source, c.session_id, c.user_id, c.continues, c.turn_count, c.created_at,
	c.last_turn_at, c.failed_turns`

// Conversation returns a conversation of an account. Fault: NotFound.
func (s Store) Conversation(ctx context.Context, accountID, id uuid.UUID,
) (conversation.Conversation, error) {
	return db.One[conversation.Conversation](ctx, s.db, `
		SELECT `+conversationColumns+` FROM`+ofLiveConversation+`WHERE c.account_id = $1 AND c.id = $2`, accountID, id)
}

// ConversationsByIDs returns the account's conversations among ids.
func (s Store) ConversationsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]conversation.Conversation, error) {
	rows, err := db.All[conversation.Conversation](ctx, s.db, `
		SELECT `+conversationColumns+` FROM`+ofLiveConversation+`
		WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`, accountID, db.Texts(ids))
	return db.ByID(rows, func(c conversation.Conversation) uuid.UUID { return c.ID }), err
}

// ConversationPage returns a page of an account's conversations, the one with the latest turn
// first, in one statement. It reads at most a page of each agent and source by index. Only a search
// reads all session IDs, in several statements if many of them are not ASCII. A conversation that
// gets a turn while pages are read moves to the top, so it is shown at most once. Fault:
// InvalidInput on first, filter.search, filter.text, filter.sessionId and filter.userId, before any
// statement; on filter.search also when the search takes too long.
func (s Store) ConversationPage(ctx context.Context, accountID uuid.UUID, q ConversationQuery,
) (FoundConversations, error) {
	if err := q.check(); err != nil {
		return FoundConversations{}, err
	}
	if q.Filter.Text != "" {
		return s.searchTexts(ctx, accountID, q)
	}
	items, err := db.Sift(q.First+1, func(after *conversation.Conversation) ([]conversation.Conversation, error) {
		if after != nil {
			place := ConversationPlace(*after)
			q.After = &place
		}
		text := conversationStatement(accountID, q)
		text.Add(` ORDER BY c.last_turn_at DESC, c.id DESC LIMIT ?::bigint`, q.First+1)
		return db.All[conversation.Conversation](ctx, s.db, text.String(), text.Args()...)
	}, q.Filter.inSessionID())
	return FoundConversations{Page: db.Cut(items, q.First)}, db.TooSlow(err, q.Filter.Search)
}

// inSessionID returns a function that reports whether the search matches a conversation's session
// ID.
func (f ConversationFilter) inSessionID() func(conversation.Conversation) bool {
	needle := find.New(f.Search)
	return func(c conversation.Conversation) bool { return f.Search == "" || needle.In(c.SessionID) }
}

// ConversationsByAgents returns a page of each agent's conversations in one statement. It reads an
// agent's page again with ConversationPage if the database matched a session ID that the search
// does not.
func (s Store) ConversationsByAgents(ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, q ConversationQuery,
) (map[uuid.UUID]FoundConversations, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if q.Filter.Text != "" {
		if len(agentIDs) != 1 {
			return nil, fault.Invalid(fault.Field{Path: "filter.text", Reason: fault.NotSupported,
				Message: "Search the texts of one agent at a time, or of all with Account.conversations."})
		}
		q.Filter.AgentID = &agentIDs[0]
		page, err := s.searchTexts(ctx, accountID, q)
		return map[uuid.UUID]FoundConversations{agentIDs[0]: page}, err
	}
	text := conversationStatement(accountID, q)
	text.Add(` AND a.id = ANY(?::uuid[]) ORDER BY c.last_turn_at DESC, c.id DESC`, db.Texts(agentIDs))
	items, err := db.All[conversation.Conversation](ctx, s.db, text.String(), text.Args()...)
	if err != nil {
		return nil, db.TooSlow(err, q.Filter.Search)
	}
	found := q.Filter.inSessionID()
	pages := map[uuid.UUID]FoundConversations{}
	for id, page := range db.CutEach(items, func(c conversation.Conversation) uuid.UUID { return c.AgentID }, q.First) {
		pages[id] = FoundConversations{Page: page}
		if slices.ContainsFunc(page.Items, func(c conversation.Conversation) bool { return !found(c) }) {
			q.Filter.AgentID = &id
			if pages[id], err = s.ConversationPage(ctx, accountID, q); err != nil {
				return nil, err
			}
		}
	}
	return pages, nil
}

// endOfTime is later than the latest turn of every conversation.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// conversationStatement reads a page, and one more, of every agent's conversations by each source.
func conversationStatement(accountID uuid.UUID, q ConversationQuery) *db.Statement {
	f := q.Filter
	// Every page has exactly one bound, on the columns of its own index. Without a bound the planner
	// sometimes chose another index for a search, by its sampled statistics, and sorted all matches.
	// With a second one it would scan from the later of both.
	before := db.Cursor{Key: endOfTime.UnixMicro(), ID: uuid.Max}
	if f.To != nil {
		before = db.Cursor{Key: f.To.UnixMicro()}
	}
	if q.After != nil && q.After.Key < before.Key {
		before = *q.After
	}
	sources := `('API'), ('PLAYGROUND')`
	if f.Source == conversation.Test { // conversations of test runs are listed only by this filter
		sources = `('TEST')`
	}
	var out db.Statement
	out.Add(`
		SELECT ` + conversationColumns + `
		FROM agents a CROSS JOIN (VALUES ` + sources + `) s(source) CROSS JOIN LATERAL (`)
	out.Page(`last_turn_at DESC, id DESC`, q.First, func() {
		out.Add(`
			SELECT c.* FROM conversations c WHERE c.agent_id = a.id AND c.source = s.source AND c.deleted_at IS NULL`)
		out.Add(` AND (c.last_turn_at, c.id) < (?::timestamptz, ?::uuid)`, time.UnixMicro(before.Key), before.ID)
		if f.From != nil {
			out.Add(` AND c.last_turn_at >= ?::timestamptz`, *f.From)
		}
		if f.SessionID != nil {
			out.Add(` AND c.session_id = ?::text`, *f.SessionID)
		}
		if f.UserID != nil { // the index of end users begins with the account
			out.Add(` AND c.account_id = ?::uuid AND c.user_id = ?::text`, accountID, *f.UserID)
		}
		switch {
		case f.Failed == nil:
		case *f.Failed: // the condition of the partial index
			out.Add(` AND c.failed_turns > 0`)
		default:
			out.Add(` AND c.failed_turns = 0`)
		}
		switch f.Rating { // the sum is the condition of the partial index
		case conversation.Up:
			out.Add(` AND c.rated_up + c.rated_down > 0 AND c.rated_up > 0`)
		case conversation.Down:
			out.Add(` AND c.rated_up + c.rated_down > 0 AND c.rated_down > 0`)
		}
		if f.Search != "" {
			condition, pattern := db.MayHave("c.session_id", find.New(f.Search))
			out.Add(` AND `+condition, pattern)
		}
	})
	// The account is compared out here. Inside, the planner would expect that the condition leaves few
	// rows of an agent, and might sort them all instead of reading a page in index order.
	out.Add(`) c WHERE a.account_id = ?::uuid AND c.account_id = a.account_id AND a.deleted_at IS NULL`, accountID)
	if f.AgentID != nil {
		out.Add(` AND a.id = ?::uuid`, *f.AgentID)
	}
	if f.Source != "" {
		out.Add(` AND s.source = ?::text`, string(f.Source))
	}
	return &out
}
