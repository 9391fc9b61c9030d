package e2e_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// BenchmarkOneAccount measures the chats per second of one account alone on 64 connections, and of 64 accounts, relative to those of
// another build of the program, which AGENTCHAT_BASE names, in alternating rounds: what shares cost those who share with nobody.
func BenchmarkOneAccount(b *testing.B) { benchmarkBase(b, 1) }

// BenchmarkManyAccounts is BenchmarkOneAccount for 64 accounts.
func BenchmarkManyAccounts(b *testing.B) { benchmarkBase(b, 64) }

func benchmarkBase(b *testing.B, accounts int) {
	b.Helper()
	base := os.Getenv("AGENTCHAT_BASE")
	if base == "" {
		b.Skip("AGENTCHAT_BASE names no program to compare with")
	}
	type side struct {
		r     *replica
		keys  []string
		rates []float64
	}
	sides := [2]*side{}
	c := client(b)
	for i, program := range []string{binary, base} {
		url := storetest.URL(b)
		store := storetest.Open(b, url)
		s := &side{r: startProgram(b, program, url, "DATABASE_MAX_CONNS=0")}
		for range max(accounts, 8) {
			f := storetest.Seed(b, store, storetest.Options{Credits: 1 << 40})
			if accounts > 1 {
				s.keys = append(s.keys, f.Key.Reveal())
				continue
			}
			for range 16 { // so many that the rate of none is reached
				_, _, key := storetest.SeedExport(b, store, f.Account.ID, f.Agent.ID, f.Export.RatePerMinute)
				s.keys = append(s.keys, key.Reveal())
			}
			break
		}
		sides[i] = s
	}
	for b.Loop() {
		for i := range sides {
			s := sides[(i+b.N)%2]
			s.rates = append(s.rates, rate(b, c, s.r.Chat, s.keys))
		}
	}
	for _, s := range sides {
		slices.Sort(s.rates)
	}
	median := func(s *side) float64 { return s.rates[len(s.rates)/2] }
	b.ReportMetric(median(sides[0]), "chats/s")
	b.ReportMetric(median(sides[0])/median(sides[1]), "of-base")
}

// rate sends chats on 64 connections for a while and returns how many were answered per second.
func rate(b *testing.B, c *http.Client, chat string, keys []string) float64 {
	b.Helper()
	const conns, length = 64, 3 * time.Second
	ctx, cancel := context.WithTimeout(b.Context(), length)
	defer cancel()
	answered, mu, all := 0, sync.Mutex{}, sync.WaitGroup{}
	for i := range conns {
		all.Go(func() {
			for ctx.Err() == nil {
				got, err := ask(b.Context(), c, chat, keys[i%len(keys)], uuid.NewString(), "hello")
				if err != nil || got.Status != http.StatusOK {
					b.Errorf("%v %d %s", err, got.Status, got.Body)
					return
				}
				mu.Lock()
				answered++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return float64(answered) / length.Seconds()
}
