package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// content is what an agent's draft knows but for what is its own: ids, numbers, keys and times.
const content = `SELECT string_agg(concat_ws('|', s.kind, s.name, s.questions, s.state, s.size, s.characters, s.text, s.text_hash, s.passage_count,
		s.bytes, s.pages, (SELECT string_agg(p::text, ';' ORDER BY p.passage) FROM (
			SELECT passage, heading, page, text, terms FROM knowledge_passages WHERE source = s.number) p),
		(SELECT string_agg(concat_ws('/', x.passage, x.weight), ';' ORDER BY x.passage, x.weight) FROM knowledge_postings x WHERE x.source = s.number)),
	E'\n' ORDER BY s.id) FROM knowledge_sources s WHERE s.agent_id = $1 AND upper_inf(s.versions)`

func contentOf(t *testing.T, s *store.Store, a agent.Agent) (out string) {
	t.Helper()
	if err := s.DB().QueryRowContext(t.Context(), content, a.ID).Scan(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func enough(int64) error { return nil }

func TestDuplicateAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	me, a, ctx := f.Account.ID, f.Agent, t.Context()
	learnCorpus(t, s, a)
	learn(t, s, a, anAnswer("Do you repair watches?", "Yes, in the workshop at the station."))
	old := learn(t, s, a, aText("old", "Only a version knows this."))
	publish(t, s, a, "")
	if _, _, err := s.RemoveKnowledge(ctx, me, old.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddFile(ctx, me, a.ID, store.NewFile{Name: "pages.pdf", Content: []byte("as it came")}); err != nil {
		t.Fatal(err)
	}
	job, err := s.ClaimFile(ctx, uuid.Nil)
	if err == nil {
		err = s.FinishFile(ctx, job, "# One\n\nFirst page.\f# Two\n\nSecond page.", 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddFile(ctx, me, a.ID, store.NewFile{Name: "unread.txt", Content: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	by, asked := uuid.New(), 0
	dup, err := s.DuplicateAgent(ctx, me, a.ID, "Copy", &by, func(int64) error { asked++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if dup.Name != "Copy" || dup.Description != a.Description || !reflect.DeepEqual(dup.Settings, a.Settings) || dup.State != agent.Draft ||
		dup.PublishedVersion != nil || dup.ID == a.ID {
		t.Errorf("the copy is %+v", dup)
	}
	if got, want := contentOf(t, s, dup), contentOf(t, s, a); got != want || asked != len(corpus)+2 {
		t.Errorf("after %d questions the copy knows\n%s\nwant\n%s", asked, got, want)
	}
	if n := countRows(t, s, `SELECT count(*) FROM knowledge_sources WHERE agent_id = $1 AND created_by = $2`, dup.ID, by); n != len(corpus)+2 {
		t.Errorf("%d sources are added by who made the copy", n)
	}
	in := store.FindKnowledge{AccountID: me, AgentID: dup.ID, Message: "WHEN DOES THE SHOP OPEN"}
	if got := findNames(t, s, in); len(got) == 0 || got[0] != "opening" {
		t.Errorf("the copy finds %q", got)
	}
	publish(t, s, dup, "")
	if _, err := s.DuplicateAgent(ctx, uuid.New(), a.ID, "Copy", nil, enough); !fault.Is(err, fault.NotFound) {
		t.Errorf("another account's agent: %v", err)
	}
	storetest.Audit(t, s)
}

// TestDuplicateIsWhole: a copy that is refused leaves nothing.
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
		learn(t, s, f.Agent, aText(fmt.Sprint(i), fmt.Sprintf("text %d", i)))
	}
	_, err = s.DuplicateAgent(t.Context(), f.Account.ID, f.Agent.ID, "Copy", nil, enough)
	refusedWith(t, "too many passages", err, "5 passages together")
	full := errors.New("no memory")
	asked := 0
	_, err = s.DuplicateAgent(t.Context(), f.Account.ID, f.Agent.ID, "Copy", nil, func(int64) error {
		if asked++; asked == 2 {
			return fault.Wrap(fault.Unavailable, full)
		}
		return nil
	})
	if !errors.Is(err, full) || asked != 2 {
		t.Errorf("without memory for the second text: %v after %d questions", err, asked)
	}
	if n := countRows(t, s, `SELECT count(*) FROM agents`) + countRows(t, s, `SELECT count(*) FROM knowledge_sources`); n != 4 {
		t.Errorf("%d agents and sources, want 4", n)
	}
	storetest.Audit(t, s)
}
