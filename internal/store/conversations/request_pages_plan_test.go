package conversations_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// manyRequests are an account's requests over 40 exports of 25 agents: turns, ten to a
// conversation, with a few failures, and a tenth as many requests without a turn. Another account
// has the same number.
type manyRequests struct {
	storetest.Fixture
	url    string
	export uuid.UUID
}

func newManyRequests(t testing.TB, turns int) (manyRequests, *store.DB) {
	t.Helper()
	m := manyRequests{url: storetest.URL(t)}
	s := storetest.Open(t, m.url)
	for range 2 {
		m.Fixture = storetest.Seed(t, s, storetest.Options{Credits: -1})
		me := m.Account.ID
		storetest.Exec(t, s,
			`INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), $1, 'Agent' FROM generate_series(2, 25)`,
			me)
		storetest.Exec(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name)
			SELECT gen_random_uuid(), $1, (array_agg(a.id))[1 + n % 25], 'Export' FROM generate_series(2, 40) n, agents a WHERE a.account_id = $1 GROUP BY n`, me)
		storetest.Bulk(t, s,
			`INSERT INTO conversations (id, account_id, agent_id, source, session_id, user_id, turn_count, last_turn_at)
			SELECT md5($1::text || 'c' || n)::uuid, $1, x.agents[1 + n % 40], 'API', 'session ' || n, 'user ' || n % 1000, 10,
				timestamptz '2026-01-01' + n * interval '1 minute'
			FROM generate_series(0, $2 / 10 - 1) n, (SELECT array_agg(agent_id ORDER BY id) AS agents FROM api_exports WHERE account_id = $1) x`, me, turns)
		storetest.Bulk(t, s,
			`INSERT INTO turns (id, account_id, agent_id, conversation_id, export_id, source, number, state, message, reply, error_code, model, price,
				request_id, deadline, created_at, settled_at, duration_ms, counted)
			SELECT (lpad(to_hex(1767225600000 + n * 1000::bigint), 12, '0') || '7000' || substr(md5($1::text || n), 17))::uuid, $1, x.agents[1 + n / 10 % 40],
				md5($1::text || 'c' || n / 10)::uuid, x.exports[1 + n / 10 % 40], 'API', 1 + n % 10, CASE n % 10000 WHEN 5 THEN 'FAILED' ELSE 'ANSWERED' END,
				'hello', 'hi', CASE n % 10000 WHEN 5 THEN CASE n % 50000 WHEN 5 THEN 'model_timeout' ELSE 'model_error' END END, 'm', 1, 'request ' || n, now(),
				now(), now(), 5, true
			FROM generate_series(0, $2 - 1) n,
				(SELECT array_agg(agent_id ORDER BY id) AS agents, array_agg(id ORDER BY id) AS exports FROM api_exports WHERE account_id = $1) x`, me, turns)
		storetest.Bulk(t, s,
			`INSERT INTO rejected_requests (id, account_id, agent_id, export_id, key_hint, created_at, request_id, status, code, detail, client_address,
				session_id, user_id, streamed, duration_ms)
			SELECT (lpad(to_hex(1767225600000 + n * 10000::bigint), 12, '0') || '7001' || substr(md5($1::text || n), 17))::uuid, $1, x.agents[1 + n % 40],
				x.exports[1 + n % 40], 'ack…', now(), 'refused ' || n, 429, CASE n % 1000 WHEN 0 THEN NULL WHEN 1 THEN 'unavailable' ELSE 'rate_limited' END,
				'Too many.', '192.0.2.1', 'session ' || n, 'user ' || n % 1000, false, 1
			FROM generate_series(0, $2 / 10 - 1) n,
				(SELECT array_agg(agent_id ORDER BY id) AS agents, array_agg(id ORDER BY id) AS exports FROM api_exports WHERE account_id = $1) x`, me, turns)
	}
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	m.export = m.Export.ID
	return m, s
}

func (m manyRequests) filters() map[string]conversations.RequestFilter {
	user, from := "user 7", storetest.Time("2026-01-01T01:00:00Z")
	return map[string]conversations.RequestFilter{
		"all": {}, "answered": {Outcome: conversation.RequestAnswered}, "failed": {Outcome: conversation.RequestFailed},
		"refused": {Outcome: conversation.RequestRefused}, "a rare code": {Codes: []string{"model_timeout"}}, "a code that none has": {Codes: []string{"x"}},
		"a rare refusal": {Codes: []string{"unavailable"}, Outcome: conversation.RequestRefused}, "an agent": {AgentID: &m.Agent.ID},
		"an export": {ExportID: &m.export}, "an export's failures": {ExportID: &m.export, Outcome: conversation.RequestFailed},
		"an end user": {UserID: &user}, "a request id": {Search: "request 77"}, "a session": {Search: "session 77"}, "since then": {From: &from},
		"until then": {To: &from}, "a text": {Text: "hello"},
	}
}

// pages are the first page, and the one at the end of the list.
func (m manyRequests) pages() map[string]*store.Cursor {
	early := conversation.FirstID(storetest.Time("2026-01-01T00:05:00Z"))
	return map[string]*store.Cursor{"first": nil, "last": {ID: early}}
}

// TestRequestPagesAreReadByIndex: no page of requests reads a long table from end to end, whatever
// the filter.
func TestRequestPagesAreReadByIndex(t *testing.T) {
	testlong.Only(t) // builds and explains lists of 100,000 rows
	t.Parallel()
	m, _ := newManyRequests(t, 100_000)
	s, cost := storetest.Planner(t, m.url)
	for what, f := range m.filters() {
		for where, after := range m.pages() {
			p := cost(func() error {
				_, err := conversations.On(s).RequestPage(t.Context(), m.Account.ID,
					conversations.RequestQuery{First: 20, After: after, Filter: f})
				return err
			})
			// 40 exports, 21 rows of each, each with its conversation and some levels of index.
			if long := slices.DeleteFunc(p.Scanned, func(table string) bool { return !slices.Contains(longTables, table) }); p.Blocks > 15_000 || len(long) > 0 {
				t.Errorf("%s, %s: %v pages are looked at, from end to end %v", what, where, p.Blocks, long)
			} else {
				t.Logf("%s, %s: %v pages", what, where, p.Blocks)
			}
		}
	}
}

var longTables = []string{"turns", "conversations", "rejected_requests"}

// BenchmarkRequestPages reports how long the first and the last page of a million turns take, for
// every filter.
func BenchmarkRequestPages(b *testing.B) {
	m, s := newManyRequests(b, 1_000_000)
	for what, f := range m.filters() {
		b.Run(what, func(b *testing.B) {
			took := map[string]time.Duration{}
			for b.Loop() {
				for where, after := range m.pages() {
					began := time.Now()
					if _, err := conversations.On(s).RequestPage(b.Context(), m.Account.ID, conversations.RequestQuery{First: 20, After: after, Filter: f}); err != nil {
						b.Fatal(err)
					}
					took[where] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took["first"].Milliseconds())/float64(b.N), "first-ms")
			b.ReportMetric(float64(took["last"].Milliseconds())/float64(b.N), "last-ms")
		})
	}
}
