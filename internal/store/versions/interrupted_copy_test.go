package versions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
	"agentchat/internal/testlong"
)

// interruptedCopy is a copy of an agent that is interrupted.
type interruptedCopy struct {
	// killed means that the process cannot mark the copy deleted.
	killed, accountDeleted bool
	// before is a part of the statement before which the copy is interrupted.
	before string
}

// TestInterruptedCopy interrupts a copy. No user ever sees it, and all of it is
// purged: an hour later if its process was killed, otherwise at once.
func TestInterruptedCopy(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]interruptedCopy{
		"client left":                  {before: "deleted_at = NULL"},
		"account deleted at the start": {before: "WITH hidden", accountDeleted: true},
		"account deleted at the end":   {before: "deleted_at = NULL", accountDeleted: true},
		"killed":                       {before: "deleted_at = NULL", killed: true},
		"killed, then account deleted": {before: "deleted_at = NULL", killed: true, accountDeleted: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c.check(t, func(s *store.DB, a agent.Agent) { storetest.LearnCorpus(t, s, a) })
		})
	}
}

// TestInterruptedCopyOfManyPassages tests that 10,000 passages and their copies are purged, each
// statement within its timeout.
func TestInterruptedCopyOfManyPassages(t *testing.T) {
	testlong.Only(t)
	c := interruptedCopy{before: "deleted_at = NULL", killed: true, accountDeleted: true}
	c.check(t, func(s *store.DB, a agent.Agent) {
		for i := range 20 {
			storetest.Learn(t, s, a, storetest.KnowledgeText(fmt.Sprint(i), fmt.Sprint("text ", i)))
		}
		// Like real ones, the postings of a passage are on many pages.
		storetest.Bulk(t, s, `WITH x AS (
				INSERT INTO knowledge_passages (source, passage, heading, text, terms)
				SELECT number, n, '', 'text', 100 FROM knowledge_sources, generate_series(2, 500) n
					RETURNING source, passage)
			INSERT INTO knowledge_postings (term, source, passage, weight)
				SELECT hashint8(source + 31 * n)::bigint * 1000000 + n, source, passage, 1
					FROM x, generate_series(1, 100) n ORDER BY 1`)
		storetest.Bulk(t, s, `UPDATE knowledge_sources SET passage_count = 500`)
	})
}

// check interrupts the copy of an agent with some knowledge.
func (c interruptedCopy) check(t *testing.T, learn func(*store.DB, agent.Agent)) {
	t.Helper()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	learn(s, f.Agent)
	counts := func() (agents, sources, passages int) {
		return storetest.CountRows(t, s, `SELECT count(*) FROM agents`),
			storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_sources`),
			storetest.CountRows(t, s, `SELECT count(*) FROM knowledge_passages`)
	}
	left, hadSources, hadPassages := counts()
	ctx, cancel := context.WithCancel(t.Context())
	at := &interruption{before: c.before}
	copying, err := store.Open(t.Context(), store.Config{URL: url, Tracer: at})
	if err != nil {
		t.Fatal(err)
	}
	at.run = func() {
		if c.killed {
			_ = copying.Close()
		}
		if !c.accountDeleted {
			cancel()
		} else if err := erasure.On(s).DeleteAnyAccount(t.Context(), f.Account.ID,
			storetest.ByUser); err != nil {
			t.Error(err)
		}
	}
	_, err = versions.On(copying).DuplicateAgent(ctx, f.Account.ID, f.Agent.ID, "Copy", nil)
	if !at.ran {
		t.Fatalf("it ended before it was interrupted: %v", err)
	}
	if cancel(); err == nil || c.accountDeleted && !c.killed && !fault.Is(err, fault.NotFound) {
		t.Errorf("it ended with %v", err)
	}
	if c.accountDeleted {
		left, hadSources, hadPassages = 0, 0, 0
	}
	checkAgents(t, s, f.Account.ID, left)
	storetest.PurgeAgents(t, s)
	if c.killed && !c.accountDeleted {
		if _, n, _ := counts(); n != 2*hadSources {
			t.Errorf("%d sources, want %d: a copy in progress was purged", n, 2*hadSources)
		}
		storetest.Exec(t, s, `UPDATE agents SET deleted_at = deleted_at - interval '1 hour'`)
		storetest.PurgeAgents(t, s)
	}
	agents, sources, passages := counts()
	if agents != left || sources != hadSources || passages != hadPassages {
		t.Errorf("%d agents, %d sources and %d passages are left, want %d, %d and %d", agents, sources,
			passages, left, hadSources, hadPassages)
	}
	_ = copying.Close()
	storetest.Audit(t, s)
}

// interruption runs a function before the first statement that contains a text.
type interruption struct {
	before string
	run    func()
	ran    bool
}

func (i *interruption) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !i.ran && strings.Contains(data.SQL, i.before) {
		i.ran = true
		i.run()
	}
	return ctx
}

func (*interruption) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
