package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestBeginSaysWhetherThereIsKnowledge: of the version that answers, at its price.
func TestBeginSaysWhetherThereIsKnowledge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	src := storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("a", "common"))
	storetest.PublishNoted(t, s, f.Agent, "")
	if _, _, err := sources.On(s).RemoveKnowledge(t.Context(), f.Account.ID, src.ID); err != nil {
		t.Fatal(err)
	}
	check := func(name string, change func(*turns.Begin), knows bool, price int64) {
		t.Helper()
		got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, b.KnowledgePrices = b.TurnID.String(), []int64{3}
			if change != nil {
				change(b)
			}
		})
		if got.Outcome != turns.Begun || got.HasKnowledge != knows || got.Price != price {
			t.Errorf("%s: %s, knowledge %v for %d, want %v for %d", name, got.Outcome, got.HasKnowledge, got.Price, knows, price)
		}
	}
	try := func(version *int) func(*turns.Begin) {
		return func(b *turns.Begin) {
			b.Source, b.AccountID, b.AgentID, b.Version = conversation.Playground, f.Account.ID, f.Agent.ID, version
		}
	}
	check("a caller", nil, true, 3)
	check("no price of its own", func(b *turns.Begin) { b.KnowledgePrices = nil }, true, 1)
	check("the draft", try(nil), false, 1)
	check("version 1", try(new(1)), false, 1)
	check("version 2", try(new(2)), true, 3)
	if _, err := exports.On(s).UpdateExport(t.Context(), f.Account.ID, f.Export.ID, agent.ExportChanges{Version: storetest.SetTo(1)}); err != nil {
		t.Fatal(err)
	}
	check("a pinned caller", nil, false, 1)
	if _, err := sources.On(s).DeleteKnowledge(t.Context(), f.Account.ID, src.ID); err != nil {
		t.Fatal(err)
	}
	check("version 2 without its last source", try(new(2)), false, 1)
}

// TestKnowledgeOfTurns: what a turn was given is stored with it, comes back with replays, chains
// and transcripts, and goes with its texts.
func TestKnowledgeOfTurns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ctx, me := t.Context(), f.Account.ID
	const given = `{"given":[{"n":1,"name":"SECRET \u0000"}]}`
	settle := func(in turns.Settlement) {
		t.Helper()
		in.Knowledge, in.FinishReason = given, "stop"
		if _, err := turns.On(s).SettleTurn(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	var asked, failed, plain uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { asked = b.TurnID })
	settle(turns.Settlement{TurnID: asked, State: conversation.Answered, Reply: "hi", Calls: []conversation.ActionCall{{ID: "c", Name: "a"}}})
	second := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
		b.Message, b.TurnID = "", uuid.Must(uuid.NewV7())
		b.Results = &conversation.ActionResults{For: asked, List: []conversation.ActionResult{{ID: "c"}}}
		failed = b.TurnID
	})
	if len(second.Chain) != 1 || second.Chain[0].Knowledge == nil || *second.Chain[0].Knowledge != given {
		t.Errorf("the chain: %s %+v", second.Outcome, second.Chain)
	}
	settle(turns.Settlement{TurnID: failed, State: conversation.Failed, ErrorCode: "model_error"})
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { plain, b.IdempotencyKey = b.TurnID, "k" })
	storetest.FinishTurn(t, s, plain, conversation.Answered)
	if reply, err := turns.On(s).StoredReply(ctx, me, asked); err != nil || reply.Knowledge == nil || *reply.Knowledge != given {
		t.Errorf("a replay: %+v %v", reply.Knowledge, err)
	}
	for _, texts := range []bool{true, false} {
		turns, err := conversations.On(s).TurnsByIDs(ctx, me, []uuid.UUID{asked, failed, plain}, texts)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[uuid.UUID]bool{asked: texts, failed: texts, plain: false} {
			if got := turns[id].Knowledge; (got != nil) != want || want && *got != given {
				t.Errorf("a transcript with texts %v: %v", texts, got)
			}
		}
	}
	storetest.Audit(t, s)
}
