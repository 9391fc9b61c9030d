package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// rulesStep is the number of blocked or limited end users that one statement looks at.
const rulesStep = 500

// latestEndUsers returns a page of end users, the one with the latest conversation first. It walks
// down the conversations with a sequence of statements until the page is full or the time has come.
// A page may be short, or empty, although there are more: Looked is the position it has reached.
// End users with a rule and without a conversation come last, by ID.
func (s Store) latestEndUsers(
	ctx context.Context, accountID uuid.UUID, q EndUserQuery, until time.Time,
) (db.Page[conversation.EndUser], error) {
	page := db.Page[conversation.EndUser]{Places: map[string]db.Cursor{}}
	if err := s.scopeToAgent(ctx, accountID, &q.Filter); err != nil {
		if fault.Is(err, fault.NotFound) { // no such export
			err = nil
		}
		return page, err
	}
	if q.After == nil || q.After.Text == "" {
		ended, err := s.walkConversations(ctx, accountID, q, until, &page)
		if err != nil || !ended {
			return page, err
		}
		q.After = nil
	}
	if !q.Filter.ofAllTurns() {
		return page, nil
	}
	return page, s.walkRules(ctx, accountID, q, until, &page)
}

// scopeToAgent sets the agent of a filter by export, so that only its conversations are walked.
// Fault: NotFound for an unknown export.
func (s Store) scopeToAgent(ctx context.Context, accountID uuid.UUID, f *EndUserFilter) error {
	if f.ExportID == nil || f.AgentID != nil {
		return nil
	}
	id, err := db.One[uuid.UUID](ctx, s.db,
		`SELECT agent_id FROM api_exports WHERE account_id = $1 AND id = $2`, accountID, *f.ExportID)
	f.AgentID = &id
	return err
}

// walkConversations adds the end users of conversations to a page. ended reports that it has passed
// the last conversation, and that the page has room.
func (s Store) walkConversations(ctx context.Context, accountID uuid.UUID, q EndUserQuery,
	until time.Time, page *db.Page[conversation.EndUser],
) (ended bool, err error) {
	f, needle, met := q.Filter, find.New(q.Filter.Search), map[string]bool{}
	step := ConversationQuery{First: q.First, After: q.After}
	step.Filter.AgentID = f.AgentID
	if f.From != nil { // see newestTurnBy
		step.Filter.From = new(f.From.Add(-time.Minute))
	}
	for {
		next, err := s.ConversationPage(ctx, accountID, step)
		if err != nil {
			return false, err
		}
		var ids []string
		for _, c := range next.Items {
			if c.UserID != nil && !met[*c.UserID] && (f.Search == "" || needle.In(*c.UserID)) {
				met[*c.UserID], ids = true, append(ids, *c.UserID)
			}
		}
		found, err := s.endUsersFrom(ctx, accountID, q, ids)
		if err != nil {
			return false, err
		}
		for i, c := range next.Items {
			place := ConversationPlace(c)
			page.Looked = &place
			if c.UserID != nil {
				add(page, found, *c.UserID, place)
			}
			if len(page.Items) == q.First {
				page.HasNext = next.HasNext || i+1 < len(next.Items) || f.ofAllTurns()
				return false, nil
			}
		}
		if !next.HasNext {
			return true, nil
		}
		if time.Now().After(until) {
			page.HasNext = true
			return false, nil
		}
		if step.After = page.Looked; len(ids) == 0 { // among conversations without end users
			step.First = db.MaxPage
		}
	}
}

// add adds an end user to a page once.
func add(page *db.Page[conversation.EndUser], found map[string]conversation.EndUser, id string,
	place db.Cursor,
) {
	if user, ok := found[id]; ok {
		page.Items, page.Places[id] = append(page.Items, user), place
		delete(found, id)
	}
}

// endUsersFrom returns those of the end users that match the filter and have no conversation at
// the query's place or above it: an earlier page has the others.
func (s Store) endUsersFrom(ctx context.Context, accountID uuid.UUID, q EndUserQuery, ids []string,
) (map[string]conversation.EndUser, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if q.After != nil || q.Filter.Blocked != nil {
		// Subqueries look up the end users one by one. A join might read all conversations.
		var text db.Statement
		text.Add(`SELECT u.id FROM unnest(?::text[]) u(id) WHERE true`, ids)
		if q.After != nil {
			text.Add(` AND (SELECT 1 FROM conversations c WHERE c.account_id = ?::uuid AND c.user_id = u.id
				AND c.deleted_at IS NULL AND (c.last_turn_at, c.id) >= (?::timestamptz, ?::uuid) AND `+byUser,
				accountID, time.UnixMicro(q.After.Key), q.After.ID)
			ofLiveAgents(&text, accountID)
			if q.Filter.AgentID != nil {
				text.Add(` AND c.agent_id = ?::uuid`, *q.Filter.AgentID)
			}
			text.Add(` LIMIT 1) IS NULL`)
		}
		if q.Filter.Blocked != nil {
			blocked(&text, accountID, "u.id", *q.Filter.Blocked)
		}
		var err error
		if ids, err = db.All[string](ctx, s.db, text.String(), text.Args()...); err != nil {
			return nil, err
		}
	}
	return s.described(ctx, accountID, ids, func(text *db.Statement) {
		text.Add(`SELECT seen.* FROM unnest(?::text[]) w(id) CROSS JOIN LATERAL (`, ids)
		seenEndUsers(text, accountID, q.Filter)
		text.Add(` AND c.user_id = w.id GROUP BY c.user_id LIMIT 1) seen`)
	})
}

// walkRules adds the end users who are blocked or limited and have no conversation to a page.
func (s Store) walkRules(ctx context.Context, accountID uuid.UUID, q EndUserQuery, until time.Time,
	page *db.Page[conversation.EndUser],
) error {
	type row struct {
		UserID string
		Silent bool
	}
	needle, after := find.New(q.Filter.Search), ""
	if q.After != nil {
		after = q.After.Text
	}
	for {
		var text db.Statement
		text.Add(`SELECT e.user_id, (SELECT 1 FROM conversations c WHERE c.account_id = ?::uuid
				AND c.user_id = e.user_id AND c.deleted_at IS NULL AND `+byUser, accountID)
		ofLiveAgents(&text, accountID)
		text.Add(` LIMIT 1) IS NULL AS silent FROM (SELECT e.user_id FROM end_users e
			WHERE e.account_id = ?::uuid AND e.user_id > ?::text`, accountID, after)
		if b := q.Filter.Blocked; b != nil {
			text.Add(` AND ?::bool = (e.blocked_at IS NOT NULL)`, *b)
		}
		text.Add(` ORDER BY e.user_id LIMIT ?::bigint) e ORDER BY e.user_id`, rulesStep)
		rows, err := db.All[row](ctx, s.db, text.String(), text.Args()...)
		if err != nil {
			return err
		}
		room, ids := q.First-len(page.Items), []string(nil)
		for i, r := range rows {
			if after = r.UserID; r.Silent && (q.Filter.Search == "" || needle.In(r.UserID)) {
				ids = append(ids, r.UserID)
			}
			if len(ids) == room {
				page.HasNext = i+1 < len(rows) || len(rows) == rulesStep
				break
			}
		}
		found, err := s.described(ctx, accountID, ids, func(text *db.Statement) {
			text.Add(`SELECT e.user_id, e.created_at AS first_seen_at, e.created_at AS last_seen_at,
					0 AS messages, 0 AS credits, 0 AS conversations
				FROM end_users e WHERE e.account_id = ?::uuid AND e.user_id = ANY(?::text[])`,
				accountID, ids)
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			add(page, found, id, db.Cursor{Text: id})
		}
		if after != "" {
			page.Looked = &db.Cursor{Text: after}
		}
		if len(ids) == room || len(rows) < rulesStep {
			return nil
		}
		if time.Now().After(until) {
			page.HasNext = true
			return nil
		}
	}
}

// described returns those of the end users that a statement selects with their usage, by ID.
func (s Store) described(ctx context.Context, accountID uuid.UUID, ids []string,
	usage func(*db.Statement),
) (map[string]conversation.EndUser, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var text db.Statement
	text.Add(describeEndUsers)
	usage(&text)
	text.Add(describedEndUsers, accountID, accountID, accountID, accountID)
	rows, err := db.All[conversation.EndUser](ctx, s.db, text.String(), text.Args()...)
	out := make(map[string]conversation.EndUser, len(rows))
	for _, u := range rows {
		out[u.UserID] = u
	}
	return out, err
}
