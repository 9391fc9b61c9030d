package e2e_test

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// pair is two replicas on one database.
type pair struct {
	url      string
	store    *store.Store
	replicas [2]*replica
}

func newPair(t testing.TB, env ...string) *pair {
	t.Helper()
	p := &pair{url: storetest.URL(t)}
	p.store = storetest.Open(t, p.url)
	for i := range p.replicas {
		p.replicas[i] = start(t, p.url, env...)
	}
	return p
}

func (p *pair) chat(i int) string { return p.replicas[i%2].Chat }

func (p *pair) credits(t testing.TB, f storetest.Fixture) (balance, held int64) {
	t.Helper()
	a, err := p.store.Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

// TestCreditsAreExactOverTwoReplicas: with 100 credits, 1,000 messages from 64 workers get exactly 100 replies.
func TestCreditsAreExactOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const credits, requests, workers = 100, 1000, 64
	p, c := newPair(t), client(t)
	auditing(t, p.store)
	oversold := 0
	for round := range 2 {
		f := storetest.Seed(t, p.store, storetest.Options{Credits: credits})
		counts := parallel(workers, requests, func(i int) string {
			got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), uuid.NewString(), "hello")
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
		oversold += max(counts["200"]-credits, 0)
		if counts["200"] != credits || counts["insufficient_credits"] != requests-credits {
			t.Errorf("round %d: %v, want %d replies and insufficient_credits for the rest", round, counts, credits)
		}
		if balance, held := p.credits(t, f); balance != 0 || held != 0 {
			t.Errorf("round %d: balance %d, held %d, want 0 and 0", round, balance, held)
		}
		storetest.Audit(t, p.store)
	}
}

var (
	turnPattern   = regexp.MustCompile(`This is turn (\d+) of our conversation`)
	beforePattern = regexp.MustCompile(`Before that you wrote: “([^”]*)”`)
	givenPattern  = regexp.MustCompile(`I was given the last (\d+)`)
)

// TestOrderOverTwoReplicas: 50 concurrent messages to one session are answered one at a time, each with all earlier turns.
func TestOrderOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const messages, contextTurns = 50, 40
	p, c := newPair(t), client(t)
	auditing(t, p.store)
	for round := range 5 {
		f := storetest.Seed(t, p.store, storetest.Options{Credits: messages})
		var mu sync.Mutex
		asked, before := map[int]string{}, map[int]string{}
		counts := parallel(messages, messages, func(i int) string {
			message := fmt.Sprintf("message %d", i)
			got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), "one session", message)
			if err != nil {
				return err.Error()
			}
			number := numberIn(turnPattern, got.Reply)
			mu.Lock()
			defer mu.Unlock()
			if asked[number] != "" {
				t.Errorf("round %d: two messages were turn %d", round, number)
			}
			asked[number] = message
			if m := beforePattern.FindStringSubmatch(got.Reply); m != nil {
				before[number] = m[1]
			}
			want := 0 // a reply mentions the number of turns only if its model did not get all of them
			if number > contextTurns+1 {
				want = contextTurns
			}
			if given := numberIn(givenPattern, got.Reply); given != want {
				t.Errorf("round %d: turn %d got %d earlier turns", round, number, given)
			}
			return got.outcome()
		})
		if counts["200"] != messages {
			t.Errorf("round %d: %v", round, counts)
		}
		for number := 1; number <= messages; number++ {
			if asked[number] == "" || before[number] != asked[number-1] {
				t.Errorf("round %d: turn %d is %q and follows %q, want %q",
					round, number, asked[number], before[number], asked[number-1])
			}
		}
		storetest.Audit(t, p.store)
	}
}

func numberIn(pattern *regexp.Regexp, text string) int {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// TestConcurrentIdempotencyKeyOverTwoReplicas: 20 concurrent requests with one key make one turn, one charge and one body.
func TestConcurrentIdempotencyKeyOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const keys, each = 20, 20
	p, c := newPair(t), client(t)
	auditing(t, p.store)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: int64(keys) + 10})
	// A key is the agent's, whichever of its exports it comes through: no lock of an export keeps those apart.
	_, _, second := storetest.SeedExport(t, p.store, f.Account.ID, f.Agent.ID, agent.MaxRatePerMinute)
	through := []string{f.Key.Reveal(), second.Reveal()}
	for k := range keys {
		var mu sync.Mutex
		bodies := map[string]int{}
		counts := parallel(each, each, func(i int) string {
			got, err := ask(t.Context(), c, p.chat(i), through[i/2%2], "", "hello", "Idempotency-Key", fmt.Sprint("key-", k))
			if err != nil {
				return err.Error()
			}
			if got.Status == 200 {
				mu.Lock()
				defer mu.Unlock()
				bodies[string(got.Body)]++
			}
			return got.outcome()
		})
		for i := range each {
			got, err := ask(t.Context(), c, p.chat(i), through[i/2%2], "", "hello", "Idempotency-Key", fmt.Sprint("key-", k))
			if err != nil || got.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("key %d, repeated: %s %v", k, got.outcome(), err)
			}
			bodies[string(got.Body)]++
		}
		if len(bodies) != 1 || counts["200"]+counts["request_in_progress"] != each {
			t.Errorf("key %d: %d bodies, outcomes %v", k, len(bodies), counts)
		}
	}
	balance, held := p.credits(t, f)
	if balance != 10 || held != 0 {
		t.Errorf("balance %d, held %d, want 10 and 0", balance, held)
	}
	storetest.Audit(t, p.store)
}

func held(t testing.TB, s *store.Store, f storetest.Fixture) int64 {
	t.Helper()
	a, err := s.Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditsHeld
}
