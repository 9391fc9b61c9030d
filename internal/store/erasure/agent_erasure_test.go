package erasure_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestErasureIsTakenUpAgain tests that one of several replicas erases in the background what a
// deletion could not.
func TestErasureIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	s := replicas[0]
	f := seedSecret(t, s, 10)
	begun, _ := storetest.AnswerTurn(t, s, f.Key, withSecret("held up"))
	storetest.AnswerTurn(t, s, f.Key, withSecret("other"))
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM conversations WHERE id = $1 FOR UPDATE`, begun.ConversationID); err != nil {
		t.Fatal(err)
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE message LIKE '%' || $1`, storetest.SecretText); n != 1 {
		t.Errorf("%d turns have text, want 1, which is locked", n)
	}
	if _, err := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the agent: %v", err)
	}
	if n, err := erasure.On(s).PurgeDeletedAgents(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("while it is held up: purged %d, %v", n, err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	purged := make(chan int, 2)
	for _, replica := range replicas {
		go func() {
			n, err := erasure.On(replica).PurgeDeletedAgents(t.Context(), 10)
			if err != nil {
				t.Error(err)
			}
			purged <- n
		}()
	}
	if n := <-purged + <-purged; n > 1 {
		t.Errorf("purged %d times", n)
	}
	// Each replica may have left the agent to the other.
	if _, err := erasure.On(s).PurgeDeletedAgents(t.Context(), 10); err != nil {
		t.Error(err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM agents`); n != 0 {
		t.Errorf("%d agents are left", n)
	}
	checkErased(t, s)
}

// TestHugeAgent erases one long conversation and more short ones than fit in a batch.
func TestHugeAgent(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := seedSecret(t, s, 10)
	const long, short = 5_000, 450
	storetest.Exec(t, s, `INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
		SELECT lpad(to_hex(n), 32, '0')::uuid, $1, $2, 'API', n || $3, CASE n WHEN 0 THEN $4 ELSE 1 END FROM generate_series(0, $5) n`,
		f.Account.ID, f.Agent.ID, storetest.SecretText, long, short)
	storetest.Exec(t, s, `INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), c.account_id, c.agent_id, c.id, 'API', n, 'FAILED', $1, 'm', 0, 'r', now()
		FROM conversations c, generate_series(1, c.turn_count) n`, strings.Repeat(storetest.SecretText, 10))
	before := count.Load()
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if n := count.Load() - before; n < 8 || n > 20 {
		t.Errorf("%d statements, want 8 to 20", n)
	}
	checkErased(t, s)
	if n := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM turns) + (SELECT count(*) FROM agents)`); n != 0 {
		t.Errorf("%d turns and agents are left", n)
	}
}
