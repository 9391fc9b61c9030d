package conversations

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// RequestFilter selects requests that match all of its fields.
type RequestFilter struct {
	// Search is a whole request id or a whole session ID; empty matches all.
	Search string
	// requestID is a whole request id; unlike Search, it matches no session IDs.
	requestID string
	// Outcome is the outcome; empty matches all.
	Outcome conversation.Outcome
	// Codes are the codes of failed and rejected requests; nil matches all requests, including
	// answered ones.
	Codes []string
	// AgentID, ExportID and UserID are those of the request; nil matches all.
	AgentID, ExportID *uuid.UUID
	UserID            *string
	// From (inclusive) and To (exclusive) bound the time of arrival.
	From, To *time.Time
	// Text is a part of the message or reply of the request's turn, as in ConversationFilter; empty
	// matches all. Rejected requests have no text.
	Text string
}

// RequestQuery selects a page of requests.
type RequestQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last request before the page; nil starts with the newest.
	After  *db.Cursor
	Filter RequestFilter
}

// RequestPage returns a page of an account's requests, the newest first, in one statement. It reads
// at most a page of each export and kind of request by index. For an end user or a session it reads
// all turns of their conversations. A text search takes a sequence of statements: its page may be
// short, or empty, although there are more. Fault: InvalidInput on first, filter.search,
// filter.text and filter.userId, before any statement.
func (s Store) RequestPage(ctx context.Context, accountID uuid.UUID, q RequestQuery,
) (db.Page[conversation.Request], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[conversation.Request]{}, err
	}
	var err error
	if q.Filter.Search, err = conversation.ParseSearch("filter.search", q.Filter.Search); err == nil {
		q.Filter.Text, err = conversation.ParseSearch("filter.text", q.Filter.Text)
	}
	if err == nil && q.Filter.UserID != nil {
		err = conversation.FindUser("filter.userId", *q.Filter.UserID)
	}
	switch {
	case err != nil:
		return db.Page[conversation.Request]{}, err
	case q.Filter.Text != "":
		return s.searchRequests(ctx, accountID, q)
	}
	return s.requestPage(ctx, accountID, q)
}

// requestPage returns a page of the requests that may match.
func (s Store) requestPage(ctx context.Context, accountID uuid.UUID, q RequestQuery,
) (db.Page[conversation.Request], error) {
	c := newRequestStatement(accountID, q)
	if c.parts == 0 {
		return db.Page[conversation.Request]{}, nil
	}
	items, err := db.All[conversation.Request](ctx, s.db, c.finish(q.First), c.Args()...)
	return db.Cut(items, q.First), err
}

// RequestsByIDs returns an account's requests by their public ids. Unknown ids are missing.
func (s Store) RequestsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]conversation.Request, error) {
	var turns, rejected []uuid.UUID
	for _, id := range ids {
		if own, ofTurn := conversation.OfPublicID(id); ofTurn {
			turns = append(turns, own)
		} else {
			rejected = append(rejected, own)
		}
	}
	c := &requestStatement{account: accountID}
	c.Add(`WITH page AS MATERIALIZED (SELECT id, is_turn FROM (
		SELECT t.id, true AS is_turn FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
		WHERE t.id = ANY(?::uuid[]) AND t.account_id = ?::uuid`+turnRequests.settled+ofPresentAgent, db.Texts(turns), accountID)
	c.Add(` UNION ALL SELECT t.id, false FROM rejected_requests t WHERE t.id = ANY(?::uuid[]) AND t.account_id = ?::uuid`+ofPresentAgent,
		db.Texts(rejected), accountID)
	found, err := db.All[conversation.Request](ctx, s.db, c.finish(len(ids)), c.Args()...)
	return db.ByID(found, conversation.Request.PublicID), err
}

// ofPresentAgent is the condition that the agent of t is not deleted.
const ofPresentAgent = ` AND EXISTS (SELECT 1 FROM agents a WHERE a.id = t.agent_id AND a.deleted_at IS NULL)`

// RequestByRequestID returns the newest request of an account with a request id. Fault: NotFound.
func (s Store) RequestByRequestID(ctx context.Context, accountID uuid.UUID, requestID string,
) (conversation.Request, error) {
	if requestID == "" { // no request has an empty id, and an empty filter matches any
		return conversation.Request{}, fault.Wrap(fault.NotFound, nil)
	}
	c := newRequestStatement(accountID,
		RequestQuery{First: 1, Filter: RequestFilter{requestID: requestID}})
	return db.One[conversation.Request](ctx, s.db, c.finish(0), c.Args()...)
}

// requestTable is one of the two tables of requests, as t.
type requestTable struct{ name, code, isTurn, settled string }

var (
	turnRequests = requestTable{name: "turns", code: "error_code", isTurn: "true",
		settled: ` AND t.state <> 'PENDING' AND t.export_id IS NOT NULL`}
	rejectedRequests = requestTable{name: "rejected_requests", code: "code", isTurn: "false"}
)

// requestStatement composes the statement of a page: it selects the ids from several indexes, then
// their rows.
type requestStatement struct {
	db.Statement
	account uuid.UUID
	q       RequestQuery
	// from (inclusive) and before (exclusive) bound the ids.
	from, before uuid.UUID
	parts        int
}

func newRequestStatement(accountID uuid.UUID, q RequestQuery) *requestStatement {
	c := &requestStatement{account: accountID, q: q, before: uuid.Max}
	if q.Filter.To != nil {
		c.before = conversation.FirstID(*q.Filter.To)
	}
	if q.After != nil && slices.Compare(q.After.ID[:], c.before[:]) < 0 {
		c.before = q.After.ID
	}
	if q.Filter.From != nil {
		c.from = conversation.FirstID(*q.Filter.From)
	}
	c.Add(`WITH page AS MATERIALIZED (SELECT id, is_turn FROM (`)
	answered, failed := c.mayMatch(conversation.RequestAnswered), c.mayMatch(conversation.RequestFailed)
	refused := c.mayMatch(conversation.RequestRefused)
	switch f := q.Filter; {
	case f.Search != "" || f.requestID != "" || f.UserID != nil:
		if answered || failed {
			c.addSelected(turnRequests, states(answered, failed))
		}
		if answered || refused {
			c.addSelected(rejectedRequests, kinds(answered, refused))
		}
	default:
		if answered {
			c.addByExport(turnRequests, states(answered, failed), nil)
			c.addByExport(rejectedRequests, kinds(true, false), nil)
		} else if failed {
			c.addByExport(turnRequests, states(false, true), f.Codes)
		}
		if refused {
			c.addByExport(rejectedRequests, kinds(false, true), f.Codes)
		}
	}
	return c
}

// mayMatch reports whether requests with an outcome can match the filter.
func (c *requestStatement) mayMatch(o conversation.Outcome) bool {
	f := c.q.Filter
	if f.Text != "" && o == conversation.RequestRefused {
		return false
	}
	return (f.Outcome == "" || f.Outcome == o) && (f.Codes == nil || o != conversation.RequestAnswered && len(f.Codes) > 0)
}

// states and kinds are the conditions on turns and on requests without a turn, worded as in their
// partial indexes.
func states(answered, failed bool) string {
	switch {
	case answered && failed:
		return ``
	case answered:
		return ` AND t.state = 'ANSWERED'`
	}
	return ` AND t.state = 'FAILED'`
}

func kinds(replayed, refused bool) string {
	switch {
	case replayed && refused:
		return ``
	case replayed:
		return ` AND t.code IS NULL`
	}
	return ` AND t.code IS NOT NULL`
}

// beginPart begins another select of ids.
func (c *requestStatement) beginPart(table requestTable) {
	if c.parts++; c.parts > 1 {
		c.Add(` UNION `)
	}
	c.Add(`(SELECT t.id, ` + table.isTurn + ` AS is_turn FROM `)
}

// addConditions adds the conditions that no index covers.
func (c *requestStatement) addConditions(table requestTable, which string) {
	f := c.q.Filter
	c.Add(table.settled + which)
	if table == turnRequests {
		c.Add(` AND (SELECT c.deleted_at FROM conversations c WHERE c.id = t.conversation_id) IS NULL`)
	}
	if f.Codes != nil {
		c.Add(` AND t.`+table.code+` = ANY(?::text[])`, f.Codes)
	}
}

// addByExport adds the requests in a table of all exports of the account, of one export, or of one
// agent's exports, each in index order. Rows are compared as a whole because only one index has
// that order. So the planner uses it, whatever its statistics say.
func (c *requestStatement) addByExport(table requestTable, which string, codes []string) {
	f := c.q.Filter
	c.beginPart(table)
	c.Add(`api_exports x JOIN agents a ON a.id = x.agent_id AND a.deleted_at IS NULL `)
	key, low, order := `t.export_id, t.id`, `x.id, `, `export_id DESC, id DESC`
	if codes != nil {
		c.Add(`CROSS JOIN unnest(?::text[]) f(code) `, codes)
		key, low, order = `t.export_id, t.`+table.code+`, t.id`,
			`x.id, f.code, `, `export_id DESC, `+table.code+` DESC, id DESC`
	}
	c.Add(`CROSS JOIN LATERAL (`)
	c.Page(order, c.q.First, func() {
		c.Add(`SELECT t.* FROM `+table.name+` t WHERE (`+key+`) < (`+low+`?::uuid) AND (`+key+`) >= (`+low+`?::uuid)`, c.before, c.from)
		c.addConditions(table, which)
	})
	c.Add(`) t WHERE x.account_id = ?::uuid`, c.account)
	if f.AgentID != nil {
		c.Add(` AND x.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		c.Add(` AND x.id = ?::uuid`, *f.ExportID)
	}
	c.Add(`)`)
}

// byRequestID is the key of the indexes by request ID.
const byRequestID = `hashtextextended(t.request_id, 0), t.account_id, t.id`

// addSelected adds the few requests in a table that a search or an end user selects.
func (c *requestStatement) addSelected(table requestTable, which string) {
	f := c.q.Filter
	if id := cmp.Or(f.requestID, f.Search); id != "" {
		c.beginPart(table)
		c.Add(table.name+` t WHERE t.request_id = ?::text
			AND (`+byRequestID+`) < (hashtextextended(?::text, 0), ?::uuid, ?::uuid)
			AND (`+byRequestID+`) >= (hashtextextended(?::text, 0), ?::uuid, ?::uuid)`,
			id, id, c.account, c.before, id, c.account, c.from)
		c.endSelected(table, which)
		c.Add(` ORDER BY hashtextextended(t.request_id, 0) DESC, t.account_id DESC, t.id DESC
			LIMIT ?::bigint)`, c.q.First+1)
	}
	if f.requestID != "" {
		return
	}
	c.beginPart(table)
	column, value := `session_id`, f.Search
	if f.Search == "" {
		column, value = `user_id`, *f.UserID
	}
	if table == rejectedRequests {
		c.Add(`rejected_requests t WHERE t.account_id = ?::uuid AND t.`+column+` = ?::text`, c.account, value)
	} else {
		c.Add(`agents a JOIN conversations c ON c.account_id = a.account_id AND c.agent_id = a.id AND c.source = 'API'
			AND c.deleted_at IS NULL AND c.`+column+` = ?::text JOIN turns t ON t.conversation_id = c.id
			WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL`, value, c.account)
	}
	c.endSelected(table, which)
	c.Add(` AND t.id < ?::uuid AND t.id >= ?::uuid ORDER BY t.id DESC LIMIT ?::bigint)`, c.before, c.from, c.q.First+1)
}

// endSelected adds the remaining conditions of addSelected.
func (c *requestStatement) endSelected(table requestTable, which string) {
	f := c.q.Filter
	c.addConditions(table, which)
	c.Add(ofPresentAgent)
	if f.Search != "" && f.UserID != nil {
		if table == rejectedRequests {
			c.Add(` AND t.user_id = ?::text`, *f.UserID)
		} else {
			c.Add(` AND (SELECT c.user_id FROM conversations c WHERE c.id = t.conversation_id) = ?::text`, *f.UserID)
		}
	}
	if f.AgentID != nil {
		c.Add(` AND t.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		c.Add(` AND t.export_id = ?::uuid`, *f.ExportID)
	}
}

// finish returns the text of the statement for a page of first requests, and one more.
func (c *requestStatement) finish(first int) string {
	c.Add(`) u ORDER BY id DESC LIMIT ?::bigint)
		SELECT t.* FROM page p CROSS JOIN LATERAL (
			SELECT t.id, t.request_id, CASE t.state WHEN 'ANSWERED' THEN 'ANSWERED' ELSE 'FAILED' END AS outcome, t.error_code AS code,
				NULL::text AS detail, t.agent_id, t.export_id, NULL::text AS key_hint, NULL::text AS client_address,
				c.session_id, c.user_id, t.model, coalesce(t.streamed, false) AS streamed, false AS replayed,
				coalesce(t.background, false) AS background,
				CASE t.state WHEN 'ANSWERED' THEN t.price ELSE 0 END AS credits,
				turn_duration_1(t.duration_ms, t.created_at, t.settled_at)::bigint AS duration_ms, t.waited_ms::bigint, t.model_ms::bigint,
				t.conversation_id, t.id AS turn_id
			FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE p.is_turn AND t.id = p.id
			UNION ALL
			SELECT r.id, r.request_id, CASE WHEN r.code IS NULL THEN 'ANSWERED' ELSE 'REFUSED' END, r.code, r.detail,
				r.agent_id, r.export_id, r.key_hint, r.client_address, r.session_id, r.user_id, t.model,
				r.streamed, r.code IS NULL, coalesce(t.background, false), 0, r.duration_ms, NULL, NULL,
				t.conversation_id, t.id
			FROM rejected_requests r LEFT JOIN turns t ON t.id = r.turn_id WHERE NOT p.is_turn AND r.id = p.id
		) t ORDER BY t.id DESC`, first+1)
	return c.String()
}
