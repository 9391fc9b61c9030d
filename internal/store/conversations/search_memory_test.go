package conversations_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"agentchat/internal/find"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// allocations records the largest number of bytes allocated for one statement, including its rows
// and their processing: an upper bound of the memory held.
type allocations struct{ at, most uint64 }

func (a *allocations) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	a.mark()
	return ctx
}

func (a *allocations) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (a *allocations) mark() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	a.most, a.at = max(a.most, m.TotalAlloc-a.at), m.TotalAlloc
}

// TestSearchMemory tests that a search holds at most SearchMemory, however long texts are.
//
//nolint:paralleltest // it measures the heap
func TestSearchMemory(t *testing.T) {
	url, measured := storetest.URL(t), &allocations{}
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: measured})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	find.New("a") // its tables are made once
	for _, c := range []struct {
		what, message, reply string
		turns                int
	}{
		{"short texts", "repeat('tea time ', 8)", "repeat('Biscuits without nuts. ', 12)", 10_000},
		{"the longest messages", "repeat('Печенье ', 4000)", "repeat('tea time ', 12000)", 100},
		{"the longest replies", "repeat('Печенье ', 4000)", "repeat('tea time ', 233000)", 10},
	} {
		storetest.Exec(t, s, `DELETE FROM conversations`)
		id := uuid.New()
		storetest.Exec(t, s,
			`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count) VALUES ($1, $2, $3, 'API', 's', $4)`,
			id, f.Account.ID, f.Agent.ID, c.turns)
		storetest.Bulk(t, s,
			`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id, deadline)
			SELECT gen_random_uuid(), $1, $2, $3, 'API', n, 'ANSWERED', `+c.message+`, `+c.reply+` || n || '.', 'm', 0, 'r', now() FROM generate_series(1, $4) n`,
			f.Account.ID, f.Agent.ID, id, c.turns)
		for _, text := range []string{"nowhere", "1."} { // in no text, and at the end of the first
			measured.mark()
			measured.most = 0
			_, err := conversations.On(s).ConversationPage(t.Context(), f.Account.ID,
				conversations.ConversationQuery{First: 50, Filter: conversations.ConversationFilter{Text: text}})
			if err != nil {
				t.Fatal(err)
			}
			measured.mark()
			t.Logf("%s: %q: %d KiB", c.what, text, measured.most>>10)
			if measured.most > conversations.SearchMemory {
				t.Errorf("%s: %q: a search holds up to %d bytes, want at most %d", c.what, text, measured.most,
					conversations.SearchMemory)
			}
		}
	}
}
