package conversations_test

import (
	"syscall"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// BenchmarkTextSearch reports the time of a search in 150,000 turns of 100,000 conversations: to
// the first page of hits or, without hits, to the end. It also reports the number of pages and the
// longest wait for one.
func BenchmarkTextSearch(b *testing.B) {
	l, s := newLongLists(b)
	benchmarkSearch(b, s, l.Fixture, map[string]string{"everywhere": "hello", "nowhere": "parcel"})
}

// BenchmarkLongTextSearch is BenchmarkTextSearch for 100,000 turns of 5,000 conversations with 110
// MB of text, half of it Cyrillic.
func BenchmarkLongTextSearch(b *testing.B) {
	s := storetest.New(b)
	f := storetest.Seed(b, s, storetest.Options{Credits: -1})
	storetest.Bulk(b, s,
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', 'customer ' || n, 20, timestamptz '2026-01-01' + n * interval '1 minute'
		FROM generate_series(1, 5000) n`, f.Account.ID, f.Agent.ID)
	storetest.Bulk(b, s,
		`INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, reply, model, price, request_id,
			deadline)
		SELECT gen_random_uuid(), c.account_id, c.agent_id, c.id, 'API', n, 'ANSWERED', 'Question ' || repeat('about the Tea Time Box ', 8),
			CASE n % 2 WHEN 0 THEN repeat('Are the biscuits in it free of nuts? ', 24) ELSE repeat('Печенье без орехов. ', 24) END || n,
			'm', 1, 'r', now()
		FROM conversations c, generate_series(1, 20) n WHERE c.account_id = $1`, f.Account.ID)
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	benchmarkSearch(b, s, f, map[string]string{"everywhere": "biscuits", "nowhere": "parcel", "nowhere in Cyrillic": "посылка"})
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

func benchmarkSearch(b *testing.B, s *store.DB, f storetest.Fixture, texts map[string]string) {
	b.Helper()
	for what, text := range texts {
		b.Run(what, func(b *testing.B) {
			b.ReportAllocs()
			var first, whole, slowest time.Duration
			var pages int
			computed := processorTime(b)
			for b.Loop() {
				q := conversations.ConversationQuery{First: 50, Filter: conversations.ConversationFilter{Text: text}}
				began := time.Now()
				for n := 0; ; n++ {
					asked := time.Now()
					page, err := conversations.On(s).ConversationPage(b.Context(), f.Account.ID, q)
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
			b.ReportMetric(float64((processorTime(b)-computed).Milliseconds())/n, "processor-ms/search")
			b.ReportMetric(0, "ns/op")
		})
	}
}
