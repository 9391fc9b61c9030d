package turns_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestTurnsReadByIndex: the pages that are read to begin and settle turns grow neither with their
// conversations nor with other turns, settled or pending, with and without statistics.
func TestTurnsReadByIndex(t *testing.T) {
	t.Parallel()
	s, f, last := captured(t)
	// read returns the pages read to begin messages of sessions in one call, and to settle them.
	read := func(source conversation.Source, sessions ...string) (pages [2]float64) {
		items, ends := make([]turns.Begin, len(sessions)), make([]turns.Settlement, len(sessions))
		for i, session := range sessions {
			b := storetest.NewBegin(f.Key)
			b.Source, b.AccountID, b.AgentID, b.Session = source, f.Account.ID, f.Agent.ID, session
			b.IdempotencyKey = uuid.NewString()
			items[i] = b
			ends[i] = turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi",
				FinishReason: "stop"}
		}
		if _, err := turns.On(s).SettleTurns(t.Context(), ends...); err != nil { // finds nothing yet
			t.Fatal(err)
		}
		settle, turnList := last.Statement()
		got, err := turns.On(s).BeginTurns(t.Context(), items...)
		if err != nil || slices.ContainsFunc(got, func(b turns.BeginResult) bool { return b.Outcome != turns.Begun }) {
			t.Fatalf("%v %v", got, err)
		}
		begin, messages := last.Statement()
		pages[1] = storetest.PagesRead(t, s, settle, turnList)
		for _, b := range items {
			storetest.FinishTurn(t, s, b.TurnID, conversation.Failed)
		}
		pages[0] = storetest.PagesRead(t, s, begin, messages)
		return pages
	}
	first := read(conversation.API, "first", "second")
	sources := []conversation.Source{conversation.API, conversation.Playground}
	for _, source := range sources {
		fillTurns(t, s, f, source, `'long'`, 1, 50_000)
	}
	fillTurns(t, s, f, conversation.API, `'s' || n`, 5_000, 12)
	storetest.Bulk(t, s, `UPDATE turns SET state = 'PENDING', reply = NULL WHERE number = 12
		AND conversation_id IN (SELECT id FROM conversations WHERE session_id LIKE 's%')`)
	for _, statistics := range []string{"without", "with"} {
		if statistics == "with" {
			storetest.Bulk(t, s, `VACUUM ANALYZE`)
		}
		for _, source := range sources {
			for _, sessions := range [][]string{{"long"}, {"long", uuid.NewString()}} {
				pages := read(source, sessions...)
				t.Logf("%s statistics, %s: %v pages, first %v", statistics, source, pages, first)
				for i, n := range pages {
					if n > 2*first[i]+100 {
						t.Errorf("%d pages are read, at first %d", int(n), int(first[i]))
					}
				}
			}
		}
	}
}

// TestReaperReadsPendingTurns: the pages that the reaper reads do not grow with the turns that are
// settled, with and without statistics.
func TestReaperReadsPendingTurns(t *testing.T) {
	t.Parallel()
	s, f, last := captured(t)
	fillTurns(t, s, f, conversation.API, `'long'`, 1, 50_000)
	for _, statistics := range []string{"without", "with"} {
		if statistics == "with" {
			storetest.Bulk(t, s, `VACUUM ANALYZE`)
		}
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.HoldFor = -time.Second })
		if n, err := turns.On(s).ReapTurns(t.Context(), 10); n != 1 || err != nil {
			t.Fatalf("reaped %d, %v", n, err)
		}
		query, args := last.Statement()
		if pages := storetest.PagesRead(t, s, query, args); pages > 50 {
			t.Errorf("%s statistics the reaper reads %v pages", statistics, pages)
		}
	}
}

// captured returns a store on a database of its own, an account in it, and the last statement.
func captured(t *testing.T) (*store.DB, storetest.Fixture, *storetest.Captured) {
	t.Helper()
	last := &storetest.Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, storetest.Seed(t, s, storetest.Options{}), last
}

// fillTurns adds conversations with answered turns. session is an SQL expression of their number n.
func fillTurns(
	t *testing.T, s *store.DB, f storetest.Fixture, source conversation.Source,
	session string, conversations, turns int,
) {
	t.Helper()
	storetest.Bulk(t, s, `WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			SELECT gen_random_uuid(), $1, $2, $3, `+session+`, $5::int FROM generate_series(1, $4::int) n
			RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply,
			model, price, request_id, deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, $3, n, 'ANSWERED', 'hello', 'hi', 'm', 0, 'r',
			now() + interval '1 hour' FROM c, generate_series(1, $5::int) n`,
		f.Account.ID, f.Agent.ID, source, conversations, turns)
}
