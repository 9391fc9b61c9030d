package store_test

import (
	"testing"
	"time"

	"agentchat/internal/store"
)

// BenchmarkTextSearch reports how long a search in 150,000 turns of 100,000 conversations takes to the first page of hits, and, where
// there are none, to its end: in how many pages, and for how long at most the reader waits for one.
func BenchmarkTextSearch(b *testing.B) {
	l, s := newLongLists(b)
	for what, text := range map[string]string{"everywhere": "hello", "nowhere": "parcel"} {
		b.Run(what, func(b *testing.B) {
			var first, whole, slowest time.Duration
			var pages int
			for b.Loop() {
				q := store.ConversationQuery{First: 50, Filter: store.ConversationFilter{Text: text}}
				began := time.Now()
				for n := 0; ; n++ {
					asked := time.Now()
					page, err := s.ConversationPage(b.Context(), l.Account.ID, q)
					if err != nil {
						b.Fatal(err)
					}
					took := time.Since(asked)
					slowest, pages = max(slowest, took), pages+1
					if n == 0 {
						first += took
					}
					if !page.HasNext || len(page.Items) > 0 { // the reader has what they looked for
						break
					}
					q.After = page.Looked
				}
				whole += time.Since(began)
			}
			n := float64(b.N)
			b.ReportMetric(float64(first.Milliseconds())/n, "ms/first-page")
			b.ReportMetric(float64(whole.Milliseconds())/n, "ms/search")
			b.ReportMetric(float64(pages)/n, "pages/search")
			b.ReportMetric(float64(slowest.Milliseconds()), "ms/slowest-page")
			b.ReportMetric(0, "ns/op")
		})
	}
}
