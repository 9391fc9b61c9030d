package erasure_test

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
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

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

func TestDeleteAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := seedSecret(t, s, 10)
	ctx, me := t.Context(), f.Account.ID
	second, _, secondKey := storetest.SeedExport(t, s, me, f.Agent.ID, 600)
	removed, _, _ := storetest.SeedExport(t, s, me, f.Agent.ID, 600)
	if _, err := exports.On(s).RemoveExport(ctx, me, removed.ID); err != nil {
		t.Fatal(err)
	}
	sibling := storetest.SeedAgent(t, s, me, storetest.Options{Model: storetest.SandboxModel, Instructions: "Other."})
	_, _, siblingKey := storetest.SeedExport(t, s, me, sibling.ID, 600)
	storetest.AnswerTurn(t, s, siblingKey, nil)
	storetest.AnswerTurn(t, s, f.Key, withSecret("answered"))
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { withSecret("with a key")(b); b.IdempotencyKey = "k" })
	alone, _ := storetest.AnswerTurn(t, s, f.Key, withSecret("deleted before"))
	if err := erasure.On(s).DeleteConversation(ctx, me, alone.ConversationID); err != nil {
		t.Fatal(err)
	}
	var failed, pending, other uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { withSecret("answered")(b); failed = b.TurnID })
	storetest.FinishTurn(t, s, failed, conversation.Failed)
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { withSecret("answered")(b); pending = b.TurnID })
	storetest.BeginTurn(t, s, secondKey, func(b *turns.Begin) { withSecret("new")(b); other = b.TurnID })
	if balance, held := storetest.Credits(t, s, me); balance != 6 || held != 2 {
		t.Fatalf("before: balance %d, held %d", balance, held)
	}

	storetest.Exec(t, s, `UPDATE agents SET description = $2 WHERE id = $1`, f.Agent.ID, storetest.SecretText)
	if err := erasure.On(s).DeleteAgent(ctx, me, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if left := storetest.Traces(t, s, storetest.SecretText); len(left) > 0 {
		t.Errorf("while turns are in flight, text is left in %v", left)
	}
	for _, key := range []apikey.Key{f.Key, secondKey} {
		if used, err := exports.On(s).KeyInUse(ctx, key.Hash()); used || err != nil {
			t.Errorf("a key is in use: %v %v", used, err)
		}
	}
	if got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.IdempotencyKey = "k" }); got.Outcome != turns.Unauthorized {
		t.Errorf("a replay: %s", got.Outcome)
	}
	for name, err := range map[string]error{
		"agent": storetest.ErrOnly(agents.On(s).Agent(ctx, me, f.Agent.ID)), "export": storetest.ErrOnly(storetest.ExportByID(ctx, s, me, f.Export.ID)),
		"removed export": storetest.ErrOnly(storetest.ExportByID(ctx, s, me, removed.ID)), "remove": storetest.ErrOnly(exports.On(s).RemoveExport(ctx, me, second.ID)),
		"update":        storetest.ErrOnly(agents.On(s).UpdateAgent(ctx, me, f.Agent.ID, agent.Changes{Name: storetest.SetTo("x")}, nil)),
		"unpublish":     storetest.ErrOnly(agents.On(s).UnpublishAgent(ctx, me, f.Agent.ID)),
		"delete again":  erasure.On(s).DeleteAgent(ctx, me, f.Agent.ID),
		"rename export": storetest.ErrOnly(exports.On(s).UpdateExport(ctx, me, second.ID, agent.ExportChanges{Name: storetest.SetTo("x")})),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries WHERE agent_id = $1 AND agent_name = 'Assistant'`, f.Agent.ID); n != 3 {
		t.Errorf("%d charges are left with the agent's name, want 3", n)
	}
	if balance, held := storetest.Credits(t, s, me); balance != 6 || held != 2 {
		t.Errorf("while turns are in flight: balance %d, held %d, want 6 and 2", balance, held)
	}
	for range 2 {
		if got := storetest.FinishTurn(t, s, pending, conversation.Answered); got.ErrorCode != "conversation_deleted" {
			t.Errorf("a reply that was not sent: %+v", got)
		}
		if got := finishSent(t, s, other); got.ErrorCode != "" || got.CreditsRemaining != 5 {
			t.Errorf("a reply that was sent: %+v", got)
		}
		storetest.PurgeAgents(t, s)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries WHERE turn_id = $1 AND agent_name = 'Assistant' AND export_name = $2`,
		other, second.Name); n != 1 {
		t.Errorf("%d charges with the names of agent and export for the reply that was sent", n)
	}
	if balance, held := storetest.Credits(t, s, me); balance != 5 || held != 0 {
		t.Errorf("afterwards: balance %d, held %d, want 5 and 0", balance, held)
	}
	checkErased(t, s)
	for table, want := range map[string]int{"agents": 1, "api_exports": 1, "api_keys": 1} {
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM `+table); n != want {
			t.Errorf("%s: %d rows, want %d of the other agent", table, n, want)
		}
	}
	if got := storetest.BeginTurn(t, s, siblingKey, nil); got.Outcome != turns.Begun || got.Number != 2 || len(got.History) != 1 {
		t.Errorf("the other agent's conversation: %+v", got)
	}
	storetest.ExecLater(`UPDATE conversations SET deleted_at = deleted_at - interval '25 h'`)(t, s, f)
	if _, err := erasure.On(s).PurgeDeleted(ctx, 100); err != nil {
		t.Error(err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM conversations`); n != 1 {
		t.Errorf("%d conversations a day later, want 1", n)
	}
	if got := storetest.FinishTurn(t, s, pending, conversation.Answered); got.Outcome != turns.Gone {
		t.Errorf("a reply a day too late: %+v", got)
	}
	storetest.Audit(t, s)
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

// TestDeletionAgainstChats deletes agents while two replicas chat with them. Pending turns are
// marked, no text is left, and every credit is accounted for.
func TestDeletionAgainstChats(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	f := seedSecret(t, replicas[0], 100_000)
	var mu sync.Mutex
	outcomes := map[turns.Outcome]int{}
	for round := range 8 {
		a := storetest.SeedAgent(t, replicas[0], f.Account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: storetest.SecretText})
		var work sync.WaitGroup
		const enough = 12
		started := make(chan struct{}, 1000)
		for i := range 4 {
			s := replicas[i%2]
			_, _, key := storetest.SeedExport(t, s, f.Account.ID, a.ID, agent.MaxRatePerMinute)
			work.Go(func() {
				for n := 0; ; n++ {
					b := storetest.NewBegin(key)
					withSecret(fmt.Sprint("session ", (n+i)%6))(&b)
					begun, err := turns.On(s).BeginTurn(context.WithoutCancel(t.Context()), b)
					if err != nil || begun.Outcome == turns.Unauthorized {
						if err != nil {
							t.Error(err)
						}
						return
					}
					if begun.Outcome != turns.Begun {
						continue
					}
					select {
					case started <- struct{}{}:
					default:
					}
					state := []conversation.TurnState{conversation.Answered, conversation.Failed}[n%2]
					done, err := storetest.SettleFully(context.WithoutCancel(t.Context()), s, b.TurnID, state)
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
		if err := erasure.On(replicas[round%2]).DeleteAgent(t.Context(), f.Account.ID, a.ID); err != nil {
			t.Error(err)
		}
		left := storetest.CountRows(t, replicas[0], `SELECT count(*) FROM turns WHERE agent_id = $1 AND
			(state = 'PENDING' AND deleted_at IS NULL OR message <> '')`, a.ID)
		if left != 0 {
			t.Errorf("round %d: %d turns with text or not marked after the deletion", round, left)
		}
		work.Wait()
	}
	if err := erasure.On(replicas[0]).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Error(err)
	}
	storetest.PurgeAgents(t, replicas[0])
	checkErased(t, replicas[0])
	charged := storetest.CountRows(t, replicas[0], `SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'`)
	if balance, held := storetest.Credits(t, replicas[0], f.Account.ID); balance != int64(100_000-charged) || held != 0 || charged == 0 {
		t.Errorf("balance %d, held %d after %d charges", balance, held, charged)
	}
	if n := storetest.CountRows(t, replicas[0], `SELECT count(*) FROM agents`); n != 0 {
		t.Errorf("%d agents are left", n)
	}
	t.Logf("outcomes: %v, charged %d", outcomes, charged)
}
