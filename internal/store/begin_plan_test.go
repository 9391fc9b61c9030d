package store_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestBeginReadsByIndex: the pages that begin reads do not grow with the conversation.
func TestBeginReadsByIndex(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	last := &captured{}
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	for session, turns := range map[string]int{"short": 60, "long": 50_000} {
		bulk(t, s, `WITH c AS (
				INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
				VALUES (gen_random_uuid(), $1, $2, 'API', $3, $4::int) RETURNING id
			)
			INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
				deadline)
			SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', 'hello', 'hi', 'm', 0, 'r', now() FROM c, generate_series(1, $4::int) n`,
			f.Account.ID, f.Agent.ID, session, turns)
	}
	bulk(t, s, `VACUUM ANALYZE`)
	for _, source := range []conversation.Source{conversation.API, conversation.Playground} {
		if source == conversation.Playground {
			exec(t, s, `UPDATE conversations SET source = 'PLAYGROUND'`)
		}
		blocks := map[string]float64{}
		for _, session := range []string{"short", "long"} {
			var id uuid.UUID
			change := func(b *store.Begin) {
				b.Source, b.AccountID, b.AgentID, b.Session, id = source, f.Account.ID, f.Agent.ID, session, b.TurnID
			}
			if got := begin(t, s, f.Key, change); got.Outcome != store.Begun || len(got.History) != 40 {
				t.Fatalf("%s: %s with %d turns", session, got.Outcome, len(got.History))
			}
			query, args := last.sql, slices.DeleteFunc(slices.Clone(last.args), func(arg any) bool {
				_, formats := arg.(pgx.QueryResultFormatsByOID)
				return formats
			})
			finish(t, s, id, conversation.Failed)
			blocks[session] = explain(t, s, query, args)
		}
		t.Logf("%s: %v pages", source, blocks)
		if blocks["long"] > blocks["short"]*1.5 {
			t.Errorf("%s: 50,000 turns cost %v pages, 60 turns %v", source, blocks["long"], blocks["short"])
		}
	}
}

// explain runs a statement once more and rolls it back; it returns how many pages it read.
func explain(t *testing.T, s *store.Store, query string, args []any) float64 {
	t.Helper()
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `DELETE FROM turns WHERE state = 'FAILED'`); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := tx.QueryRowContext(t.Context(), `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+query, args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	var top []struct{ Plan node }
	if err := json.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	top[0].Plan.walk(func(n node) {
		if n.Type == "Seq Scan" && n.Table == "turns" {
			t.Errorf("%s is scanned sequentially: %s", n.Table, text)
		}
	})
	return top[0].Plan.Hit + top[0].Plan.Read
}
