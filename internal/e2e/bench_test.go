package e2e_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// BenchmarkBesideStuckModel measures the p95 of one account's chats while 200 messages of another account wait for a model that does
// not answer, relative to the p95 without them, in alternating rounds.
func BenchmarkBesideStuckModel(b *testing.B) {
	url := storetest.URL(b)
	store, google, c := storetest.Open(b, url), llmtest.NewGemini(b), client(b)
	r := start(b, url, "GEMINI_API_KEY="+geminiKey, "GEMINI_BASE_URL="+google.URL)
	options := storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000}
	others := storetest.Seed(b, store, options)
	options.Model = geminiModel
	stuck := storetest.Seed(b, store, options)
	took := map[bool][]time.Duration{}
	measure := func(beside bool) {
		for range 200 {
			began := time.Now()
			got, err := ask(b.Context(), c, r.Chat, others.Key.Reveal(), "", "hello")
			if err != nil || got.Status != 200 {
				b.Fatal(err, got.outcome())
			}
			took[beside] = append(took[beside], time.Since(began))
		}
	}
	for b.Loop() {
		measure(false)
		release := make(chan struct{})
		google.Always(func(e *llmtest.Call) {
			<-release
			llmtest.Text("Done.")(e)
		})
		var waiting sync.WaitGroup
		for range 200 {
			waiting.Go(func() { _, _ = ask(b.Context(), c, r.Chat, stuck.Key.Reveal(), "", "hello") })
		}
		eventually(b, "200 messages wait for the model", func() bool { return google.UnderWay() >= 200 })
		measure(true)
		close(release)
		waiting.Wait()
	}
	p95 := func(all []time.Duration) time.Duration {
		slices.Sort(all)
		return all[len(all)*95/100]
	}
	b.ReportMetric(float64(p95(took[true]))/float64(p95(took[false])), "p95-ratio")
}
