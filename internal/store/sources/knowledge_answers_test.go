package sources_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// answers returns different answers, numbered from a number.
func answers(from, n int) (out []sources.NewKnowledge) {
	for i := range n {
		out = append(out, storetest.KnowledgeAnswer(fmt.Sprintf("Question %d?", from+i), "Yes."))
	}
	return out
}

// added counts the answers without a fault; the others must have faults with a text.
func added(t *testing.T, refused []error, text string) (n int) {
	t.Helper()
	for i, err := range refused {
		switch {
		case err == nil:
			n++
		case !strings.Contains(err.Error(), text):
			t.Errorf("answer %d: %v, want %q", i, err, text)
		}
	}
	return n
}

// TestImportAgain tests that an import that ends in the middle leaves whole transactions, and that
// repeating it, even twice at the same time, adds each answer once.
func TestImportAgain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	in := answers(1, 5_000)
	storetest.Exec(t, s, `ALTER TABLE knowledge_sources ADD CONSTRAINT stop CHECK (name <> 'Question 2550?')`)
	if _, err := sources.On(s).ImportAnswers(t.Context(), f.Account.ID, f.Agent.ID, in); err == nil {
		t.Error("the import did not end")
	}
	count := func(what string) int {
		return storetest.CountRows(t, s, `SELECT count(`+what+`) FROM knowledge_sources`)
	}
	if n := count("*"); n != 2_500 {
		t.Errorf("added %d before the end, want 2,500", n)
	}
	storetest.Exec(t, s, `ALTER TABLE knowledge_sources DROP CONSTRAINT stop`)
	var more atomic.Int64
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			refused, err := sources.On(s).ImportAnswers(context.WithoutCancel(t.Context()), f.Account.ID, f.Agent.ID, in)
			if err != nil {
				t.Error(err)
			}
			more.Add(int64(added(t, refused, "already has this text as “Question ")))
		})
	}
	work.Wait()
	if more.Load() != 2_500 || count("*") != 5_000 || count("DISTINCT name") != 5_000 {
		t.Errorf("added %d, has %d sources with %d names", more.Load(), count("*"), count("DISTINCT name"))
	}
	storetest.Audit(t, s)
}

// TestImportLimits tests that a limit of the agent or of the account stops an import, exactly.
func TestImportLimits(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), KnowledgePassages: 250})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := storetest.Seed(t, s, storetest.Options{})
	me, a := f.Account.ID, f.Agent.ID
	in := answers(1, 400)
	in[1] = in[0]
	known, err := sources.On(s).KnownAnswers(t.Context(), me, a, in)
	if n := added(t, known, "“Question 1?”"); n != 399 || err != nil {
		t.Errorf("%d new, %v", n, err)
	}
	refused, err := sources.On(s).ImportAnswers(t.Context(), me, a, in)
	storetest.RefusedWith(t, "twice in the file", refused[1], "“Question 1?”")
	if n := added(t, append(refused[:1], refused[2:]...), "250 passages"); n != 250 || err != nil {
		t.Errorf("added %d, want 250; %v", n, err)
	}
	storetest.Exec(t, s, `UPDATE knowledge_sources SET bytes = (50 << 20) / 250, passage_count = 0`)
	refused, err = sources.On(s).ImportAnswers(t.Context(), me, a, answers(1_000, 150))
	if n := added(t, refused, "50 MB"); n > 2 || err != nil {
		t.Errorf("added %d to a full agent; %v", n, err)
	}
	other := storetest.Seed(t, s, storetest.Options{})
	if _, err := sources.On(s).ImportAnswers(t.Context(), other.Account.ID, a, in); !fault.Is(err, fault.NotFound) {
		t.Errorf("another account: %v", err)
	}
}
