package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// CallFilter selects calls of the API that match all of its fields.
type CallFilter struct {
	// Search is a whole request id or a whole session label; empty finds all.
	Search string
	// requestID is Search for request ids alone.
	requestID string
	// Outcome is how they ended; empty finds all.
	Outcome conversation.Outcome
	// Codes are the codes with which they failed or were refused; nil finds all, answered ones too.
	Codes []string
	// AgentID and ExportID are theirs; nil finds all.
	AgentID, ExportID *uuid.UUID
	UserID            *string
	// From (inclusive) and To (exclusive) bound the time at which they arrived.
	From, To *time.Time
}

// CallQuery says which calls a page shows.
type CallQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the newest.
	After  *Cursor
	Filter CallFilter
}

// CallPage returns a page of an account's calls, the newest first, in one statement. It reads at most a page of each export and kind of
// call by index; the calls of an end user or a session are read with all turns of their conversations. Fault: InvalidInput on first,
// filter.search and filter.userId, before any statement.
func (s *Store) CallPage(ctx context.Context, accountID uuid.UUID, q CallQuery) (Page[conversation.Call], error) {
	if _, err := PageSize(&q.First); err != nil {
		return Page[conversation.Call]{}, err
	}
	search, err := conversation.ParseSearch("filter.search", q.Filter.Search)
	if q.Filter.Search = search; err == nil && q.Filter.UserID != nil {
		err = conversation.FindUser("filter.userId", *q.Filter.UserID)
	}
	if err != nil {
		return Page[conversation.Call]{}, err
	}
	c := newCallStatement(accountID, q)
	if c.parts == 0 {
		return Page[conversation.Call]{}, nil
	}
	items, err := all[conversation.Call](ctx, s, c.finish(q.First), c.args...)
	return cut(items, q.First), err
}

// CallsByIDs returns the calls of an account among those with public ids.
func (s *Store) CallsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]conversation.Call, error) {
	own := make([]uuid.UUID, len(ids))
	recorded := make([]bool, len(ids))
	for i, id := range ids {
		turn := false
		own[i], turn = conversation.OfPublicID(id)
		recorded[i] = !turn
	}
	c := &callStatement{account: accountID}
	c.add(`WITH page AS MATERIALIZED (SELECT id, recorded FROM (SELECT i.id, i.recorded FROM unnest(?::uuid[], ?::bool[]) i(id, recorded)
		WHERE CASE WHEN i.recorded THEN EXISTS (SELECT 1 FROM turnless_requests t WHERE t.id = i.id AND t.account_id = ?::uuid`+ofPresentAgent+`)
			ELSE EXISTS (SELECT 1 FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
				WHERE t.id = i.id AND t.account_id = ?::uuid`+turnCalls.settled+ofPresentAgent+`) END`, texts(own), recorded, accountID, accountID)
	found, err := all[conversation.Call](ctx, s, c.finish(len(ids)), c.args...)
	return byID(found, conversation.Call.PublicID), err
}

// ofPresentAgent is the condition that an agent of t is not deleted.
const ofPresentAgent = ` AND EXISTS (SELECT 1 FROM agents a WHERE a.id = t.agent_id AND a.deleted_at IS NULL)`

// CallByRequestID returns the newest call of an account under a request id. Fault: NotFound.
func (s *Store) CallByRequestID(ctx context.Context, accountID uuid.UUID, requestID string) (conversation.Call, error) {
	c := newCallStatement(accountID, CallQuery{First: 1, Filter: CallFilter{requestID: requestID}})
	return one[conversation.Call](ctx, s, c.finish(0), c.args...)
}

// callTable is one of the two tables of calls, as t.
type callTable struct{ name, code, recorded, settled string }

var (
	turnCalls = callTable{name: "turns", code: "error_code", recorded: "false",
		settled: ` AND t.state <> 'PENDING' AND t.export_id IS NOT NULL`}
	recordedCalls = callTable{name: "turnless_requests", code: "code", recorded: "true"}
)

// callStatement composes the statement of a page: first its ids, from several indexes, then their rows.
type callStatement struct {
	statement
	account uuid.UUID
	q       CallQuery
	// from (inclusive) and before (exclusive) bound the ids.
	from, before uuid.UUID
	parts        int
}

func newCallStatement(accountID uuid.UUID, q CallQuery) *callStatement {
	c := &callStatement{account: accountID, q: q, before: uuid.Max}
	if q.Filter.To != nil {
		c.before = conversation.FirstID(*q.Filter.To)
	}
	if q.After != nil && slices.Compare(q.After.ID[:], c.before[:]) < 0 {
		c.before = q.After.ID
	}
	if q.Filter.From != nil {
		c.from = conversation.FirstID(*q.Filter.From)
	}
	c.add(`WITH page AS MATERIALIZED (SELECT id, recorded FROM (`)
	answered, failed, refused := c.asks(conversation.CallAnswered), c.asks(conversation.CallFailed), c.asks(conversation.CallRefused)
	switch f := q.Filter; {
	case f.Search != "" || f.requestID != "" || f.UserID != nil:
		if answered || failed {
			c.some(turnCalls, states(answered, failed))
		}
		if answered || refused {
			c.some(recordedCalls, kinds(answered, refused))
		}
	default:
		if answered {
			c.byExport(turnCalls, states(answered, failed), nil)
			c.byExport(recordedCalls, kinds(true, false), nil)
		} else if failed {
			c.byExport(turnCalls, states(false, true), f.Codes)
		}
		if refused {
			c.byExport(recordedCalls, kinds(false, true), f.Codes)
		}
	}
	return c
}

// asks reports whether calls with an outcome may match.
func (c *callStatement) asks(o conversation.Outcome) bool {
	f := c.q.Filter
	return (f.Outcome == "" || f.Outcome == o) && (f.Codes == nil || o != conversation.CallAnswered && len(f.Codes) > 0)
}

// states and kinds are the conditions on turns and on recorded calls, as their indexes have them.
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

// part begins another select of ids.
func (c *callStatement) part(table callTable) {
	if c.parts++; c.parts > 1 {
		c.add(` UNION `)
	}
	c.add(`(SELECT t.id, ` + table.recorded + ` AS recorded FROM `)
}

// end ends a part with the conditions that no index has.
func (c *callStatement) end(table callTable, which string) {
	f := c.q.Filter
	c.add(table.settled + which)
	if table == turnCalls {
		c.add(` AND (SELECT c.deleted_at FROM conversations c WHERE c.id = t.conversation_id) IS NULL`)
	}
	if f.Codes != nil {
		c.add(` AND t.`+table.code+` = ANY(?::text[])`, f.Codes)
	}
}

// byExport adds the calls in a table of all exports of the account, or of one, or of one agent's, each in the order of an index. Rows
// are compared as a whole, because only that index has their order: the planner then uses it whatever it knows of the table.
func (c *callStatement) byExport(table callTable, which string, codes []string) {
	f := c.q.Filter
	c.part(table)
	c.add(`api_exports x JOIN agents a ON a.id = x.agent_id AND a.deleted_at IS NULL `)
	key, low, order := `t.export_id, t.id`, `x.id, `, `export_id DESC, id DESC`
	if codes != nil {
		c.add(`CROSS JOIN unnest(?::text[]) f(code) `, codes)
		key, low, order = `t.export_id, t.`+table.code+`, t.id`, `x.id, f.code, `, `export_id DESC, `+table.code+` DESC, id DESC`
	}
	c.add(`CROSS JOIN LATERAL (`)
	c.page(order, c.q.First, func() {
		c.add(`SELECT t.* FROM `+table.name+` t WHERE (`+key+`) < (`+low+`?::uuid) AND (`+key+`) >= (`+low+`?::uuid)`, c.before, c.from)
		c.end(table, which)
	})
	c.add(`) t WHERE x.account_id = ?::uuid`, c.account)
	if f.AgentID != nil {
		c.add(` AND x.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		c.add(` AND x.id = ?::uuid`, *f.ExportID)
	}
	c.add(`)`)
}

// some adds the few calls in a table that the search or the end user selects.
func (c *callStatement) some(table callTable, which string) {
	f := c.q.Filter
	if id := cmp.Or(f.requestID, f.Search); id != "" {
		c.part(table)
		c.add(table.name+` t WHERE (t.request_id, t.account_id, t.id) < (?::text, ?::uuid, ?::uuid)
			AND (t.request_id, t.account_id, t.id) >= (?::text, ?::uuid, ?::uuid)`, id, c.account, c.before, id, c.account, c.from)
		c.rest(table, which)
		c.add(` ORDER BY t.request_id DESC, t.account_id DESC, t.id DESC LIMIT ?::bigint)`, c.q.First+1)
	}
	if f.requestID != "" {
		return
	}
	c.part(table)
	column, value := `session_id`, f.Search
	if f.Search == "" {
		column, value = `user_id`, *f.UserID
	}
	if table == recordedCalls {
		c.add(`turnless_requests t WHERE t.account_id = ?::uuid AND t.`+column+` = ?::text`, c.account, value)
	} else {
		c.add(`agents a JOIN conversations c ON c.account_id = a.account_id AND c.agent_id = a.id AND c.source = 'API'
			AND c.deleted_at IS NULL AND c.`+column+` = ?::text JOIN turns t ON t.conversation_id = c.id
			WHERE a.account_id = ?::uuid AND a.deleted_at IS NULL`, value, c.account)
	}
	c.rest(table, which)
	c.add(` AND t.id < ?::uuid AND t.id >= ?::uuid ORDER BY t.id DESC LIMIT ?::bigint)`, c.before, c.from, c.q.First+1)
}

// rest ends a part that does not come from the exports.
func (c *callStatement) rest(table callTable, which string) {
	f := c.q.Filter
	c.end(table, which)
	if f.Search != "" && f.UserID != nil {
		if table == recordedCalls {
			c.add(` AND t.user_id = ?::text`, *f.UserID)
		} else {
			c.add(` AND (SELECT c.user_id FROM conversations c WHERE c.id = t.conversation_id) = ?::text`, *f.UserID)
		}
	}
	if f.AgentID != nil {
		c.add(` AND t.agent_id = ?::uuid`, *f.AgentID)
	}
	if f.ExportID != nil {
		c.add(` AND t.export_id = ?::uuid`, *f.ExportID)
	}
}

// finish returns the text: a page of so many calls, and one more.
func (c *callStatement) finish(first int) string {
	c.add(`) u ORDER BY id DESC LIMIT ?::bigint)
		SELECT t.* FROM page p CROSS JOIN LATERAL (
			SELECT t.id, t.request_id, CASE t.state WHEN 'ANSWERED' THEN 'ANSWERED' ELSE 'FAILED' END AS outcome, t.error_code AS code,
				NULL::text AS detail, t.agent_id, t.export_id, NULL::text AS key_hint, NULL::text AS client_address,
				c.session_id, c.user_id, t.model, coalesce(t.streamed, false) AS streamed, false AS replayed,
				CASE t.state WHEN 'ANSWERED' THEN t.price ELSE 0 END AS credits,
				turn_duration_1(t.duration_ms, t.created_at, t.settled_at)::bigint AS duration_ms, t.waited_ms::bigint, t.model_ms::bigint,
				t.conversation_id, t.id AS turn_id
			FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE NOT p.recorded AND t.id = p.id
			UNION ALL
			SELECT r.id, r.request_id, CASE WHEN r.code IS NULL THEN 'ANSWERED' ELSE 'REFUSED' END, r.code, r.detail,
				r.agent_id, r.export_id, r.key_hint, r.client_address, r.session_id, r.user_id, t.model,
				r.streamed, r.code IS NULL, 0, r.duration_ms, NULL, NULL,
				t.conversation_id, t.id
			FROM turnless_requests r LEFT JOIN turns t ON t.id = r.turn_id WHERE p.recorded AND r.id = p.id
		) t ORDER BY t.id DESC`, first+1)
	return c.text.String()
}
