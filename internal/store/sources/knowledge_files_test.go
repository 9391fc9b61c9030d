package sources_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// TestFileGoesInEveryState removes or deletes a source or its agent in each state of the file. Its
// reader then gets NotFound.
func TestFileGoesInEveryState(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	me, ctx := f.Account.ID, t.Context()
	for what, ends := range map[string]func(uuid.UUID, uuid.UUID) error{
		"removed":   func(_, src uuid.UUID) error { _, _, err := sources.On(s).RemoveKnowledge(ctx, me, src); return err },
		"deleted":   func(_, src uuid.UUID) error { return storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, src)) },
		"discarded": func(a, _ uuid.UUID) error { return storetest.ErrOnly(versions.On(s).DiscardChanges(ctx, me, a, true)) },
		"no agent":  func(a, _ uuid.UUID) error { return erasure.On(s).DeleteAgent(ctx, me, a) },
	} {
		for _, state := range []knowledge.State{knowledge.Waiting, knowledge.Reading, knowledge.Failed} {
			a := storetest.Publish(t, s, storetest.SeedAgent(t, s, me, storetest.Options{}))
			src := addFile(t, s, a, "SECRET")
			var job sources.FileJob
			if state != knowledge.Waiting {
				job = claim(t, s, "SECRET")
			}
			if state == knowledge.Failed {
				must(t, sources.On(s).FailFile(ctx, job, "It is SECRET.", nil))
			}
			if what == "discarded" {
				storetest.RefusedWith(t, "discarding a file that is read", storetest.ErrOnly(versions.On(s).DiscardChanges(ctx, me, a.ID, false)), "SECRET")
			}
			if err := ends(a.ID, src.ID); err != nil {
				t.Errorf("%s while %s: %v", what, state, err)
			}
			for call, err := range map[string]error{"finish": sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "common"}), "fail": sources.On(s).FailFile(ctx, job, "no", nil),
				"release": sources.On(s).ReleaseFile(ctx, job, true), "retry": storetest.ErrOnly(sources.On(s).RetryFile(ctx, me, src.ID, true, nil))} {
				if !fault.Is(err, fault.NotFound) {
					t.Errorf("%s while %s, then %s: %v", what, state, call, err)
				}
			}
			storetest.PurgeAgents(t, s)
			if left := storetest.Traces(t, s, "SECRET"); len(left) > 0 || storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_files`) > 0 {
				t.Errorf("%s while %s: left in %v", what, state, left)
			}
			claim(t, s, "")
			storetest.Audit(t, s)
		}
	}
}

// TestReplaceWithFile tests that the draft keeps the old file until the new one has been read.
func TestReplaceWithFile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	old := addFile(t, s, a, "a")
	finishFile(t, s, claim(t, s, "a"))
	storetest.PublishNoted(t, s, a, "") // version 2 has a
	inDraft := func(what, want string) {
		t.Helper()
		if got := storetest.FindNames(t, s, sources.FindKnowledge{AccountID: me, AgentID: a.ID, Message: "common", MaxWhole: 1 << 20}); fmt.Sprint(got) != want {
			t.Errorf("%s: the draft has %v, want %s", what, got, want)
		}
	}
	replaceFile(t, s, old, me, "b")
	job := claim(t, s, "b")
	inDraft("while it is read", "[a]")
	must(t, sources.On(s).FailFile(ctx, job, "No.", nil))
	inDraft("the new one has failed", "[a]")
	c := replaceFile(t, s, old, me, "c") // once more
	wantStates(t, s, a, "replaced twice", "a READY, c WAITING")
	job = claim(t, s, "c")
	d := replaceFile(t, s, c, me, "d") // the new one itself, which is being read
	wantStates(t, s, a, "its replacement is replaced", "a READY, d WAITING")
	if err := sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "common c"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("what was replaced is read: %v", err)
	}
	finishFile(t, s, claim(t, s, "d"))
	inDraft("the new one is read", "[d]")
	storetest.PublishNoted(t, s, a, "")
	if got := knows(t, s, a); got != "draft: d; 1: ; 2: a; 3: d" {
		t.Errorf("published: %s", got)
	}
	storetest.RefusedWith(t, "what only a version has", storetest.ErrOnly(sources.On(s).ReplaceWithFile(ctx, me, old.ID, sources.NewFile{Name: "x", Content: []byte("x")})), "Only older versions")

	// A replacement with the same text is no duplicate. The source to replace may have been deleted.
	e := replaceFile(t, s, d, me, "e")
	must(t, sources.On(s).FinishFile(ctx, claim(t, s, "e"), knowledge.FileText{Text: "common d"}))
	inDraft("the same text", "[e]")
	replaceFile(t, s, e, me, "g")
	must(t, storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, e.ID)))
	finishFile(t, s, claim(t, s, "g"))
	inDraft("the old one was deleted", "[g]")
	wantStates(t, s, a, "all", "a READY, d READY, g READY")
}

func TestFileLimits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	failed := func(what string, src knowledge.Source, reason string) {
		t.Helper()
		found, err := sources.On(s).KnowledgeByIDs(ctx, me, []uuid.UUID{src.ID})
		if got := found[src.ID]; err != nil || got.State != knowledge.Failed || got.Reason == nil || *got.Reason != reason || got.Passages != 0 {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_passages p JOIN knowledge_sources s ON s.number = p.source WHERE s.id = $1`, src.ID); n != 0 {
			t.Errorf("%s: it has %d passages", what, n)
		}
	}
	first := storetest.Learn(t, s, a, storetest.KnowledgeText("mine", "common  a"))
	same := addFile(t, s, a, "a")
	finishFile(t, s, claim(t, s, "a"))
	failed("the same text", same, "It has the same text as “mine”.")
	must(t, storetest.ErrOnly(sources.On(s).RetryFile(ctx, me, same.ID, true, nil)))
	if _, _, err := sources.On(s).RemoveKnowledge(ctx, me, first.ID); err != nil {
		t.Fatal(err)
	}
	finishFile(t, s, claim(t, s, "a"))
	wantStates(t, s, a, "the other one is removed", "a READY")

	// Two files with one text are read concurrently, and only one becomes READY.
	x, y := addFile(t, s, a, "x"), addFile(t, s, a, "y")
	jobX, jobY := claim(t, s, "x"), claim(t, s, "y")
	for _, job := range []sources.FileJob{jobY, jobX} {
		must(t, sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "common both"}))
	}
	failed("the same text at once", x, "It has the same text as “y”.")
	long := addFile(t, s, a, "long")
	storetest.Exec(t, s, `UPDATE knowledge_sources SET passage_count = 10000 WHERE id = $1`, y.ID)
	finishFile(t, s, claim(t, s, "long"))
	failed("a passage too many", long, "An agent can have 10,000 passages, including those of old versions. Delete sources first.")
	storetest.Exec(t, s, `UPDATE knowledge_sources SET passage_count = 1 WHERE id = $1`, y.ID)

	storetest.Exec(t, s, `UPDATE knowledge_sources SET size = 128 << 20 WHERE state = 'FAILED'`)
	storetest.RefusedWith(t, "too many bytes", storetest.ErrOnly(sources.On(s).AddFile(ctx, me, a.ID, sources.NewFile{Name: "b", Content: []byte("b")})), "256 MB")
	storetest.Exec(t, s, `UPDATE knowledge_sources SET size = 9 WHERE state = 'FAILED'`)
	addFile(t, s, a, "b")
	storetest.Exec(t, s, `INSERT INTO knowledge_sources (id, account_id, agent_id, kind, name, state, size)
		SELECT gen_random_uuid(), $1, $2, 'TEXT', 't', 'READY', 1 FROM generate_series(6, 200)`, me, a.ID)
	storetest.RefusedWith(t, "a source too many", storetest.ErrOnly(sources.On(s).AddFile(ctx, me, a.ID, sources.NewFile{Name: "b", Content: []byte("b")})), "200")
	replaceFile(t, s, y, me, "z") // the old source is deleted
}

// TestFilesOfAnotherAccount tests that another account's ids get NotFound.
func TestFilesOfAnotherAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	src := addFile(t, s, f.Agent, "a")
	must(t, sources.On(s).FailFile(t.Context(), claim(t, s, "a"), "No.", nil))
	ctx, you, file := t.Context(), other.Account.ID, sources.NewFile{Name: "x", Content: []byte("x")}
	for what, err := range map[string]error{"add": storetest.ErrOnly(sources.On(s).AddFile(ctx, you, f.Agent.ID, file)),
		"replace": storetest.ErrOnly(sources.On(s).ReplaceWithFile(ctx, you, src.ID, file)), "retry": storetest.ErrOnly(sources.On(s).RetryFile(ctx, you, src.ID, true, nil))} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if unread, err := sources.On(s).UnpublishedKnowledge(ctx, you, f.Agent.ID, 1); len(unread) != 0 || err != nil {
		t.Errorf("unpublished: %v, %v", unread, err)
	}
	wantStates(t, s, f.Agent, "nothing has changed", "a FAILED")
}
