package sources_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

func TestFindKnowledge(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.LearnCorpus(t, s, f.Agent)
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("Do you repair watches?", "Yes, in the workshop at the station."))
	in := sources.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID}
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
		found, err := sources.On(s).FindKnowledge(t.Context(), in)
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
	for _, text := range storetest.Corpus {
		whole += len(text) + 100
	}
	whole += 100 + len("Do you repair watches?\n\nYes, in the workshop at the station.")
	in.Message = "refund"
	for most, want := range map[int]bool{whole: true, whole - 1: false} {
		in.MaxWhole = most
		if found, err := sources.On(s).FindKnowledge(t.Context(), in); err != nil || found.Whole != want || want && len(found.Passages) != len(storetest.Corpus)+1 {
			t.Errorf("at most %d of %d bytes whole: %v with %d passages, %v", most, whole, found.Whole, len(found.Passages), err)
		}
	}
}

// TestCommonTerms tests that a search skips terms of most passages, unless it has no others.
func TestCommonTerms(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	many := storetest.KnowledgeText("many", "many")
	many.Passages = nil
	for range 300 {
		many.Passages = append(many.Passages, knowledge.Passage{Text: "the shop"})
	}
	storetest.Learn(t, s, f.Agent, many)
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("rare", "a refund"))
	in := sources.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID}
	for message, want := range map[string][]string{"the refund": {"rare"}, "the shop": {"many"}, "the moon": {"many"}} {
		in.Message = message
		if got := storetest.FindNames(t, s, in); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", message, got, want)
		}
	}
	in.Message, in.Before = "the shop", "a refund"
	if got := storetest.FindNames(t, s, in); len(got) != 2 {
		t.Errorf("after another message: found %v", got)
	}
}

// TestKnowledgeIsOneTenants tests that accounts with the same words never see each other's sources.
func TestKnowledgeIsOneTenants(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ctx := t.Context()
	mine, theirs := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	own := storetest.LearnCorpus(t, s, mine.Agent)
	sibling := storetest.SeedAgent(t, s, mine.Account.ID, storetest.Options{})
	src := storetest.LearnCorpus(t, s, theirs.Agent)["returns"]
	storetest.PublishNoted(t, s, theirs.Agent, "")
	me, agentID := mine.Account.ID, theirs.Agent.ID
	for name, err := range map[string]error{
		"add":     storetest.ErrOnly(sources.On(s).AddKnowledge(ctx, me, agentID, storetest.KnowledgeText("x", "x"))),
		"replace": storetest.ErrOnly(sources.On(s).ReplaceKnowledge(ctx, me, src.ID, storetest.KnowledgeText("x", "x"))),
		"remove":  func() error { _, _, err := sources.On(s).RemoveKnowledge(ctx, me, src.ID); return err }(),
		"delete":  storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, src.ID)),
		"unused":  storetest.ErrOnly(sources.On(s).DeleteUnusedKnowledge(ctx, me, agentID)),
		"nothing": storetest.ErrOnly(sources.On(s).DeleteKnowledge(ctx, me, uuid.New())),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v, want not_found", name, err)
		}
	}
	pages, err := sources.On(s).KnowledgeByAgents(ctx, me, []uuid.UUID{agentID}, 10, nil)
	byIDs, err2 := sources.On(s).KnowledgeByIDs(ctx, me, []uuid.UUID{src.ID})
	versions, err3 := sources.On(s).KnowledgeByVersions(ctx, me, []agents.VersionNumber{{AgentID: agentID, Number: 2}})
	use, err4 := sources.On(s).KnowledgeUseByAgents(ctx, me, []uuid.UUID{agentID})
	text, err5 := sources.On(s).KnowledgeTexts(ctx, me, []uuid.UUID{src.ID}, 0, 10)
	passages, err6 := sources.On(s).PassagesByKeys(ctx, me, []sources.PassageKey{{SourceID: src.ID, Passage: 1}})
	changed, err7 := sources.On(s).KnowledgeChanged(ctx, me, []uuid.UUID{agentID})
	must(t, errors.Join(err, err2, err3, err4, err5, err6, err7))
	if len(pages[agentID].Items)+len(byIDs)+len(versions[agents.VersionNumber{AgentID: agentID, Number: 2}])+len(use)+len(text)+len(passages)+len(changed) > 0 {
		t.Errorf("another account's: %v %v %v %v %v %v %v", pages, byIDs, versions, use, text, passages, changed)
	}
	for _, whole := range []int{0, 1 << 20} {
		for name, in := range map[string]sources.FindKnowledge{
			"another account's agent":  {AccountID: me, AgentID: agentID},
			"its version":              {AccountID: me, AgentID: agentID, Version: new(2)},
			"an agent without":         {AccountID: me, AgentID: sibling.ID},
			"a version that is to be":  {AccountID: me, AgentID: mine.Agent.ID, Version: new(2)},
			"a version that was not":   {AccountID: me, AgentID: mine.Agent.ID, Version: new(0)},
			"a version without":        {AccountID: me, AgentID: mine.Agent.ID, Version: new(1)},
			"another account for both": {AccountID: uuid.New(), AgentID: mine.Agent.ID},
		} {
			in.Message, in.MaxWhole = "refund card shop", whole
			if got := storetest.FindNames(t, s, in); got != nil {
				t.Errorf("%s: found %v", name, got)
			}
		}
	}
	// Two agents with the same words share no posting.
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM (SELECT p.term FROM knowledge_postings p JOIN knowledge_sources s ON s.number = p.source
			GROUP BY p.term HAVING count(DISTINCT s.agent_id) > 1) x`); n != 0 {
		t.Errorf("%d keys are of several agents", n)
	}
	if _, err := sources.On(s).DeleteKnowledge(ctx, theirs.Account.ID, src.ID); err != nil {
		t.Error(err)
	}
	in := sources.FindKnowledge{AccountID: me, AgentID: mine.Agent.ID, Message: "refund"}
	if got := storetest.FindNames(t, s, in); !slices.Equal(got, []string{"returns"}) {
		t.Errorf("after the other account's was deleted: found %v", got)
	}
	keys := []sources.PassageKey{{SourceID: own["returns"].ID, Passage: 1}, {SourceID: own["返品"].ID, Passage: 1}, {SourceID: own["返品"].ID, Passage: 2}}
	got, err := sources.On(s).PassagesByKeys(ctx, me, keys)
	if err != nil || len(got) != 2 || got[keys[0]].Text != storetest.Corpus["returns"] || got[keys[1]].Name != "返品" {
		t.Errorf("passages: %v %v", got, err)
	}
	texts, err := sources.On(s).KnowledgeTexts(ctx, me, []uuid.UUID{own["返品"].ID}, 3, 4)
	if err != nil || texts[own["返品"].ID] != "三十日以" {
		t.Errorf("text: %v %v", texts, err)
	}
	storetest.Audit(t, s)
}

// TestSearchReadsItsOwnAgent tests that the pages that a search reads do not grow with other
// accounts' sources of the same words, with or without statistics.
func TestSearchReadsItsOwnAgent(t *testing.T) {
	t.Parallel()
	last := &storetest.Captured{}
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), Tracer: last})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.LearnCorpus(t, s, f.Agent)
	pages := func() float64 {
		in := sources.FindKnowledge{AccountID: f.Account.ID, AgentID: f.Agent.ID, Message: storetest.Corpus["returns"], Before: storetest.Corpus["opening"]}
		if got := storetest.FindNames(t, s, in); len(got) == 0 || got[0] != "returns" {
			t.Fatal(got)
		}
		query, args := last.Statement()
		return storetest.PagesRead(t, s, query, args)
	}
	alone := pages()
	other := storetest.Seed(t, s, storetest.Options{})
	for n := range 9 {
		in := storetest.KnowledgeText("many", fmt.Sprint(n))
		for range 1_000 {
			in.Passages = append(in.Passages, knowledge.Passage{Text: storetest.Corpus["returns"]})
		}
		storetest.Learn(t, s, other.Agent, in)
	}
	without := pages()
	storetest.Exec(t, s, `VACUUM ANALYZE`)
	with := pages()
	t.Logf("pages: %v alone, %v next to 9,000 passages, %v with statistics", alone, without, with)
	if most := alone*1.5 + 100; without > most || with > most {
		t.Errorf("want at most %v", most)
	}
}
