package conversations_test

import (
	"testing"
	"time"

	"agentchat/internal/store/conversations"
)

// BenchmarkTextSearch reports the time of a search in 150,000 turns of 100,000 conversations: to
// the first page of hits or, without hits, to the end. It also reports the longest wait for a page.
func BenchmarkTextSearch(b *testing.B) {
	l, s := newLongLists(b)
	for what, text := range map[string]string{"everywhere": "hello", "nowhere": "parcel"} {
		b.Run(what, func(b *testing.B) {
			var whole, slowest time.Duration
			filter := conversations.ConversationFilter{Text: text}
			for b.Loop() {
				q := conversations.ConversationQuery{First: 50, Filter: filter}
				for more := true; more; {
					asked := time.Now()
					page, err := conversations.On(s).ConversationPage(b.Context(), l.Account.ID, q)
					if err != nil {
						b.Fatal(err)
					}
					took := time.Since(asked)
					whole, slowest = whole+took, max(slowest, took)
					q.After, more = page.Looked, page.HasNext && len(page.Items) == 0
				}
			}
			b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "ms/search")
			b.ReportMetric(float64(slowest.Milliseconds()), "ms/slowest-page")
		})
	}
}
