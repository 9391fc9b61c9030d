package conversations_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// pageBlocks is the most pages of 8 KiB that a page of 20 may look at, first or last, whatever the
// filter: an index is some three pages deep, and each of 21 rows may lie on a page of its own.
const pageBlocks = 250

// longLists is an account whose every list has historyRows rows.
type longLists struct {
	storetest.Fixture
	url string
	// other, rare and rareExport are of the credit history; few is an agent that has five of
	// everything.
	other, rare, rareExport, few uuid.UUID
	conversation                 uuid.UUID
}

func newLongLists(t testing.TB) (longLists, *store.DB) {
	t.Helper()
	l := longLists{url: storetest.URL(t), conversation: uuid.Must(uuid.NewV7())}
	s := storetest.Open(t, l.url)
	l.Fixture = storetest.Seed(t, s, storetest.Options{Credits: -1})
	stranger := storetest.Seed(t, s, storetest.Options{Credits: -1})
	storetest.LongHistory(t, s, stranger, storetest.HistoryRows/10)
	l.other, l.rare, l.rareExport = storetest.LongHistory(t, s, l.Fixture, storetest.HistoryRows)
	for rows, f := range map[int]storetest.Fixture{storetest.HistoryRows / 10: stranger, storetest.HistoryRows: l.Fixture} { // one in 10,000 of the playground
		storetest.Bulk(t, s,
			`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at, user_id)
			SELECT gen_random_uuid(), $1, $2, CASE n % 10000 WHEN 0 THEN 'PLAYGROUND' ELSE 'API' END, 'customer ' || n, 1,
				timestamptz '2026-01-01' + n * interval '1 minute', CASE n % 2 WHEN 0 THEN 'user ' || n / 2 END
			FROM generate_series(1, $3) n`, f.Account.ID, f.Agent.ID, rows)
		storetest.Bulk(t, s,
			`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price,
				request_id, deadline, created_at)
			SELECT gen_random_uuid(), account_id, agent_id, id, source, 1, 'ANSWERED', 'hello', 'hi', 'm', 1, 'r', now(), last_turn_at
			FROM conversations WHERE account_id = $1 AND user_id IS NOT NULL`, f.Account.ID)
		storetest.Bulk(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name, removed_at)
			SELECT gen_random_uuid(), $1, $2, 'Old', now() FROM generate_series(1, $3)`,
			f.Account.ID, f.Agent.ID, rows)
	}
	l.few = storetest.SeedAgent(t, s, l.Account.ID, storetest.Options{Draft: true}).ID
	storetest.Exec(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name, removed_at)
		SELECT gen_random_uuid(), $1, $2, 'Old', now() FROM generate_series(1, 5)`, l.Account.ID, l.few)
	storetest.Exec(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', 'customer ' || n, 1, timestamptz '2026-01-01' + n * interval '1 day'
		FROM generate_series(1, 5) n`, l.Account.ID, l.few)
	storetest.Exec(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		VALUES ($1, $2, $3, 'API', 'long', $4, '2025-01-01')`,
		l.conversation, l.Account.ID, l.Agent.ID, storetest.HistoryRows)
	storetest.Exec(t, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at, user_id)
		VALUES (gen_random_uuid(), $1, $2, 'API', 'oldest', 1, '2024-01-01', 'user 40000')`,
		l.Account.ID, l.Agent.ID)
	storetest.Bulk(t, s,
		`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), $1, $2, $3, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 1, 'r', now() FROM generate_series(1, $4) n`,
		l.Account.ID, l.Agent.ID, l.conversation, storetest.HistoryRows)
	storetest.Bulk(t, s, `INSERT INTO end_users (account_id, user_id, user_hash, daily_message_limit)
		SELECT $1, u, end_user_hash_1(u), 5 FROM generate_series(50, $2, 50) n, concat('user ', n) u`,
		l.Account.ID, storetest.HistoryRows/2)
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	return l, s
}

// isLong says that a table of newLongLists is long: of the short ones PostgreSQL rightly reads all.
func isLong(table string) bool { return table != "agents" && table != "accounts" }

// smallAccounts makes 2,000 accounts with 20 rows in every list: what the planner takes every
// account for.
func smallAccounts(t testing.TB, s *store.DB) {
	t.Helper()
	for _, query := range []string{
		`INSERT INTO accounts (id, name) SELECT gen_random_uuid(), 'Small' FROM generate_series(1, 2000) n`,
		`INSERT INTO agents (id, account_id, name) SELECT gen_random_uuid(), id, 'Small' FROM accounts WHERE name = 'Small'`,
		`INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, agent_id, turn_id)
			SELECT gen_random_uuid(), account_id, n, 'CHARGE', 0, 0, id, gen_random_uuid() FROM generate_series(1, 20) n, agents WHERE name = 'Small'`,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			SELECT gen_random_uuid(), account_id, id, 'API', n::text, 1 FROM generate_series(1, 20) n, agents WHERE name = 'Small'`,
		`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
			SELECT gen_random_uuid(), account_id, agent_id, id, 'API', n, 'FAILED', 'hello', 'm', 1, 'r', now()
			FROM generate_series(1, 5) n, conversations WHERE session_id < '2'`,
		`INSERT INTO api_exports (id, account_id, agent_id, name) SELECT gen_random_uuid(), account_id, id, 'Small' FROM generate_series(1, 20), agents
			WHERE name = 'Small'`,
	} {
		storetest.Bulk(t, s, query)
	}
}

// TestLongListsAreReadByIndex asks for the first and the last page of every list of 100,000 rows,
// with each filter: neither reads a table from end to end, or more than a page's worth.
func TestLongListsAreReadByIndex(t *testing.T) {
	testlong.Only(t) // builds and explains lists of 100,000 rows
	t.Parallel()
	l, s := newLongLists(t)
	readsByIndex(t, l, "few accounts")
	smallAccounts(t, s)
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	readsByIndex(t, l, "many accounts")
}

func readsByIndex(t *testing.T, l longLists, among string) {
	t.Helper()
	s, cost := storetest.Planner(t, l.url)
	ctx, me := t.Context(), l.Account.ID
	check := func(what string, call func() error) {
		t.Helper()
		what = among + ": " + what
		if p := cost(call); p.Blocks > pageBlocks || slices.ContainsFunc(p.Scanned, isLong) {
			t.Errorf("%s: %v pages are looked at, from end to end %v", what, p.Blocks, p.Scanned)
		} else {
			t.Logf("%s: %v pages", what, p.Blocks)
		}
	}
	ends := func(what string, first, last *store.Cursor, read func(after *store.Cursor) error) {
		t.Helper()
		check(what+", first", func() error { return read(first) })
		check(what+", last", func() error { return read(last) })
	}
	day, oldest := storetest.Time("2026-02-01T00:00:00Z"), storetest.Time("2026-01-01T01:00:00Z")
	for what, f := range map[string]credits.CreditFilter{
		"all": {}, "grants": {Kind: credit.Grant}, "adjustments": {Kind: credit.Adjustment}, "charges": {Kind: credit.Charge},
		"agent": {AgentID: &l.Agent.ID}, "rare agent": {AgentID: &l.rare}, "export": {ExportID: &l.Export.ID},
		"rare export": {ExportID: &l.rareExport}, "both": {AgentID: &l.Agent.ID, ExportID: &l.Export.ID},
		"an export of another agent": {AgentID: &l.other, ExportID: &l.Export.ID}, "another agent's charges": {AgentID: &l.other, Kind: credit.Charge},
		"an agent's grants": {AgentID: &l.Agent.ID, Kind: credit.Grant}, "a stranger's agent": {AgentID: &uuid.Max}, "from": {From: &day},
		"to": {To: &day}, "from, to": {From: &oldest, To: &day}, "the agent's to": {To: &day, AgentID: &l.Agent.ID},
		"the rare agent's to": {To: &day, AgentID: &l.rare}, "grants to": {To: &day, Kind: credit.Grant}, "the oldest": {To: &oldest},
	} {
		ends("credits: "+what, nil, &store.Cursor{Key: 16}, func(after *store.Cursor) error {
			q := credits.CreditQuery{First: 20, After: after, Filter: f}
			return storetest.ErrOnly(credits.On(s).CreditPage(ctx, me, q))
		})
	}
	for what, id := range map[string]uuid.UUID{"charge": credit.ChargeID(l.rare), "grant": l.rare} {
		check("credits: a "+what+" by its id", func() error {
			if _, err := credits.On(s).CreditEntry(ctx, me, id); !fault.Is(err, fault.NotFound) {
				return err
			}
			return nil
		})
	}
	label := "customer 77"
	last := &store.Cursor{Key: oldest.UnixMicro(), ID: uuid.Max}
	for what, f := range map[string]conversations.ConversationFilter{
		"all": {}, "agent": {AgentID: &l.Agent.ID}, "other agent": {AgentID: &l.few}, "playground": {Source: conversation.Playground}, "API": {Source: conversation.API},
		"label": {SessionID: &label}, "from": {From: &day}, "to": {To: &day}, "from, to": {From: &oldest, To: &day}, "search": {Search: "customer"},
		"end user": {UserID: new("user 77")}, "an agent's end user": {UserID: new("user 77"), AgentID: &l.Agent.ID},
	} {
		ends("conversations: "+what, nil, last, func(after *store.Cursor) error {
			q := conversations.ConversationQuery{First: 20, After: after, Filter: f}
			return storetest.ErrOnly(conversations.On(s).ConversationPage(ctx, me, q))
		})
	}
	for what, f := range map[string]conversations.EndUserFilter{"all": {}, "agent": {AgentID: &l.Agent.ID}, "search": {Search: "user"},
		"from": {From: &oldest}} {
		first, last := &store.Cursor{Text: "user 8"}, &store.Cursor{Text: "user 9998"}
		ends("end users: "+what, first, last, func(after *store.Cursor) error {
			page, err := conversations.On(s).EndUserPage(ctx, me,
				conversations.EndUserQuery{First: 20, After: after, Filter: f})
			if len(page.Items) == 0 {
				t.Errorf("end users: %s, after %s: none", what, after.Text)
			}
			return err
		})
	}
	// The last statement looks the end users of a page up, whether they are described or on an
	// earlier page.
	for what, after := range map[string]*store.Cursor{"first": nil, "last": last,
		"of an earlier page": {Key: storetest.Time("2024-06-01T00:00:00Z").UnixMicro()}} {
		check("latest end users: "+what, func() error {
			q := conversations.EndUserQuery{First: 20, After: after, Latest: true,
				Filter: conversations.EndUserFilter{AgentID: &l.Agent.ID}}
			page, err := conversations.On(s).EndUserPage(ctx, me, q)
			if (len(page.Items) == 0) != (what == "of an earlier page") {
				t.Errorf("latest end users: %s: %v", what, page)
			}
			return err
		})
	}
	for what, q := range map[string]conversations.TurnQuery{"first": {Size: 20}, "last": {Size: 20, FromEnd: true},
		"after":  {Size: 20, After: &store.Cursor{Key: 99_900, ID: l.conversation}},
		"before": {Size: 20, FromEnd: true, Before: &store.Cursor{Key: 50, ID: l.conversation}}} {
		check("turns: "+what, func() error {
			_, err := conversations.On(s).TurnsByConversations(ctx, me, []uuid.UUID{l.conversation}, q)
			return err
		})
	}
	yes := true
	for what, q := range map[string]exports.ExportQuery{"all": {}, "in use": {State: agent.ExportActive}, "removed": {State: agent.ExportRemoved},
		"not removed": {InUse: &yes}, "not removed of an agent": {InUse: &yes, AgentID: &l.Agent.ID},
		"agent": {AgentID: &l.Agent.ID}, "in use of an agent": {AgentID: &l.Agent.ID, State: agent.ExportActive},
		"removed of an agent": {AgentID: &l.Agent.ID, State: agent.ExportRemoved}, "of nobody": {AgentID: &l.other},
		"of the other agent": {AgentID: &l.few}, "in use of the other agent": {AgentID: &l.few, State: agent.ExportActive}} {
		ends("exports: "+what, nil, &store.Cursor{ID: uuid.UUID{0, 1}}, func(after *store.Cursor) error {
			q.First, q.After = 20, after
			return storetest.ErrOnly(exports.On(s).ExportPage(ctx, me, q))
		})
	}
}

// BenchmarkTextSearch reports the time of a search in 150,000 turns of 100,000 conversations: to
// the first page of hits or, without hits, to the end. It also reports the longest wait for a page.
func BenchmarkTextSearch(b *testing.B) {
	l, s := newLongLists(b)
	for what, text := range map[string]string{"everywhere": "hello", "nowhere": "parcel"} {
		b.Run(what, func(b *testing.B) {
			var whole, slowest time.Duration
			filter := conversations.ConversationFilter{Text: text}
			for b.Loop() {
				q := conversations.ConversationQuery{First: 50, Filter: filter}
				for more := true; more; {
					asked := time.Now()
					page, err := conversations.On(s).ConversationPage(b.Context(), l.Account.ID, q)
					if err != nil {
						b.Fatal(err)
					}
					took := time.Since(asked)
					whole, slowest = whole+took, max(slowest, took)
					q.After, more = page.Looked, page.HasNext && len(page.Items) == 0
				}
			}
			b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "ms/search")
			b.ReportMetric(float64(slowest.Milliseconds()), "ms/slowest-page")
		})
	}
}
