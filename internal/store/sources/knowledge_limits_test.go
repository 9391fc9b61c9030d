package sources_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

func TestKnowledgeLimits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	me, a, ctx := f.Account.ID, f.Agent.ID, t.Context()
	src := storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("mine", "one  text"))
	answer := storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("Why?", "Because."))
	storetest.RefusedWith(t, "the same text", storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, a, storetest.KnowledgeText("other", "one text\n"))), "“mine”")
	storetest.RefusedWith(t, "the same answer", storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, a, storetest.KnowledgeAnswer("Why?", "Because."))), "“Why?”")
	storetest.RefusedWith(t, "the text of another", storetest.ErrOnly(sources.On(s).ReplaceKnowledge(ctx, me, answer.ID, storetest.KnowledgeText("other", "one text"))), "“mine”")
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_sources WHERE upper_inf(versions)`); n != 2 {
		t.Errorf("the draft has %d sources after what was refused", n)
	}
	replaced, err := sources.On(s).ReplaceKnowledge(ctx, me, src.ID, storetest.KnowledgeText("renamed", "one text"))
	if err != nil {
		t.Errorf("the same text in its own place: %v", err)
	}
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("Why not?", "Because."))
	storetest.PublishNoted(t, s, f.Agent, "")
	if _, _, err := sources.On(s).RemoveKnowledge(ctx, me, replaced.ID); err != nil {
		t.Fatal(err)
	}
	storetest.RefusedWith(t, "replacing what the draft does not have", storetest.ErrOnly(sources.On(s).ReplaceKnowledge(ctx, me, replaced.ID, storetest.KnowledgeText("x", "x"))), "Only older versions")
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("again", "one text")) // only a version has it

	storetest.Exec(t, s, `INSERT INTO knowledge_sources (id, account_id, agent_id, kind, name, state, size)
		SELECT gen_random_uuid(), $1, $2, 'FILE', 'f', 'WAITING', 1 FROM generate_series(3, 200)`, me, a)
	storetest.RefusedWith(t, "a source too many", storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, a, storetest.KnowledgeText("x", "x"))), "200")
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("What?", "An answer does not count."))
	storetest.Exec(t, s, `UPDATE knowledge_sources SET passage_count = 10000 - (SELECT count(*) FROM knowledge_passages) WHERE id = (
		SELECT id FROM knowledge_sources WHERE state = 'WAITING' LIMIT 1)`)
	storetest.RefusedWith(t, "a passage too many", storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, a, storetest.KnowledgeAnswer("x", "x"))), "10,000")
	storetest.Exec(t, s, `UPDATE knowledge_sources SET passage_count = 0, bytes = 50 << 20 WHERE id = (
		SELECT id FROM knowledge_sources WHERE state = 'WAITING' ORDER BY passage_count DESC LIMIT 1)`)
	storetest.RefusedWith(t, "too many bytes", storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, a, storetest.KnowledgeAnswer("x", "x"))), "50 MB")
	use, err := sources.On(s).KnowledgeUseByAgents(ctx, me, []uuid.UUID{a})
	if got := use[a]; err != nil || got.Sources != 200 || got.Passages != 5 || got.DraftBytes >= 700 || got.Bytes <= 50<<20 {
		t.Errorf("use: %+v %v", got, err)
	}
	storetest.Exec(t, s, `DELETE FROM knowledge_sources WHERE state = 'WAITING'`)
	storetest.Audit(t, s)
}

// TestKnowledgeLimitOfAnAccount tests that the limit is exact over an account's agents and
// replicas.
func TestKnowledgeLimitOfAnAccount(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	var added sync.Map
	var work sync.WaitGroup
	for i := range 2 {
		s, err := store.Open(t.Context(), store.Config{URL: url, KnowledgePassages: 7})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		for k := range 2 {
			a := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
			work.Go(func() {
				for n := range 5 {
					src, err := sources.On(s).AddKnowledge(context.WithoutCancel(t.Context()), f.Account.ID, a.ID, storetest.KnowledgeText("x", fmt.Sprint(i, k, n)))
					if err == nil {
						added.Store(src.ID, true)
					} else if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "7 passages") {
						t.Error(err)
					}
				}
			})
		}
	}
	work.Wait()
	n := 0
	added.Range(func(any, any) bool { n++; return true })
	if s := storetest.Open(t, url); n != 7 || storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_passages`) != 7 {
		t.Errorf("added %d, want 7", n)
	}
}
