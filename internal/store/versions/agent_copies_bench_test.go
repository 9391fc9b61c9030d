package versions_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// BenchmarkAgentCopies imports and duplicates an agent with 5,000 short answers, and one with 13 MB
// in 7,500 long answers. It reports seconds and statements.
func BenchmarkAgentCopies(b *testing.B) {
	for _, size := range []struct{ answers, words int }{{5_000, 60}, {7_500, 290}} {
		url := storetest.URL(b)
		f := storetest.Seed(b, storetest.Open(b, url), storetest.Options{})
		count := &storetest.Statements{}
		s, err := store.Open(b.Context(), store.Config{URL: url, Tracer: count, KnowledgePassages: math.MaxInt32})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		measure := func(b *testing.B, what string, run func() (agent.Agent, error)) (a agent.Agent) {
			b.Helper()
			b.Run(fmt.Sprint(what, size.answers), func(b *testing.B) {
				for b.Loop() {
					before, began := count.Load(), time.Now()
					if a, err = run(); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(time.Since(began).Seconds(), "seconds")
					b.ReportMetric(float64(count.Load()-before), "statements")
				}
			})
			return a
		}
		a := measure(b, "import", func() (agent.Agent, error) {
			return versions.On(s).ImportAgent(b.Context(), f.Account.ID, agent.Agent{Name: "Imported"}, manyAnswers(size.answers, size.words))
		})
		measure(b, "duplicate", func() (agent.Agent, error) {
			return versions.On(s).DuplicateAgent(b.Context(), f.Account.ID, a.ID, "Copy", nil)
		})
	}
}

// manyAnswers returns different answers of a number of words. Word frequencies follow Zipf's law.
func manyAnswers(answers, words int) iter.Seq2[sources.NewKnowledge, error] {
	return func(yield func(sources.NewKnowledge, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for i := range answers {
			var text strings.Builder
			for range words {
				for n := int(math.Exp(random.Float64() * math.Log(30_000))); n > 0; n /= 26 {
					text.WriteByte(byte('a' + n%26))
				}
				text.WriteString("ing ")
			}
			if !yield(storetest.KnowledgeAnswer(fmt.Sprintf("What is number %d?", i), text.String()), nil) {
				return
			}
		}
	}
}
