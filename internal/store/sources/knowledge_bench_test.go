package sources_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// BenchmarkFindKnowledge searches with two messages in an agent with 10,000 passages (ms_each) and
// in one of 200 agents with 500 (ms_small). The metrics with _busy are measured while 64 accounts
// begin turns. Word frequencies follow Zipf's law. bytes_a_passage is the disk space of a passage,
// its postings and their indexes.
func BenchmarkFindKnowledge(b *testing.B) {
	s := storetest.New(b)
	random := rand.New(rand.NewPCG(1, 2))
	word := func() (out string) { // Zipf's law over 30,000 words
		for n := int(math.Exp(random.Float64() * math.Log(30_000))); n > 0; n /= 26 {
			out += string(rune('a' + n%26))
		}
		return out
	}
	words := func(n int) string {
		var text strings.Builder
		for range n {
			text.WriteString(word() + " ")
		}
		return text.String()
	}
	seed := func(passages int) agent.Agent {
		f := storetest.Seed(b, s, storetest.Options{})
		for n := 0; n < passages; n += 500 {
			in := sources.NewKnowledge{Kind: knowledge.Text, Name: "manual", Text: fmt.Sprint("manual ", n)}
			for range 500 {
				in.Passages = append(in.Passages, knowledge.Passage{Heading: "Chapter", Text: words(220)})
			}
			storetest.Learn(b, s, f.Agent, in)
		}
		return f.Agent
	}
	big := seed(10_000)
	var small agent.Agent
	for range 200 {
		small = seed(500)
	}
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	measure := func(suffix string, rounds func() bool) {
		took := make([][]time.Duration, 2)
		for rounds() {
			for i, a := range []agent.Agent{big, small} {
				in := sources.FindKnowledge{AccountID: a.AccountID, AgentID: a.ID, Message: words(12), Before: words(12), MaxWhole: knowledge.MaxWhole}
				began := time.Now()
				if found, err := sources.On(s).FindKnowledge(b.Context(), in); err != nil || len(found.Passages) == 0 {
					b.Fatal(err)
				}
				took[i] = append(took[i], time.Since(began))
			}
		}
		for i, name := range []string{"ms_each", "ms_small"} {
			slices.Sort(took[i])
			b.ReportMetric(float64(took[i][len(took[i])/2].Microseconds())/1000, name+suffix)
		}
	}
	measure("", b.Loop)
	stop := chats(b, s, 64)
	n := 0
	measure("_busy", func() bool { n++; return n <= 50 })
	b.ReportMetric(stop(), "chats_s")
	b.ReportMetric(float64(storetest.CountRows(b, s, `SELECT (pg_total_relation_size('knowledge_postings') + pg_total_relation_size('knowledge_passages'))
		/ (SELECT count(*) FROM knowledge_passages)`)), "bytes_a_passage")
	b.ReportMetric(float64(storetest.CountRows(b, s, `SELECT count(*) / (SELECT count(*) FROM knowledge_passages) FROM knowledge_postings`)), "postings_a_passage")
}

// chats starts accounts that begin one turn after another. stop ends them and returns the turns per
// second.
func chats(b *testing.B, s *store.DB, many int) (stop func() float64) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	var allTurns atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range many {
		f := storetest.Seed(b, s, storetest.Options{Credits: 1 << 40})
		all.Go(func() {
			for ctx.Err() == nil {
				turn := storetest.NewBegin(f.Key)
				turn.Session, turn.RequestID = turn.TurnID.String(), uuid.NewString()
				if got, err := turns.On(s).BeginTurn(ctx, turn); ctx.Err() == nil && (err != nil || got.Outcome != turns.Begun) {
					b.Error(got.Outcome, err)
					return
				}
				allTurns.Add(1)
			}
		})
	}
	return func() float64 {
		cancel()
		all.Wait()
		return float64(allTurns.Load()) / time.Since(began).Seconds()
	}
}
