package sources_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// knows describes the sources of an agent's draft and versions, such as "draft: a b; 1: a; 2: b".
// It checks that all ways to read them agree.
func knows(t testing.TB, s *store.DB, a agent.Agent) string {
	t.Helper()
	a, err := agents.On(s).Agent(t.Context(), a.AccountID, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	versions := 0
	if a.PublishedVersion != nil {
		versions = *a.PublishedVersion
	}
	pages, err := sources.On(s).KnowledgeByAgents(t.Context(), a.AccountID, []uuid.UUID{a.ID}, 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	sourceList := pages[a.ID].Items
	slices.Reverse(sourceList)
	keys := make([]agents.VersionNumber, versions)
	for i := range keys {
		keys[i] = agents.VersionNumber{AgentID: a.ID, Number: i + 1}
	}
	byVersion, err := sources.On(s).KnowledgeByVersions(t.Context(), a.AccountID, keys)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := 0; n <= versions; n++ {
		var names []string
		for _, src := range sourceList {
			if n == 0 && src.InDraft || n > 0 && slices.Contains(src.InVersions, n) {
				names = append(names, src.Name)
			}
		}
		in := sources.FindKnowledge{AccountID: a.AccountID, AgentID: a.ID, Message: "common", MaxWhole: 1 << 20}
		label, flag := "draft", `SELECT has_knowledge::int FROM agents WHERE id = $1 AND $2::int = 0`
		if n > 0 {
			in.Version, label, flag = &n, fmt.Sprint(n), `SELECT has_knowledge::int FROM agent_versions WHERE agent_id = $1 AND number = $2::int`
			listed := []string{}
			for _, src := range byVersion[keys[n-1]] {
				listed = append(listed, src.Name)
			}
			if !slices.Equal(listed, names) && len(names) > 0 {
				t.Errorf("version %d: sources %v, listed %v", n, names, listed)
			}
		}
		for _, in.MaxWhole = range []int{1 << 20, 0} {
			got := storetest.FindNames(t, s, in)
			slices.Sort(got)
			if !slices.Equal(got, names) {
				t.Errorf("%s: found %v of %v, at most %d bytes whole", label, got, names, in.MaxWhole)
			}
		}
		if has := storetest.CountRows(t, s, flag, a.ID, n); (has == 1) != (len(names) > 0) {
			t.Errorf("%s: has knowledge: %d, sources %v", label, has, names)
		}
		out = append(out, label+": "+strings.Join(names, " "))
	}
	return strings.Join(out, "; ")
}

// TestKnowledgeOfVersions changes an agent step by step, and checks the sources of its draft and
// versions after each step.
func TestKnowledgeOfVersions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{}) // version 1
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	ids := map[string]uuid.UUID{}
	add := func(name string) func() error {
		return func() error {
			src, err := sources.On(s).AddKnowledge(ctx, me, a.ID, storetest.KnowledgeText(name, "common "+name+" "+uuid.NewString()))
			ids[name] = src.ID
			return err
		}
	}
	replace := func(name, by string) func() error {
		return func() error {
			src, err := sources.On(s).ReplaceKnowledge(ctx, me, ids[name], storetest.KnowledgeText(by, "common "+by))
			ids[by] = src.ID
			return err
		}
	}
	remove := func(name string, gone bool) func() error {
		return func() error {
			_, was, err := sources.On(s).RemoveKnowledge(ctx, me, ids[name])
			if was != gone {
				t.Errorf("%s is gone: %v", name, was)
			}
			return err
		}
	}
	restore := func(n int) func() error {
		return func() error { return storetest.ErrOnly(versions.On(s).RestoreVersion(ctx, me, a.ID, n, true)) }
	}
	publish := func() error { storetest.PublishNoted(t, s, a, ""); return nil }
	discard := func() error { return storetest.ErrOnly(versions.On(s).DiscardChanges(ctx, me, a.ID, true)) }
	for i, step := range []struct {
		do      func() error
		want    string
		changed bool // is there something to publish?
	}{
		{add("a"), "draft: a; 1: ", true},
		{discard, "draft: ; 1: ", false},
		{add("b"), "draft: b; 1: ", true},
		{remove("b", true), "draft: ; 1: ", false},
		{add("a"), "draft: a; 1: ", true},
		{add("b"), "draft: a b; 1: ", true},
		{publish, "draft: a b; 1: ; 2: a b", false},
		{publish, "draft: a b; 1: ; 2: a b", false}, // no new version
		{remove("a", false), "draft: b; 1: ; 2: a b", true},
		{remove("a", false), "draft: b; 1: ; 2: a b", true},
		{discard, "draft: a b; 1: ; 2: a b", false},
		{remove("a", false), "draft: b; 1: ; 2: a b", true},
		{publish, "draft: b; 1: ; 2: a b; 3: b", false},
		{restore(1), "draft: ; 1: ; 2: a b; 3: b", true},
		{publish, "draft: ; 1: ; 2: a b; 3: b; 4: ", false},
		{add("c"), "draft: c; 1: ; 2: a b; 3: b; 4: ", true},
		{restore(2), "draft: a b; 1: ; 2: a b; 3: b; 4: ", true},
		{replace("b", "d"), "draft: a d; 1: ; 2: a b; 3: b; 4: ", true},
		{replace("d", "e"), "draft: a e; 1: ; 2: a b; 3: b; 4: ", true},
		{publish, "draft: a e; 1: ; 2: a b; 3: b; 4: ; 5: a e", false},
		{func() error { return storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, ids["a"])) }, "draft: e; 1: ; 2: b; 3: b; 4: ; 5: e", false},
		{func() error { return storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, ids["b"])) }, "draft: e; 1: ; 2: ; 3: ; 4: ; 5: e", false},
		{restore(2), "draft: ; 1: ; 2: ; 3: ; 4: ; 5: e", true},
		{restore(5), "draft: e; 1: ; 2: ; 3: ; 4: ; 5: e", false},
	} {
		before, err := agents.On(s).Agent(ctx, me, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := step.do(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if got := knows(t, s, a); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
		after, err := agents.On(s).Agent(ctx, me, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && i != 7 && !after.UpdatedAt.After(before.UpdatedAt) {
			t.Errorf("step %d: the agent counts as unchanged", i)
		}
		if changed, err := sources.On(s).KnowledgeChanged(ctx, me, []uuid.UUID{a.ID}); err != nil || changed[a.ID] != step.changed {
			t.Errorf("step %d: changed %v, %v", i, changed[a.ID], err)
		}
		storetest.Audit(t, s)
	}
	_, err := sources.On(s).ReplaceKnowledge(ctx, me, ids["b"], storetest.KnowledgeText("x", "x"))
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("replacing what was deleted: %v", err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_sources`); n != 1 {
		t.Errorf("%d sources are left", n)
	}
}

// TestUnusedKnowledge tests that sources of old versions are deleted unless an export is pinned to
// one.
func TestUnusedKnowledge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	a, me, ctx := f.Agent, f.Account.ID, t.Context()
	for _, name := range []string{"a", "b", "c"} { // versions 2, 3 and 4 have one each
		src := storetest.Learn(t, s, a, storetest.KnowledgeText(name, "common "+name))
		a, _ = storetest.PublishNoted(t, s, a, "")
		if _, _, err := sources.On(s).RemoveKnowledge(ctx, me, src.ID); err != nil {
			t.Fatal(err)
		}
	}
	a, _ = storetest.PublishNoted(t, s, a, "")
	storetest.Learn(t, s, a, storetest.KnowledgeText("d", "common d"))
	if _, err := exports.On(s).UpdateExport(ctx, me, f.Export.ID, agent.ExportChanges{Version: storetest.SetTo(3)}); err != nil {
		t.Fatal(err)
	}
	old := storetest.Learn(t, s, a, storetest.KnowledgeText("e", "common e"))
	a, _ = storetest.PublishNoted(t, s, a, "")
	_, err := sources.On(s).ReplaceKnowledge(ctx, me, old.ID, storetest.KnowledgeText("f", "common f"))
	must(t, err)
	if n, err := sources.On(s).DeleteUnusedKnowledge(ctx, me, a.ID); n != 2 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	if got, want := knows(t, s, a), "draft: d f; 1: ; 2: ; 3: b; 4: ; 5: ; 6: d e"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n, err := sources.On(s).DeleteUnusedKnowledge(ctx, me, a.ID); n != 0 || err != nil {
		t.Errorf("deleted %d more, %v", n, err)
	}
	storetest.Audit(t, s)
}

// TestKnowledgeOfManyVersions tests the bound of the list, which has no questions of answers.
func TestKnowledgeOfManyVersions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{}) // version 1
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("How?", "So."))
	storetest.PublishNoted(t, s, f.Agent, "")
	keys := []agents.VersionNumber{{AgentID: f.Agent.ID, Number: 1}, {AgentID: f.Agent.ID, Number: 2}}
	found, err := sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys)
	if err != nil || len(found[keys[0]]) != 0 || len(found[keys[1]]) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	if got := found[keys[1]][0]; got.Kind != knowledge.Answer || got.Name != "How?" || got.Questions != nil {
		t.Errorf("%+v", got)
	}
	const more = `INSERT INTO knowledge_sources (id, account_id, agent_id, kind, name, state, size, versions)
		SELECT gen_random_uuid(), $1, $2, 'TEXT', 'more', 'READY', 1, '{[1,)}' FROM generate_series(1, $3::int)`
	for _, n := range []int{12_499, 1} { // each of them in both versions
		_, err = sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys)
		if err != nil {
			t.Fatalf("before %d more: %v", n, err)
		}
		storetest.Exec(t, s, more, f.Account.ID, f.Agent.ID, n)
	}
	if _, err = sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys); !fault.Is(err, store.TextTooLong) {
		t.Errorf("too many: %v", err)
	}
}

// TestDeletionInSteps tests that a statement deletes a number of postings, and that a deletion
// continues until nothing is left.
func TestDeletionInSteps(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	known := storetest.LearnCorpus(t, s, f.Agent)
	storetest.Exec(t, s, `UPDATE knowledge_passages SET terms = $1`, sources.DeletePostings/2)
	got, err := s.SQL().ExecContext(t.Context(), sources.DeletePassagesOf(`true`), f.Agent.ID,
		sources.DeletePostings)
	must(t, err)
	if n, _ := got.RowsAffected(); n != 2 {
		t.Errorf("%d passages were deleted, want 2", n)
	}
	must(t, erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID))
	storetest.PurgeAgents(t, s)
	for _, table := range []string{"sources", "passages", "postings"} {
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_`+table); n != 0 {
			t.Errorf("%d %s of %d sources are left", n, table, len(known))
		}
	}
}
