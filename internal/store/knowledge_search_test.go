package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestFindKnowledge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	learnCorpus(t, s, f.Agent)
	learn(t, s, f.Agent, anAnswer("Do you repair watches?", "Yes, in the workshop at the station."))
	in := store.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID}
	for _, c := range []struct{ message, before, first string }{
		{"how long until I get my refund on the card?", "", "returns"},
		{"WHEN DOES THE SHOP OPEN", "", "opening"},
		{"a-1", "", "shipping"},
		{"Wie geht die Rückgabe?", "", "rückgabe"},
		{"Wie lange dauert der Versand?", "", "versand"},
		{"返金はいつですか", "", "返品"},
		{"配送はどのくらい", "", "配送"},
		{"환불이 언제 되나요", "", "환불"},
		{"배송은", "", "배송"},
		{"is my watch repaired? watches", "", "Do you repair watches?"},
		{"And how long does that take?", "Do you send parcels to the islands?", "shipping"},
		{"zzz", "", ""},
		{"?!", "", ""},
		{"", "", ""},
	} {
		in.Message, in.Before = c.message, c.before
		found, err := s.FindKnowledge(t.Context(), in)
		if err != nil || found.Whole {
			t.Fatal(err)
		}
		first := ""
		if len(found.Passages) > 0 {
			first = found.Passages[0].Name
			if found.Passages[0].Score <= 0 {
				t.Errorf("%q: a score of %v", c.message, found.Passages[0].Score)
			}
		}
		if first != c.first {
			t.Errorf("%q after %q: found %q first, want %q", c.message, c.before, first, c.first)
		}
	}
	whole := 0
	for _, text := range corpus {
		whole += len(text) + 100
	}
	whole += 100 + len("Do you repair watches?\n\nYes, in the workshop at the station.")
	in.Message = "refund"
	for most, want := range map[int]bool{whole: true, whole - 1: false} {
		in.MaxWhole = most
		if found, err := s.FindKnowledge(t.Context(), in); err != nil || found.Whole != want || want && len(found.Passages) != len(corpus)+1 {
			t.Errorf("at most %d of %d bytes whole: %v with %d passages, %v", most, whole, found.Whole, len(found.Passages), err)
		}
	}
}

// TestCommonTerms: what most passages have is left out of a search, but not of one that has nothing else.
func TestCommonTerms(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	many := aText("many", "many")
	many.Passages = nil
	for range 300 {
		many.Passages = append(many.Passages, knowledge.Passage{Text: "the shop"})
	}
	learn(t, s, f.Agent, many)
	learn(t, s, f.Agent, aText("rare", "a refund"))
	in := store.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID}
	for message, want := range map[string][]string{"the refund": {"rare"}, "the shop": {"many"}, "the moon": {"many"}} {
		in.Message = message
		if got := findNames(t, s, in); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", message, got, want)
		}
	}
	in.Message, in.Before = "the shop", "a refund"
	if got := findNames(t, s, in); len(got) != 2 {
		t.Errorf("after another message: found %v", got)
	}
}

// TestKnowledgeIsOneTenants: two accounts with the same words see nothing of each other, by whatever ids.
func TestKnowledgeIsOneTenants(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	mine, theirs := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	own := learnCorpus(t, s, mine.Agent)
	sibling := storetest.SeedAgent(t, s, mine.Account.ID, storetest.Options{})
	src := learnCorpus(t, s, theirs.Agent)["returns"]
	publish(t, s, theirs.Agent, "")
	me, agentID := mine.Account.ID, theirs.Agent.ID
	for name, err := range map[string]error{
		"add":     third(s.AddKnowledge(ctx, me, agentID, aText("x", "x"))),
		"replace": third(s.ReplaceKnowledge(ctx, me, src.ID, aText("x", "x"))),
		"remove":  func() error { _, _, err := s.RemoveKnowledge(ctx, me, src.ID); return err }(),
		"delete":  third(s.DeleteKnowledge(ctx, me, src.ID)),
		"unused":  third(s.DeleteUnusedKnowledge(ctx, me, agentID)),
		"nothing": third(s.DeleteKnowledge(ctx, me, uuid.New())),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
	pages, err := s.KnowledgeByAgents(ctx, me, []uuid.UUID{agentID}, 10, nil)
	byIDs, err2 := s.KnowledgeByIDs(ctx, me, []uuid.UUID{src.ID})
	versions, err3 := s.KnowledgeByVersions(ctx, me, []store.VersionNumber{{AgentID: agentID, Number: 2}})
	use, err4 := s.KnowledgeUseByAgents(ctx, me, []uuid.UUID{agentID})
	text, err5 := s.KnowledgeTexts(ctx, me, []uuid.UUID{src.ID}, 0, 10)
	passages, err6 := s.PassagesByKeys(ctx, me, []store.PassageKey{{SourceID: src.ID, Passage: 1}})
	changed, err7 := s.KnowledgeChanged(ctx, me, []uuid.UUID{agentID})
	for i, err := range []error{err, err2, err3, err4, err5, err6, err7} {
		if err != nil {
			t.Errorf("read %d: %v", i, err)
		}
	}
	if len(pages[agentID].Items)+len(byIDs)+len(versions[store.VersionNumber{AgentID: agentID, Number: 2}])+len(use)+len(text)+len(passages)+len(changed) > 0 {
		t.Errorf("another account's: %v %v %v %v %v %v %v", pages, byIDs, versions, use, text, passages, changed)
	}
	for _, whole := range []int{0, 1 << 20} {
		for name, in := range map[string]store.FindKnowledge{
			"another account's agent":  {AccountID: me, AgentID: agentID},
			"its version":              {AccountID: me, AgentID: agentID, Version: new(2)},
			"an agent without":         {AccountID: me, AgentID: sibling.ID},
			"a version that is to be":  {AccountID: me, AgentID: mine.Agent.ID, Version: new(2)},
			"a version that was not":   {AccountID: me, AgentID: mine.Agent.ID, Version: new(0)},
			"a version without":        {AccountID: me, AgentID: mine.Agent.ID, Version: new(1)},
			"another account for both": {AccountID: uuid.New(), AgentID: mine.Agent.ID},
		} {
			in.Message, in.MaxWhole = "refund card shop", whole
			if got := findNames(t, s, in); got != nil {
				t.Errorf("%s: found %v", name, got)
			}
		}
	}
	// All postings of two agents with the same words are apart.
	if n := countRows(t, s, `SELECT count(*) FROM (SELECT p.term FROM knowledge_postings p JOIN knowledge_sources s ON s.number = p.source
			GROUP BY p.term HAVING count(DISTINCT s.agent_id) > 1) x`); n != 0 {
		t.Errorf("%d keys are of several agents", n)
	}
	if _, err := s.DeleteKnowledge(ctx, theirs.Account.ID, src.ID); err != nil {
		t.Error(err)
	}
	in := store.FindKnowledge{AccountID: me, AgentID: mine.Agent.ID, Message: "refund"}
	if got := findNames(t, s, in); !slices.Equal(got, []string{"returns"}) {
		t.Errorf("after the other account's was deleted: found %v", got)
	}
	keys := []store.PassageKey{{SourceID: own["returns"].ID, Passage: 1}, {SourceID: own["返品"].ID, Passage: 1}, {SourceID: own["返品"].ID, Passage: 2}}
	got, err := s.PassagesByKeys(ctx, me, keys)
	if err != nil || len(got) != 2 || got[keys[0]].Text != corpus["returns"] || got[keys[1]].Name != "返品" {
		t.Errorf("passages: %v %v", got, err)
	}
	texts, err := s.KnowledgeTexts(ctx, me, []uuid.UUID{own["返品"].ID}, 3, 4)
	if err != nil || texts[own["返品"].ID] != "三十日以" {
		t.Errorf("text: %v %v", texts, err)
	}
	storetest.Audit(t, s)
}

// TestSearchReadsItsOwnAgent: the pages that a search reads do not grow with what others know, in the same words, with and without
// statistics.
func TestSearchReadsItsOwnAgent(t *testing.T) {
	t.Parallel()
	last := &captured{}
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	learnCorpus(t, s, f.Agent)
	pages := func() float64 {
		in := store.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID, Message: corpus["returns"], Before: corpus["opening"]}
		if got := findNames(t, s, in); len(got) == 0 || got[0] != "returns" {
			t.Fatal(got)
		}
		query, args := last.statement()
		return explain(t, s, query, args)
	}
	alone := pages()
	other := storetest.Seed(t, s, storetest.Options{})
	for n := range 9 {
		in := aText("many", fmt.Sprint(n))
		for range 1_000 {
			in.Passages = append(in.Passages, knowledge.Passage{Text: corpus["returns"]})
		}
		learn(t, s, other.Agent, in)
	}
	without := pages()
	exec(t, s, `VACUUM ANALYZE`)
	with := pages()
	t.Logf("pages: %v alone, %v beside 9,000 passages, %v with statistics", alone, without, with)
	if most := alone*1.5 + 100; without > most || with > most {
		t.Errorf("want at most %v", most)
	}
}
