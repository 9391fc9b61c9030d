package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// seedSecret makes an account with an agent all of whose texts hold secretText, and its key.
func seedSecret(t *testing.T, s *store.Store, credits int64) storetest.Fixture {
	t.Helper()
	return storetest.Seed(t, s, storetest.Options{Credits: credits, Instructions: "Instructions: " + secretText})
}

func withSecret(session string) func(*store.Begin) {
	return func(b *store.Begin) { b.Session, b.Message = session+secretText, "message: "+secretText }
}

// checkErased fails the test when text of a deleted agent is left, or a turn is still pending.
func checkErased(t *testing.T, s *store.Store) {
	t.Helper()
	for _, table := range []string{"turns", "conversations", "agents", "agent_versions", "api_exports", "credit_entries"} {
		left := countRows(t, s, `SELECT count(*) FROM `+table+` r WHERE r::text LIKE '%' || $1 || '%'`, secretText)
		if left != 0 {
			t.Errorf("%s: %d rows with text are left", table, left)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM turns WHERE state = 'PENDING'`); n != 0 {
		t.Errorf("%d turns are still pending", n)
	}
	storetest.Audit(t, s)
}

func TestDeleteAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 10)
	ctx, me := t.Context(), f.Account.ID
	second, _, secondKey := storetest.SeedExport(t, s, me, f.Agent.ID, 600)
	removed, _, _ := storetest.SeedExport(t, s, me, f.Agent.ID, 600)
	if _, err := s.RemoveExport(ctx, me, removed.ID); err != nil {
		t.Fatal(err)
	}
	sibling := storetest.SeedAgent(t, s, me, storetest.Options{Model: storetest.SandboxModel, Instructions: "Other."})
	_, _, siblingKey := storetest.SeedExport(t, s, me, sibling.ID, 600)
	answered(t, s, siblingKey, nil)
	answered(t, s, f.Key, withSecret("answered"))
	answered(t, s, f.Key, func(b *store.Begin) { withSecret("with a key")(b); b.IdempotencyKey = "k" })
	alone, _ := answered(t, s, f.Key, withSecret("deleted before"))
	if err := s.DeleteConversation(ctx, me, alone.ConversationID); err != nil {
		t.Fatal(err)
	}
	var failed, pending, other uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { withSecret("answered")(b); failed = b.TurnID })
	finish(t, s, failed, conversation.Failed)
	begin(t, s, f.Key, func(b *store.Begin) { withSecret("answered")(b); pending = b.TurnID })
	begin(t, s, secondKey, func(b *store.Begin) { withSecret("new")(b); other = b.TurnID })
	if balance, held := credits(t, s, me); balance != 6 || held != 2 {
		t.Fatalf("before: balance %d, held %d", balance, held)
	}

	if err := s.DeleteAgent(ctx, me, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	for _, key := range []apikey.Key{f.Key, secondKey} {
		if used, err := s.KeyInUse(ctx, key.Hash()); used || err != nil {
			t.Errorf("a key is in use: %v %v", used, err)
		}
	}
	if got := begin(t, s, f.Key, func(b *store.Begin) { b.IdempotencyKey = "k" }); got.Outcome != store.Unauthorized {
		t.Errorf("a replay: %s", got.Outcome)
	}
	for name, err := range map[string]error{
		"agent": third(s.Agent(ctx, me, f.Agent.ID)), "export": third(exportByID(ctx, s, me, f.Export.ID)),
		"removed export": third(exportByID(ctx, s, me, removed.ID)), "remove": third(s.RemoveExport(ctx, me, second.ID)),
		"update":        third(s.UpdateAgent(ctx, me, f.Agent.ID, agent.Changes{Name: setTo("x")}, nil)),
		"unpublish":     third(s.UnpublishAgent(ctx, me, f.Agent.ID)),
		"delete again":  s.DeleteAgent(ctx, me, f.Agent.ID),
		"rename export": third(s.UpdateExport(ctx, me, second.ID, agent.ExportChanges{Name: setTo("x")})),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM credit_entries WHERE agent_id = $1 AND agent_name = 'Assistant'`, f.Agent.ID); n != 3 {
		t.Errorf("%d charges are left with the agent's name, want 3", n)
	}
	if balance, held := credits(t, s, me); balance != 6 || held != 2 {
		t.Errorf("while turns are under way: balance %d, held %d, want 6 and 2", balance, held)
	}
	for range 2 {
		if got := finish(t, s, pending, conversation.Answered); got.ErrorCode != "conversation_deleted" {
			t.Errorf("a reply of which nothing was sent: %+v", got)
		}
		if got := finishSent(t, s, other); got.ErrorCode != "" || got.CreditsRemaining != 5 {
			t.Errorf("a reply that was sent: %+v", got)
		}
		purgeAgents(t, s)
	}
	if n := countRows(t, s, `SELECT count(*) FROM credit_entries WHERE turn_id = $1 AND agent_name = 'Assistant' AND export_name = $2`,
		other, second.Name); n != 1 {
		t.Errorf("%d charges with the names of agent and export for the reply that was sent", n)
	}
	if balance, held := credits(t, s, me); balance != 5 || held != 0 {
		t.Errorf("afterwards: balance %d, held %d, want 5 and 0", balance, held)
	}
	checkErased(t, s)
	for table, want := range map[string]int{"agents": 1, "api_exports": 1, "api_keys": 1} {
		if n := countRows(t, s, `SELECT count(*) FROM `+table); n != want {
			t.Errorf("%s: %d rows, want the other agent's %d", table, n, want)
		}
	}
	if got := begin(t, s, siblingKey, nil); got.Outcome != store.Begun || got.Number != 2 || len(got.History) != 1 {
		t.Errorf("the other agent's conversation: %+v", got)
	}
	run(`UPDATE conversations SET deleted_at = deleted_at - interval '25 h'`)(t, s, f)
	if _, err := s.PurgeDeleted(ctx, 100); err != nil {
		t.Error(err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM conversations`); n != 1 {
		t.Errorf("%d conversations a day later, want 1", n)
	}
	if got := finish(t, s, pending, conversation.Answered); got.Outcome != store.Gone {
		t.Errorf("a reply a day too late: %+v", got)
	}
	storetest.Audit(t, s)
}

// finishSent settles a turn whose reply has been sent.
func finishSent(t *testing.T, s *store.Store, id uuid.UUID) store.SettleResult {
	t.Helper()
	f, err := s.SettleTurn(t.Context(), store.Settlement{TurnID: id, State: conversation.Answered, Reply: secretText, FinishReason: "stop",
		Sent: true})
	if err != nil {
		t.Fatalf("finish: %v", err)
	}
	return f
}

// TestDeletionAgainstChats deletes agents while two replicas chat with them: pending turns are
// marked, no text is left, every credit is accounted for.
func TestDeletionAgainstChats(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
	f := seedSecret(t, replicas[0], 100_000)
	var mu sync.Mutex
	outcomes := map[store.Outcome]int{}
	for round := range 8 {
		a := storetest.SeedAgent(t, replicas[0], f.Account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: secretText})
		var work sync.WaitGroup
		const enough = 12
		started := make(chan struct{}, 1000)
		for i := range 4 {
			s := replicas[i%2]
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, a.ID, agent.MaxRatePerMinute)
			work.Go(func() {
				for n := 0; ; n++ {
					b := newBegin(key)
					withSecret(fmt.Sprint("session ", (n+i)%6))(&b)
					begun, err := s.BeginTurn(context.WithoutCancel(t.Context()), b)
					if err != nil || begun.Outcome == store.Unauthorized {
						if err != nil {
							t.Error(err)
						}
						return
					}
					if begun.Outcome != store.Begun {
						continue
					}
					select {
					case started <- struct{}{}:
					default:
					}
					state := []conversation.TurnState{conversation.Answered, conversation.Failed}[n%2]
					done, err := settleFully(context.WithoutCancel(t.Context()), s, b.TurnID, state)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					outcomes[done.Outcome]++
					mu.Unlock()
				}
			})
		}
		for range enough {
			<-started
		}
		if err := replicas[round%2].DeleteAgent(t.Context(), f.Account.ID, a.ID); err != nil {
			t.Error(err)
		}
		left := countRows(t, replicas[0], `SELECT count(*) FROM turns WHERE agent_id = $1 AND
			(state = 'PENDING' AND deleted_at IS NULL OR message <> '')`, a.ID)
		if left != 0 {
			t.Errorf("round %d: %d turns with text or not marked after the deletion", round, left)
		}
		work.Wait()
	}
	if err := replicas[0].DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Error(err)
	}
	purgeAgents(t, replicas[0])
	checkErased(t, replicas[0])
	charged := countRows(t, replicas[0], `SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'`)
	if balance, held := credits(t, replicas[0], f.Account.ID); balance != int64(100_000-charged) || held != 0 || charged == 0 {
		t.Errorf("balance %d, held %d after %d charges", balance, held, charged)
	}
	if n := countRows(t, replicas[0], `SELECT count(*) FROM agents`); n != 0 {
		t.Errorf("%d agents are left", n)
	}
	t.Logf("outcomes: %v, charged %d", outcomes, charged)
}

// TestDeletionWaitsForABegin holds up a begin that has its export's lock: the deletion waits for it and marks its turn.
func TestDeletionWaitsForABegin(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 5)
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM accounts FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	begun, deleted := make(chan store.BeginResult, 1), make(chan error, 1)
	b := newBegin(f.Key)
	withSecret("s")(&b)
	go func() {
		got, err := s.BeginTurn(t.Context(), b)
		if err != nil {
			t.Error(err)
		}
		begun <- got
	}()
	waitForLocks(t, s, 1)
	go func() { deleted <- s.DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID) }()
	waitForLocks(t, s, 2)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := <-begun; got.Outcome != store.Begun {
		t.Errorf("the begin that came first: %s", got.Outcome)
	}
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if got := finish(t, s, b.TurnID, conversation.Answered); got.Outcome != store.Settled || got.ErrorCode != "conversation_deleted" {
		t.Errorf("its reply: %+v", got)
	}
	if balance, held := credits(t, s, f.Account.ID); balance != 5 || held != 0 {
		t.Errorf("balance %d, held %d, want 5 and 0", balance, held)
	}
	checkErased(t, s)
}

// TestBeginWaitsForADeletion holds up a deletion that has removed the exports: the begin finds nothing to open.
func TestBeginWaitsForADeletion(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 5)
	var pending uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { withSecret("under way")(b); pending = b.TurnID })
	tx, err := s.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT id FROM turns WHERE id = $1 FOR UPDATE`, pending); err != nil {
		t.Fatal(err)
	}
	begun, deleted := make(chan store.BeginResult, 1), make(chan error, 1)
	go func() { deleted <- s.DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID) }()
	waitForLocks(t, s, 1)
	b := newBegin(f.Key)
	withSecret("too late")(&b)
	go func() {
		got, err := s.BeginTurn(t.Context(), b)
		if err != nil {
			t.Error(err)
		}
		begun <- got
	}()
	waitForLocks(t, s, 2)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := <-begun; got.Outcome != store.Unauthorized {
		t.Errorf("the begin that came second: %s", got.Outcome)
	}
	if err := <-deleted; err != nil {
		t.Error(err)
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Unauthorized {
		t.Errorf("asked again: %s", got.Outcome)
	}
	if got := finish(t, s, pending, conversation.Answered); got.Outcome != store.Settled || got.ErrorCode != "conversation_deleted" {
		t.Errorf("the reply of the turn under way: %+v", got)
	}
	checkErased(t, s)
}
