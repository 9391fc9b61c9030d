package e2e_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
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

// TestCreditsAreExactOverTwoReplicas: 100 credits and 1,000 messages from 64 workers sell exactly 100 replies, every round.
func TestCreditsAreExactOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "M1")
	const credits, requests, workers = 100, 1000, 64
	p, c := newPair(t), client(t)
	t.audit(p.store)
	oversold := 0
	for round := range faults.Times(20, 50) {
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
			t.Errorf("round %d: %v, want %d times 200 and the rest insufficient_credits", round, counts, credits)
		}
		if balance, held := p.credits(t, f); balance != 0 || held != 0 {
			t.Errorf("round %d: balance %d, held %d, want 0 and 0", round, balance, held)
		}
		storetest.Audit(t, p.store)
		t.ran(1)
	}
	t.measured("oversold %d; %d requests a round", oversold, requests)
}

var (
	turnPattern   = regexp.MustCompile(`This is turn (\d+) of our conversation`)
	beforePattern = regexp.MustCompile(`Before that you wrote: “([^”]*)”`)
	givenPattern  = regexp.MustCompile(`I was given the last (\d+)`)
)

// TestOrderOverTwoReplicas: 50 messages at once to one session are answered one at a time, each seeing all before it.
func TestOrderOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "S1")
	const messages, contextTurns = 50, 40
	p, c := newPair(t), client(t)
	t.audit(p.store)
	for round := range faults.Times(20, 200) {
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
			want := 0 // a reply says how many turns its model was given when that is not all of them
			if number > contextTurns+1 {
				want = contextTurns
			}
			if given := numberIn(givenPattern, got.Reply); given != want {
				t.Errorf("round %d: turn %d was given %d earlier turns", round, number, given)
			}
			return got.outcome()
		})
		if counts["200"] != messages {
			t.Errorf("round %d: %v", round, counts)
		}
		for number := 1; number <= messages; number++ {
			if asked[number] == "" || before[number] != asked[number-1] {
				t.Errorf("round %d: turn %d was %q and saw %q before it, want %q",
					round, number, asked[number], before[number], asked[number-1])
			}
		}
		storetest.Audit(t, p.store)
		t.ran(1)
	}
	t.measured("%d messages a round", messages)
}

func numberIn(pattern *regexp.Regexp, text string) int {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// TestConcurrentIdempotencyKeyOverTwoReplicas: 20 requests at once under one key make one turn, one charge and one body.
func TestConcurrentIdempotencyKeyOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "M3: 20 times at once, then 20 times in a row")
	keys := faults.Times(200, 2000)
	const each = 20
	p, c := newPair(t), client(t)
	t.audit(p.store)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: int64(keys) + 10})
	for k := range keys {
		var mu sync.Mutex
		bodies := map[string]int{}
		counts := parallel(each, each, func(i int) string {
			got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), "", "hello", "Idempotency-Key", fmt.Sprint("key-", k))
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
			got, err := ask(t.Context(), c, p.chat(i), f.Key.Reveal(), "", "hello", "Idempotency-Key", fmt.Sprint("key-", k))
			if err != nil || got.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("key %d, again: %s %v", k, got.outcome(), err)
			}
			bodies[string(got.Body)]++
		}
		if len(bodies) != 1 || counts["200"]+counts["request_in_progress"] != each {
			t.Errorf("key %d: %d bodies, outcomes %v", k, len(bodies), counts)
		}
		t.ran(1)
	}
	balance, held := p.credits(t, f)
	if balance != 10 || held != 0 {
		t.Errorf("balance %d, held %d, want 10 and 0", balance, held)
	}
	storetest.Audit(t, p.store)
	t.measured("doubles %d", 10-balance)
}

func held(t testing.TB, s *store.Store, f storetest.Fixture) int64 {
	t.Helper()
	a, err := s.Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditsHeld
}

// TestClientDisconnects: a client that leaves in the middle finds its reply under its idempotency key, charged once.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	p, c := newPair(t), client(t)
	f := storetest.Seed(t, p.store, storetest.Options{})
	for i := range 10 {
		key := uuid.NewString()
		message := "[[sandbox delay=300ms]] hello"
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := ask(ctx, c, p.chat(i), f.Key.Reveal(), "s", message, "Idempotency-Key", key)
			done <- err
		}()
		eventually(t, "the hold", func() bool { return held(t, p.store, f) == 1 })
		leave()
		if err := <-done; err == nil {
			t.Error("the client that left was answered")
		}
		var got answer
		eventually(t, "the reply of the client that left", func() bool {
			var err error
			got, err = ask(t.Context(), c, p.chat(i+1), f.Key.Reveal(), "s", message, "Idempotency-Key", key)
			return err == nil && got.outcome() != "request_in_progress"
		})
		if got.Status != 200 || got.Header.Get("Idempotent-Replayed") != "true" || got.Usage.CreditsRemaining != int64(99-i) {
			t.Errorf("the retry: %s %+v", got.outcome(), got.Usage)
		}
	}
	if balance, held := p.credits(t, f); balance != 90 || held != 0 {
		t.Errorf("balance %d, held %d, want 90 and 0", balance, held)
	}
	storetest.Audit(t, p.store)
}
