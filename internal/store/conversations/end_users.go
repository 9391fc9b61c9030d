package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// EndUserFilter selects turns that match all of its fields.
type EndUserFilter struct {
	// Search is a part of the end user's id, case-insensitive; empty matches all.
	Search string
	// AgentID and ExportID are those of the turns; nil matches all.
	AgentID, ExportID *uuid.UUID
	// From (inclusive) and To (exclusive) bound the time at which the turns began.
	From, To *time.Time
	// Blocked selects end users who are blocked, or who are not; nil matches both.
	Blocked *bool
}

// ofAllTurns reports whether the filter selects all turns, so that end users without any match.
func (f EndUserFilter) ofAllTurns() bool {
	return f.AgentID == nil && f.ExportID == nil && f.From == nil && f.To == nil
}

// EndUserQuery selects a page of end users.
type EndUserQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last end user before the page; nil starts with the first.
	After  *db.Cursor
	Filter EndUserFilter
	// Latest orders them by their latest conversations, whichever turns the filter selects; otherwise
	// they are in the order of their ids.
	Latest bool
}

// EndUserPage returns a page of an account's end users with their usage in the turns that the
// filter selects. By id it is one statement unless a search skips many. It reads the turns of the
// page's end users and of those that the filter leaves out. Without a filter of turns it includes
// end users who are blocked or limited and have no turn. Fault: InvalidInput on first and
// filter.search, before any statement.
func (s Store) EndUserPage(ctx context.Context, accountID uuid.UUID, q EndUserQuery,
) (db.Page[conversation.EndUser], error) {
	search, err := conversation.ParseSearch("filter.search", q.Filter.Search)
	if err == nil {
		_, err = db.PageSize(&q.First)
	}
	if err != nil {
		return db.Page[conversation.EndUser]{}, err
	}
	if q.Latest {
		q.Filter.Search = search
		return s.latestEndUsers(ctx, accountID, q, time.Now().Add(searchWithin))
	}
	if search == "" {
		items, err := s.endUsers(ctx, accountID, q)
		return db.Cut(items, q.First), err
	}
	needle := find.New(search)
	items, err := db.Sift(q.First+1, func(after *conversation.EndUser) ([]conversation.EndUser, error) {
		if after != nil {
			q.After = &db.Cursor{Text: after.UserID}
		}
		return s.endUsers(ctx, accountID, q)
	}, func(u conversation.EndUser) bool { return needle.In(u.UserID) })
	return db.Cut(items, q.First), db.TooSlow(err, search)
}

// endUsers returns the end users of a page and one more, including all that a search might match.
func (s Store) endUsers(ctx context.Context, accountID uuid.UUID, q EndUserQuery,
) ([]conversation.EndUser, error) {
	after := ""
	if q.After != nil {
		after = q.After.Text
	}
	f := q.Filter
	selectRows := func(text *db.Statement, row string) {
		text.Add(` AND `+row+`.user_id > ?::text`, after)
		if f.Search != "" {
			condition, pattern := db.MayHave(row+".user_id", find.New(f.Search))
			text.Add(` AND `+condition, pattern)
		}
		if f.Blocked != nil {
			blocked(text, accountID, row+".user_id", *f.Blocked)
		}
	}
	var text db.Statement
	text.Add(describeEndUsers)
	// Grouped in the order of an index. The limit then needs only its beginning.
	text.Add(`WITH seen AS MATERIALIZED (`)
	seenEndUsers(&text, accountID, f)
	selectRows(&text, "c")
	text.Add(` GROUP BY c.user_id ORDER BY c.user_id LIMIT ?::bigint) SELECT * FROM seen`, q.First+1)
	if f.ofAllTurns() {
		// End users who are blocked or limited and have no turn, up to the last id of a full page.
		text.Add(` UNION ALL (
			SELECT e.user_id, e.created_at, e.created_at, 0, 0, 0 FROM end_users e
			WHERE e.account_id = ?::uuid AND e.user_id NOT IN (SELECT user_id FROM seen)
				AND e.user_id <= coalesce((SELECT max(user_id) FROM seen HAVING count(*) > ?::bigint),
					(SELECT max(l.user_id) FROM end_users l WHERE l.account_id = ?::uuid))`,
			accountID, q.First, accountID)
		selectRows(&text, "e")
		text.Add(` ORDER BY e.user_id LIMIT ?::bigint)`, q.First+1)
	}
	text.Add(` ORDER BY user_id LIMIT ?::bigint`, q.First+1)
	text.Add(describedEndUsers, accountID, accountID, accountID, accountID)
	return db.All[conversation.EndUser](ctx, s.db, text.String(), text.Args()...)
}

// blocked adds a condition on the end user whose id is in a column: to be blocked, or not to be.
func blocked(text *db.Statement, accountID uuid.UUID, column string, is bool) {
	text.Add(` AND ?::bool = EXISTS (SELECT 1 FROM end_users b WHERE b.account_id = ?::uuid
		AND b.user_id = `+column+` AND b.blocked_at IS NOT NULL)`, is, accountID)
}

// EndUser returns an end user with all usage. It finds an erased end user who still has a block or
// a limit. Fault: NotFound for an unknown end user.
func (s Store) EndUser(ctx context.Context, accountID uuid.UUID, userID string,
) (conversation.EndUser, error) {
	var text db.Statement
	text.Add(describeEndUsers)
	seenEndUsers(&text, accountID, EndUserFilter{})
	text.Add(` AND c.user_id = ?::text GROUP BY c.user_id UNION ALL
		SELECT ?::text, e.created_at, e.created_at, 0, 0, 0 FROM end_users e
		WHERE e.account_id = ?::uuid AND e.user_hash = end_user_hash_1(?::text)
		ORDER BY conversations DESC LIMIT 1`, userID, userID, accountID, userID)
	text.Add(describedEndUsers, accountID, accountID, accountID, accountID)
	return db.One[conversation.EndUser](ctx, s.db, text.String(), text.Args()...)
}

const (
	todayUTC    = `(statement_timestamp() AT TIME ZONE 'UTC')::date`
	midnightUTC = `date_trunc('day', statement_timestamp(), 'UTC')`
	// newestTurnBy is no earlier than the time at which a conversation's newest turn began. The
	// statement that writes last_turn_at may wait for a lock before it begins the turn.
	newestTurnBy = `c.last_turn_at + interval '1 minute'`

	// describeEndUsers and describedEndUsers enclose a statement that selects end users with their
	// usage, and add their rules and the messages they have sent today, read once for all of them. The
	// values of the second are the account, four times.
	describeEndUsers  = `WITH listed AS MATERIALIZED (SELECT p.*, end_user_hash_1(p.user_id) AS hash FROM (`
	describedEndUsers = `) p
		), rules AS MATERIALIZED (
			SELECT u.user_hash, u.blocked_at, u.daily_message_limit FROM end_users u
			WHERE u.account_id = ?::uuid AND u.user_hash = ANY (ARRAY(SELECT hash FROM listed))
		), today AS MATERIALIZED (
			SELECT c.user_id, count(*) AS messages FROM conversations c JOIN turns t ON t.conversation_id = c.id
			WHERE c.account_id = ?::uuid AND c.user_id = ANY (ARRAY(SELECT user_id FROM listed)) AND c.deleted_at IS NULL
				AND c.source = 'API' AND ` + newestTurnBy + ` >= ` + midnightUTC + ` AND t.created_at >= ` + midnightUTC + `
				AND t.state <> 'FAILED' AND t.message_number IS NULL
			GROUP BY c.user_id
		), nearest AS MATERIALIZED (
			SELECT DISTINCT ON (c.user_hash) c.user_hash, x.id, x.user_daily_message_limit AS allowed, c.used
			FROM api_exports x JOIN limit_counters c ON c.counted_for = x.id
			WHERE x.account_id = ?::uuid AND x.removed_at IS NULL AND x.user_daily_message_limit IS NOT NULL
				AND c.starts = ` + todayUTC + ` AND c.period = 'USER_DAY' AND c.user_hash = ANY (ARRAY(SELECT hash FROM listed))
			ORDER BY c.user_hash, x.user_daily_message_limit - c.used, x.id
		)
		SELECT p.user_id, p.first_seen_at, p.last_seen_at, p.messages, p.credits, p.conversations,
			u.blocked_at IS NOT NULL AS blocked, u.daily_message_limit,
			coalesce(CASE WHEN u.daily_message_limit IS NULL THEN today.messages ELSE (
				SELECT own.used FROM limit_counters own
				WHERE own.starts = ` + todayUTC + ` AND own.counted_for = ?::uuid AND own.period = 'USER_DAY' AND own.user_hash = p.hash
			) END, 0) AS messages_today,
			nearest.id AS nearest_export, nearest.allowed AS nearest_limit, nearest.used AS nearest_use
		FROM listed p LEFT JOIN rules u ON u.user_hash = p.hash LEFT JOIN today ON today.user_id = p.user_id
		LEFT JOIN nearest ON nearest.user_hash = p.hash AND u.daily_message_limit IS NULL
		ORDER BY p.user_id`
)

// byUser excludes conversations c of test runs, whose messages no end user sent.
const byUser = `c.source <> 'TEST'`

// seenEndUsers selects the end users of an account with turns that match the filter, except its
// search, and their usage. The caller adds the grouping.
func seenEndUsers(s *db.Statement, accountID uuid.UUID, f EndUserFilter) {
	s.Add(`
		SELECT c.user_id, min(u.first_at) AS first_seen_at, max(u.last_at) AS last_seen_at, sum(u.messages)::bigint AS messages,
			sum(u.credits)::bigint AS credits, count(*) AS conversations
		FROM conversations c CROSS JOIN LATERAL (
			SELECT min(t.created_at) AS first_at, max(t.created_at) AS last_at, count(*) FILTER (WHERE t.state = 'ANSWERED') AS messages,
				coalesce(sum(t.price) FILTER (WHERE t.state = 'ANSWERED'), 0) AS credits, count(*) AS turns
			FROM turns t WHERE t.conversation_id = c.id`)
	if f.ExportID != nil {
		s.Add(` AND t.export_id = ?::uuid`, *f.ExportID)
	}
	if f.From != nil {
		s.Add(` AND t.created_at >= ?::timestamptz`, *f.From)
	}
	if f.To != nil {
		s.Add(` AND t.created_at < ?::timestamptz`, *f.To)
	}
	s.Add(`) u WHERE c.account_id = ?::uuid AND c.deleted_at IS NULL AND u.turns > 0 AND `+byUser, accountID)
	ofLiveAgents(s, accountID)
	if f.AgentID != nil {
		s.Add(` AND c.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil { // an export belongs to one agent
		s.Add(` AND c.agent_id = (SELECT x.agent_id FROM api_exports x WHERE x.id = ?::uuid)`, *f.ExportID)
	}
	if f.From != nil {
		s.Add(` AND `+newestTurnBy+` >= ?::timestamptz`, *f.From)
	}
}

// ofLiveAgents adds the condition that conversations AS c are of agents that are not deleted. IS
// TRUE prevents a join, which would look up the agent of each conversation. The account's agents
// are read once.
func ofLiveAgents(s *db.Statement, accountID uuid.UUID) {
	s.Add(` AND (c.agent_id IN (SELECT a.id FROM agents a
		WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL)) IS TRUE`, accountID)
}
