package turns_test

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestTurnsKeepGoodPlans: a connection keeps its plan of a statement until the server has new
// statistics of the tables. Even with plans made when the tables were empty or short, turns find
// each row by its intended index, both alone and in batches.
func TestTurnsKeepGoodPlans(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testing.T, *store.DB){
		"without statistics": func(*testing.T, *store.DB) {},
		"statistics of a few rows": func(t *testing.T, s *store.DB) {
			t.Helper()
			storetest.Exec(t, s, "VACUUM ANALYZE")
		},
		"bulk loaded, without statistics": fillConversations,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turnsKeepGoodPlans(t, prepare)
		})
	}
}

func turnsKeepGoodPlans(t *testing.T, prepare func(*testing.T, *store.DB)) {
	t.Helper()
	s, f, last := captured(t)
	items, ends := make([]turns.Begin, 2), make([]turns.Settlement, 2)
	for i, session := range []string{"known", "new"} {
		items[i] = storetest.NewBegin(f.Key)
		items[i].Session = session
		ends[i] = turns.Settlement{TurnID: items[i].TurnID, State: conversation.Answered, Reply: "hi", FinishReason: "stop"}
	}
	if _, err := turns.On(s).BeginTurns(t.Context(), items...); err != nil {
		t.Fatal(err)
	}
	beginMany, messages := last.Statement()
	if _, err := turns.On(s).SettleTurns(t.Context(), ends...); err != nil {
		t.Fatal(err)
	}
	settleMany, turnList := last.Statement()
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, id = "known", b.TurnID })
	beginOne, message := last.Statement()
	storetest.FinishTurn(t, s, id, conversation.Answered)
	settleOne, turn := last.Statement()
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, id = "known", b.TurnID })
	storetest.FinishTurn(t, s, id, turns.Withdrawn)
	withdrawOne, withdrawn := last.Statement()
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, id = "pending", b.TurnID })
	withdrawn[0] = []uuid.UUID{id}
	prepare(t, s)
	conn, err := storetest.Replica(t, s).SQL().Conn(t.Context()) // a new one, without plans
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for i := range messages { // new ids of turns and conversations
		if ids, ok := messages[i].([]uuid.UUID); ok && ids[0] != uuid.Nil {
			messages[i], message[i] = []uuid.UUID{uuid.New(), uuid.New()}, []uuid.UUID{uuid.New()}
		}
	}
	const idempotencyKeys, sessionIDs = 5, 9 // of the parameters
	messages[idempotencyKeys], message[idempotencyKeys] = []*string{new("a"), new("b")}, []*string{new("c")}
	messages[sessionIDs] = []string{"known", "newer"}
	for _, filled := range []bool{false, true} {
		if filled {
			fillConversations(t, s)
		}
		used := slices.Concat(indexesUsed(t, conn, beginMany, messages), indexesUsed(t, conn, settleMany, turnList),
			indexesUsed(t, conn, beginOne, message), indexesUsed(t, conn, settleOne, turn),
			indexesUsed(t, conn, withdrawOne, withdrawn))
		t.Logf("filled: %v, used: %v", filled, used)
		for _, index := range used {
			// All indexes are equally good for a table of one row.
			if !slices.Contains([]string{"api_exports_agent", "conversations_session", "conversations_pkey", "turns_number", "turns_pkey", "turns_idempotency",
				"api_keys_hash", "api_exports_pkey", "agents_pkey", "accounts_pkey", "agent_versions_pkey"}, index) {
				t.Errorf("%s is used", index)
			}
		}
	}
}

// fillConversations gives the only agent many conversations.
func fillConversations(t *testing.T, s *store.DB) {
	t.Helper()
	storetest.Bulk(t, s, `INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
		SELECT gen_random_uuid(), a.account_id, a.id, 'API', repeat('label ', 20) || gen_random_uuid(), 0 FROM agents a, generate_series(1, 40000) n`)
}

// indexesUsed runs a statement in a transaction that is rolled back. It returns the indexes that
// the statement used, and the tables that it scanned.
func indexesUsed(t *testing.T, conn *sql.Conn, statement string, args []any) (used []string) {
	t.Helper()
	tx, err := conn.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	scans := func() map[string]int64 {
		rows, err := tx.QueryContext(t.Context(), `SELECT c.relname, pg_stat_get_xact_numscans(c.oid) FROM pg_class c
			LEFT JOIN pg_index i ON i.indexrelid = c.oid
			WHERE coalesce(i.indrelid, c.oid) IN ('conversations'::regclass, 'turns'::regclass, 'api_keys'::regclass,
				'api_exports'::regclass, 'agents'::regclass, 'accounts'::regclass, 'agent_versions'::regclass)`)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		count := map[string]int64{}
		for rows.Next() {
			var name string
			var n int64
			if err := rows.Scan(&name, &n); err != nil {
				t.Fatal(err)
			}
			count[name] = n
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return count
	}
	before := scans()
	if _, err := tx.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
	for name, n := range scans() {
		if n > before[name] {
			used = append(used, name)
		}
	}
	return used
}
