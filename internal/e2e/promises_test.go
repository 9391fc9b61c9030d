package e2e_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

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
	t := newPromise(tt, "M1")
	const credits, requests, workers = 100, 1000, 64
	p, c := newPair(t), client(t)
	t.audit(p.store)
	oversold := 0
	for round := range t.times(20, 50) {
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
	t := newPromise(tt, "S1")
	const messages, contextTurns = 50, 40
	p, c := newPair(t), client(t)
	t.audit(p.store)
	for round := range t.times(20, 200) {
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

// TestOneIdempotencyKeyAtOnceOverTwoReplicas: 20 requests at once under one key make one turn, one charge and one body.
func TestOneIdempotencyKeyAtOnceOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "M3: 20 times at once, then 20 times in a row")
	keys := t.times(200, 2000)
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

// TestRemovalOverTwoReplicas: no request that starts after the removal has been answered is accepted.
func TestRemovalOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "K1")
	p, c := newPair(t), client(t)
	var accepted, before atomic.Int64
	for range t.times(20, 200) {
		f := storetest.Seed(t, p.store, storetest.Options{Credits: 100_000})
		var removed atomic.Bool
		var used atomic.Int64
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				for {
					after := removed.Load()
					got, err := ask(t.Context(), c, p.replicas[1].Chat, f.Key.Reveal(), "", "hello")
					if after {
						if err != nil || got.Status != 401 {
							accepted.Add(1)
							t.Errorf("a request that started after the removal: %d %v", got.Status, err)
						}
						return
					}
					used.Add(1)
					before.Add(1)
				}
			})
		}
		eventually(t, "the key is in use", func() bool { return used.Load() > 5 })
		if _, err := p.store.RemoveExport(t.Context(), f.Account.ID, f.Export.ID); err != nil {
			t.Fatal(err)
		}
		removed.Store(true)
		work.Wait()
		t.ran(1)
	}
	storetest.Audit(t, p.store)
	t.measured("accepted %d; %d requests before the removals", accepted.Load(), before.Load())
}

// TestKillBetweenHoldAndSettle: the credits of a turn whose process dies come back, and the retry runs once.
func TestKillBetweenHoldAndSettle(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F4")
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	short := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	survivor := start(t, url, short...)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	total := t.times(20, 200)
	var slowest time.Duration
	for round := range total {
		victim := start(t, url, short...)
		key, session := uuid.NewString(), uuid.NewString()
		// The directive leaves the process time to be killed in; the retry, the same body, must not wait that long.
		message := "[[sandbox delay=900ms]] hello"
		done := make(chan error, 1)
		go func() {
			_, err := ask(t.Context(), c, victim.Chat, f.Key.Reveal(), session, message, "Idempotency-Key", key)
			done <- err
		}()
		eventually(t, "the hold", func() bool { return held(t, s, f) == 1 })
		victim.kill()
		if err := <-done; err == nil {
			t.Error("the killed process answered")
		}
		if got, err := ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), session, message, "Idempotency-Key", key); err != nil ||
			got.outcome() != "request_in_progress" {
			t.Errorf("round %d: a retry before the hold has ended: %s %v", round, got.outcome(), err)
		}
		died := time.Now()
		eventually(t, "the hold has ended", func() bool { return held(t, s, f) == 0 })
		slowest = max(slowest, time.Since(died))
		first, err := ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), session, message, "Idempotency-Key", key)
		if err != nil || first.Status != 200 || first.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("round %d: the retry: %s %v", round, first.outcome(), err)
		}
		again, err := ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), session, message, "Idempotency-Key", key)
		if err != nil || string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("round %d: the replay: %s %v", round, again.outcome(), err)
		}
		t.ran(1)
	}
	if a, err := s.Account(t.Context(), f.Account.ID); err != nil || a.CreditBalance != int64(1000-total) {
		t.Errorf("balance %d after %d rounds, %v", a.CreditBalance, total, err)
	}
	storetest.Audit(t, s)
	t.measured("stuck 0; holds of 2 s (HOLD_GRACE=1s, MODEL_TIMEOUT=1s) ended %v after the kill at the latest", slowest.Round(10*time.Millisecond))
}

func held(t testing.TB, s *store.Store, f storetest.Fixture) int64 {
	t.Helper()
	a, err := s.Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditsHeld
}

// TestClientGone: a client that leaves in the middle finds its reply under its idempotency key, charged once.
func TestClientGone(t *testing.T) {
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
