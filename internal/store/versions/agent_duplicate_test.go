package versions_test

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// content selects the sources of an agent's draft without their ids, numbers, keys and times.
const content = `SELECT string_agg(concat_ws('|', s.kind, s.name, s.questions, s.state, s.size, s.characters, s.text, s.text_hash, s.passage_count,
		s.bytes, s.pages, (SELECT string_agg(p::text, ';' ORDER BY p.passage) FROM (
			SELECT passage, heading, page, text, terms FROM knowledge_passages WHERE source = s.number) p),
		(SELECT string_agg(concat_ws('/', x.passage, x.weight), ';' ORDER BY x.passage, x.weight) FROM knowledge_postings x WHERE x.source = s.number)),
	E'\n' ORDER BY s.id) FROM knowledge_sources s WHERE s.agent_id = $1 AND upper_inf(s.versions)`

func contentOf(t *testing.T, s *store.DB, a agent.Agent) (out string) {
	t.Helper()
	if err := s.SQL().QueryRowContext(t.Context(), content, a.ID).Scan(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDuplicateAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	me, a, ctx := f.Account.ID, f.Agent, t.Context()
	storetest.LearnCorpus(t, s, a)
	storetest.Learn(t, s, a, storetest.KnowledgeAnswer("Do you repair watches?", "Yes, in the workshop at the station."))
	old := storetest.Learn(t, s, a, storetest.KnowledgeText("old", "Only a version knows this."))
	storetest.PublishNoted(t, s, a, "")
	if _, _, err := sources.On(s).RemoveKnowledge(ctx, me, old.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := sources.On(s).AddFile(ctx, me, a.ID, sources.NewFile{Name: "pages.pdf", Content: []byte("as it came")}); err != nil {
		t.Fatal(err)
	}
	job, err := sources.On(s).ClaimFile(ctx, sources.Lane{}, uuid.Nil)
	if err == nil {
		err = sources.On(s).FinishFile(ctx, job, knowledge.FileText{Text: "# One\n\nFirst page.\f# Two\n\nSecond page.", Pages: 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sources.On(s).AddFile(ctx, me, a.ID, sources.NewFile{Name: "unread.txt", Content: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	by := uuid.New()
	dup, err := versions.On(s).DuplicateAgent(ctx, me, a.ID, "Copy", &by)
	if err != nil {
		t.Fatal(err)
	}
	if dup.Name != "Copy" || dup.Description != a.Description || !reflect.DeepEqual(dup.Settings, a.Settings) || dup.State != agent.Draft ||
		dup.PublishedVersion != nil || dup.ID == a.ID {
		t.Errorf("the copy is %+v", dup)
	}
	if got, want := contentOf(t, s, dup), contentOf(t, s, a); got != want {
		t.Errorf("the copy knows\n%s\nwant\n%s", got, want)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_sources WHERE agent_id = $1 AND created_by = $2`, dup.ID, by); n != len(storetest.Corpus)+2 {
		t.Errorf("%d sources are added by who made the copy", n)
	}
	in := sources.FindKnowledge{AccountID: me, AgentID: dup.ID, Message: "WHEN DOES THE SHOP OPEN"}
	if got := storetest.FindNames(t, s, in); len(got) == 0 || got[0] != "opening" {
		t.Errorf("the copy finds %q", got)
	}
	storetest.PublishNoted(t, s, dup, "")
	if _, err := versions.On(s).DuplicateAgent(ctx, uuid.New(), a.ID, "Copy", nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("another account's agent: %v", err)
	}
	storetest.Audit(t, s)
}

// TestDuplicateIsWhole tests that a rejected copy leaves nothing.
func TestDuplicateIsWhole(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	s, err := store.Open(t.Context(), store.Config{URL: url, KnowledgePassages: 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i := range 3 {
		storetest.Learn(t, s, f.Agent, storetest.KnowledgeText(fmt.Sprint(i), fmt.Sprintf("text %d", i)))
	}
	_, err = versions.On(s).DuplicateAgent(t.Context(), f.Account.ID, f.Agent.ID, "Copy", nil)
	storetest.RefusedWith(t, "too many passages", err, "5 passages together")
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_sources`); n != 3 {
		t.Errorf("%d sources: it was refused after it had been copied", n)
	}
	checkAgents(t, s, f.Account.ID, 1)
	storetest.PurgeAgents(t, s)
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM agents`); n != 1 {
		t.Errorf("%d agents, want 1", n)
	}
	storetest.Audit(t, s)
}

// TestNoMoreAgents tests that an account with all its agents is refused before anything is copied.
func TestNoMoreAgents(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `INSERT INTO agents (id, account_id, name)
		SELECT gen_random_uuid(), $1, 'a' FROM generate_series(2, $2)`, f.Account.ID, agent.MaxAgents)
	_, err := versions.On(s).ImportAgent(t.Context(), f.Account.ID, agent.Agent{Name: "Imported"},
		func(func(sources.NewKnowledge, error) bool) { t.Error("the import began") })
	storetest.RefusedWith(t, "import", err, "1,000 agents")
	_, err = versions.On(s).DuplicateAgent(t.Context(), f.Account.ID, f.Agent.ID, "Copy", nil)
	storetest.RefusedWith(t, "copy", err, "1,000 agents")
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM agents`); n != agent.MaxAgents {
		t.Errorf("%d agents: one was inserted", n)
	}
}

// checkAgents checks the number of agents that the account sees and that verification finds no
// fault.
func checkAgents(t *testing.T, s *store.DB, accountID uuid.UUID, want int) {
	t.Helper()
	page, err := agents.On(s).AgentPage(t.Context(), accountID, agents.AgentQuery{First: 10, Count: true})
	if err != nil || len(page.Items) != want || page.Total != want {
		t.Errorf("%d agents, counted %d, want %d, %v", len(page.Items), page.Total, want, err)
	}
	storetest.Audit(t, s)
}

// TestDuplicateOfManyAnswers tests that an import and a copy of many answers take few statements
// and keep the order. A copy has no part of a source that is deleted meanwhile.
func TestDuplicateOfManyAnswers(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	count := &storetest.Statements{}
	s, err := store.Open(t.Context(), store.Config{URL: url, Tracer: count})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	const answers = 500
	statements := func(what string, most int64, run func() (agent.Agent, error)) agent.Agent {
		before := count.Load()
		a, err := run()
		if n := count.Load() - before; err != nil || n > most {
			t.Errorf("%s: %v after %d statements, want at most %d", what, err, n, most)
		}
		return a
	}
	a := statements("import", 20, func() (agent.Agent, error) {
		return versions.On(s).ImportAgent(t.Context(), f.Account.ID, agent.Agent{Name: "Imported"},
			manyAnswers(answers))
	})
	var want []string
	for in := range manyAnswers(answers) {
		want = append(want, in.Name)
	}
	names := func(a agent.Agent, by string) []string {
		var joined string
		if err := s.SQL().QueryRowContext(t.Context(), `SELECT string_agg(name, E'\n' ORDER BY `+by+`) FROM knowledge_sources
			WHERE agent_id = $1`, a.ID).Scan(&joined); err != nil {
			t.Fatal(err)
		}
		return strings.Split(joined, "\n")
	}
	dup := statements("duplicate", 20, func() (agent.Agent, error) {
		return versions.On(s).DuplicateAgent(t.Context(), f.Account.ID, a.ID, "Copy", nil)
	})
	for what, a := range map[string]agent.Agent{"imported": a, "copied": dup} {
		if !slices.Equal(names(a, "id"), want) || !slices.Equal(names(a, "number"), want) {
			t.Errorf("the order of what is %s differs", what)
		}
	}
	if contentOf(t, s, dup) != contentOf(t, s, a) {
		t.Error("the copy knows something else")
	}
	at := &interruption{before: "INSERT INTO knowledge_postings"}
	at.run = func() { // before the first passages of the copy
		known, err := sources.On(s).KnowledgeByAgents(t.Context(), f.Account.ID, []uuid.UUID{a.ID}, 100, nil)
		if err == nil {
			_, err = sources.On(s).DeleteKnowledge(t.Context(), f.Account.ID, known[a.ID].Items[50].ID)
		}
		if err != nil {
			t.Error(err)
		}
	}
	during, err := store.Open(t.Context(), store.Config{URL: url, Tracer: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = during.Close() })
	dup, err = versions.On(during).DuplicateAgent(t.Context(), f.Account.ID, a.ID, "Copy", nil)
	if err != nil || contentOf(t, s, dup) != contentOf(t, s, a) || !at.ran {
		t.Errorf("%v; the copy knows something else, or nothing was deleted", err)
	}
	storetest.Audit(t, s)
}

// manyAnswers returns different answers of 40 different words.
func manyAnswers(answers int) iter.Seq2[sources.NewKnowledge, error] {
	return func(yield func(sources.NewKnowledge, error) bool) {
		for i := range answers {
			var text strings.Builder
			for n := range 40 {
				fmt.Fprintf(&text, "word%d ", i*40+n)
			}
			question := fmt.Sprintf("What is number %d?", i)
			if !yield(storetest.KnowledgeAnswer(question, text.String()), nil) {
				return
			}
		}
	}
}
