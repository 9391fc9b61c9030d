package sources_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// BenchmarkFindKnowledge searches with two messages in an agent with 10,000 passages (ms_each) and
// in one of 200 agents with 500 (ms_small). Word frequencies follow Zipf's law. bytes_a_passage is
// the disk space of a passage, its postings and their indexes.
func BenchmarkFindKnowledge(b *testing.B) {
	s := storetest.New(b)
	random := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string { // of 30,000
		var text strings.Builder
		for range n {
			for n := int(math.Exp(random.Float64() * math.Log(30_000))); n > 0; n /= 26 {
				text.WriteByte(byte('a' + n%26))
			}
			text.WriteByte(' ')
		}
		return text.String()
	}
	seed := func(passages int) agent.Agent {
		f := storetest.Seed(b, s, storetest.Options{})
		for n := 0; n < passages; n += 500 {
			in := storetest.KnowledgeText("manual", fmt.Sprint("manual ", n))
			in.Passages = nil
			for range 500 {
				in.Passages = append(in.Passages,
					knowledge.Passage{Heading: "Chapter", Text: words(220)})
			}
			storetest.Learn(b, s, f.Agent, in)
		}
		return f.Agent
	}
	agents := map[string]agent.Agent{"ms_each": seed(10_000)}
	for range 200 {
		agents["ms_small"] = seed(500)
	}
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	took := map[string]time.Duration{}
	for b.Loop() {
		for name, a := range agents {
			in := sources.FindKnowledge{
				AccountID: a.AccountID,
				AgentID:   a.ID,
				Message:   words(12),
				Before:    words(12),
				MaxWhole:  knowledge.MaxWhole,
			}
			began := time.Now()
			found, err := sources.On(s).FindKnowledge(b.Context(), in)
			if err != nil || len(found.Passages) == 0 {
				b.Fatal(err)
			}
			took[name] += time.Since(began)
		}
	}
	for name, whole := range took {
		b.ReportMetric(float64(whole.Microseconds())/1000/float64(b.N), name)
	}
	b.ReportMetric(float64(storetest.CountRows(b, s, `SELECT (
			pg_total_relation_size('knowledge_postings') + pg_total_relation_size('knowledge_passages')
		) / count(*) FROM knowledge_passages`)), "bytes_a_passage")
}
