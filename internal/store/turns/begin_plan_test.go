package turns_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestBeginReadsByIndex: the pages that begin reads do not grow with the conversation.
func TestBeginReadsByIndex(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	last := &storetest.Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	for session, turns := range map[string]int{"short": 60, "long": 50_000} {
		storetest.Bulk(t, s, `WITH c AS (
				INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
				VALUES (gen_random_uuid(), $1, $2, 'API', $3, $4::int) RETURNING id
			)
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
				deadline)
			SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 0, 'r', now() FROM c, generate_series(1, $4::int) n`,
			f.Account.ID, f.Agent.ID, session, turns)
	}
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	for _, source := range []conversation.Source{conversation.API, conversation.Playground} {
		if source == conversation.Playground {
			storetest.Exec(t, s, `UPDATE conversations SET source = 'PLAYGROUND'`)
		}
		blocks := map[string]float64{}
		for _, session := range []string{"short", "long"} {
			var id uuid.UUID
			change := func(b *turns.Begin) {
				b.Source, b.AccountID, b.AgentID, b.Session, id = source, f.Account.ID, f.Agent.ID, session, b.TurnID
			}
			if got := storetest.BeginTurn(t, s, f.Key, change); got.Outcome != turns.Begun || len(got.History) != 40 {
				t.Fatalf("%s: %s with %d turns", session, got.Outcome, len(got.History))
			}
			query, args := last.Statement()
			storetest.FinishTurn(t, s, id, conversation.Failed)
			blocks[session] = storetest.PagesRead(t, s, query, args)
		}
		t.Logf("%s: %v pages", source, blocks)
		if blocks["long"] > blocks["short"]*1.5 {
			t.Errorf("%s: 50,000 turns cost %v pages, 60 turns %v", source, blocks["long"], blocks["short"])
		}
	}
}

// TestBatchReadsByIndex: the pages that batches read grow neither with their conversations nor with
// what else is pending, with and without statistics of the tables.
func TestBatchReadsByIndex(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	last := &storetest.Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	blocks := func() (pages [2]float64) {
		items, ends := make([]turns.Begin, 4), make([]turns.Settlement, 4)
		for i := range items {
			items[i] = storetest.NewBegin(f.Key)
			items[i].Session, items[i].IdempotencyKey = fmt.Sprint("s", i), uuid.NewString()
			if i == 0 {
				items[i].Session = uuid.NewString()
			}
			ends[i] = turns.Settlement{TurnID: items[i].TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"}
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
	fresh := blocks()
	storetest.Bulk(t, s, `WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			SELECT gen_random_uuid(), $1, $2, 'API', 's' || n, 12 FROM generate_series(4, 5000) n RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, CASE WHEN n < 12 THEN 'ANSWERED' ELSE 'PENDING' END, 'hello', 'hi', 'm', 0, 'r',
			now() + interval '1 hour' FROM c, generate_series(1, 12) n`, f.Account.ID, f.Agent.ID)
	without := blocks()
	storetest.Bulk(t, s, `VACUUM ANALYZE`)
	with := blocks()
	t.Logf("pages to begin and to settle: %v at first, %v with 60,000 turns (5,000 pending), %v with statistics", fresh, without, with)
	for i, first := range fresh {
		if most := 2*first + 100; without[i] > most || with[i] > most {
			t.Errorf("want at most %v", most)
		}
	}
}

// TestReaperReadsPendingTurns: the pages that the reaper reads do not grow with the turns that are
// settled, with and without statistics.
func TestReaperReadsPendingTurns(t *testing.T) {
	t.Parallel()
	last := &storetest.Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Bulk(t, s, `WITH c AS (
			INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
			VALUES (gen_random_uuid(), $1, $2, 'API', 'long', 50000) RETURNING id
		)
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 0, 'r', now() FROM c, generate_series(1, 50000) n`,
		f.Account.ID, f.Agent.ID)
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
