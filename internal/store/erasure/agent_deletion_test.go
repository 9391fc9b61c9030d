package erasure_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/versions"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seedSecret creates an account with an agent whose texts contain SecretText.
func seedSecret(t *testing.T, s *store.DB, credits int64) storetest.Fixture {
	t.Helper()
	return storetest.Seed(t, s, storetest.Options{Credits: credits, Instructions: "Instructions: " + storetest.SecretText})
}

func withSecret(session string) func(*turns.Begin) {
	return func(b *turns.Begin) {
		b.Session, b.Message = session+storetest.SecretText, "message: "+storetest.SecretText
	}
}

// checkErased fails the test when text of a deleted agent is left, or a turn is still pending.
func checkErased(t *testing.T, s *store.DB) {
	t.Helper()
	if left := storetest.Traces(t, s, storetest.SecretText); len(left) > 0 {
		t.Errorf("text is left in %v", left)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE state = 'PENDING'`); n != 0 {
		t.Errorf("%d turns are still pending", n)
	}
	storetest.Audit(t, s)
}

// TestDeleteAgent tests that an agent's ids and keys are unknown after its deletion, that a reply
// that was sent is still charged, and that charges keep the names.
func TestDeleteAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 10)
	ctx, me := t.Context(), f.Account.ID
	removed, _, _ := storetest.SeedExport(t, s, me, f.Agent.ID, 600)
	must(t, storetest.ErrOnly(exports.On(s).RemoveExport(ctx, me, removed.ID)))
	storetest.AnswerTurn(t, s, f.Key, withSecret("answered"))
	var sent uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { sent = b.TurnID })
	must(t, erasure.On(s).DeleteAgent(ctx, me, f.Agent.ID))
	if used, err := exports.On(s).KeyInUse(ctx, f.Key.Hash()); used || err != nil {
		t.Errorf("its key is in use: %v %v", used, err)
	}
	name := storetest.SetTo("x")
	_, unpublish := agents.On(s).UnpublishAgent(ctx, me, f.Agent.ID)
	_, update := agents.On(s).UpdateAgent(ctx, me, f.Agent.ID, agent.Changes{Name: name}, nil)
	_, rename := exports.On(s).UpdateExport(ctx, me, f.Export.ID, agent.ExportChanges{Name: name})
	_, remove := exports.On(s).RemoveExport(ctx, me, f.Export.ID)
	_, learn := sources.On(s).AddKnowledge(ctx, me, f.Agent.ID, storetest.KnowledgeText("x", "x"))
	for what, err := range map[string]error{
		"agent":          storetest.ErrOnly(agents.On(s).Agent(ctx, me, f.Agent.ID)),
		"export":         storetest.ErrOnly(storetest.ExportByID(ctx, s, me, f.Export.ID)),
		"removed export": storetest.ErrOnly(storetest.ExportByID(ctx, s, me, removed.ID)),
		"unpublish":      unpublish,
		"update":         update,
		"rename export":  rename,
		"remove export":  remove,
		"add knowledge":  learn,
		"delete again":   erasure.On(s).DeleteAgent(ctx, me, f.Agent.ID),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", what, err)
		}
	}
	if got := finishSent(t, s, sent); got.ErrorCode != "" || got.CreditsRemaining != 8 {
		t.Errorf("a reply that was sent: %+v", got)
	}
	storetest.PurgeAgents(t, s)
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries WHERE agent_id = $1
		AND agent_name = 'Assistant' AND export_name = $2`, f.Agent.ID, f.Export.Name); n != 2 {
		t.Errorf("%d charges have the names of agent and export, want 2", n)
	}
	if balance, held := storetest.Credits(t, s, me); balance != 8 || held != 0 {
		t.Errorf("balance %d, held %d, want 8 and 0", balance, held)
	}
	for _, table := range []string{"agents", "api_exports", "api_keys"} {
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%s: %d rows are left", table, n)
		}
	}
	checkErased(t, s)
}

// finishSent settles a turn whose reply has been sent.
func finishSent(t *testing.T, s *store.DB, id uuid.UUID) turns.SettleResult {
	t.Helper()
	f, err := turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: id, State: conversation.Answered, Reply: storetest.SecretText, FinishReason: "stop",
		Sent: true})
	if err != nil {
		t.Fatalf("finish: %v", err)
	}
	return f
}

// TestDeletionAgainstChats deletes agents and accounts while two replicas chat, use the playground,
// and create agents and exports. Pending turns are marked, no text is left, and every credit is
// accounted for.
func TestDeletionAgainstChats(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	ctx := context.WithoutCancel(t.Context())
	for round := range 8 {
		f := seedSecret(t, one, 100_000)
		var work sync.WaitGroup
		begun := make(chan struct{}, 1000)
		for i, s := range replicas {
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
			work.Go(func() { chatUntilGone(ctx, t, s, begun, storetest.NewBegin(key), i) })
			work.Go(func() {
				b := storetest.NewBegin(key)
				b.Source, b.AccountID, b.AgentID = conversation.Playground, f.Account.ID, f.Agent.ID
				chatUntilGone(ctx, t, s, begun, b, i)
			})
		}
		ofAccount := round%4 == 0
		if ofAccount {
			work.Go(func() { createUntilGone(ctx, t, two, f.Account.ID) })
		}
		for range 20 {
			<-begun
		}
		from := erasure.On(replicas[round%2])
		remove := func() error { return from.DeleteAgent(ctx, f.Account.ID, f.Agent.ID) }
		if ofAccount {
			remove = func() error { return from.DeleteAnyAccount(ctx, f.Account.ID, storetest.ByUser) }
		}
		err := remove()
		for ofAccount && fault.Is(err, fault.Unavailable) {
			err = remove()
		}
		left := storetest.CountRows(t, one, `SELECT count(*) FROM turns WHERE agent_id = $1 AND
			(state = 'PENDING' AND deleted_at IS NULL OR message <> '')`, f.Agent.ID)
		if left != 0 || err != nil {
			t.Errorf("round %d: %d turns with text or not marked, %v", round, left, err)
		}
		work.Wait()
	}
	storetest.PurgeAgents(t, one)
	checkErased(t, one)
	if n := storetest.CountRows(t, one, `SELECT count(*) FROM agents`); n != 0 {
		t.Errorf("%d agents are left", n)
	}
}

// chatUntilGone sends messages like b in six sessions, and settles them, until the agent is gone.
// Each message that began is reported to begun.
func chatUntilGone(
	ctx context.Context, t *testing.T, s *store.DB, begun chan<- struct{}, b turns.Begin, n int,
) {
	t.Helper()
	for ; ; n++ {
		b.TurnID, b.ConversationID = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		withSecret(fmt.Sprint("session ", n%6))(&b)
		got, err := turns.On(s).BeginTurn(ctx, b)
		if err == nil && got.Outcome == turns.Begun {
			select {
			case begun <- struct{}{}:
			default:
			}
			state := []conversation.TurnState{conversation.Answered, conversation.Failed}[n%2]
			_, err = storetest.SettleFully(ctx, s, b.TurnID, state)
		}
		if err != nil {
			t.Error(err)
		}
		if err != nil || got.Outcome == turns.Unauthorized || got.Outcome == turns.NotFound {
			return
		}
	}
}

// createUntilGone creates agents and exports until the account is deleted or at its limit.
func createUntilGone(ctx context.Context, t *testing.T, s *store.DB, account uuid.UUID) {
	t.Helper()
	for {
		a, err := agents.On(s).CreateAgent(ctx, account, agent.Agent{
			Name: "More",
			Settings: agent.Settings{
				Instructions: storetest.SecretText,
				Model:        new(storetest.SandboxModel),
			},
		})
		if err == nil {
			a, _, err = versions.On(s).PublishAgent(ctx, account, a.ID, versions.Publication{},
				storetest.OnlySandbox)
		}
		if err == nil {
			_, err = exports.On(s).CreateExport(ctx, account, storetest.NewExport(a.ID), apikey.Mint())
		}
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			return
		}
		if err != nil && !fault.Is(err, fault.Unavailable) { // one side of a deadlock gets it
			t.Error(err)
			return
		}
	}
}

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
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE message LIKE '%' || $1`, storetest.SecretText); n != 1 {
		t.Errorf("%d turns have text, want 1, which is locked", n)
	}
	if _, err := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the agent: %v", err)
	}
	if n, err := erasure.On(s).PurgeDeletedAgents(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("while it is held up: purged %d, %v", n, err)
	}
	must(t, tx.Commit())
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
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	if n := count.Load() - before; n < 8 || n > 20 {
		t.Errorf("%d statements, want 8 to 20", n)
	}
	checkErased(t, s)
	if n := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM turns) + (SELECT count(*) FROM agents)`); n != 0 {
		t.Errorf("%d turns and agents are left", n)
	}
}
