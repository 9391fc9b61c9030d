package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

const ownersPassword = "the owner's own password"

// behindProxy lets the tests choose the client address of a request.
const behindProxy = "TRUSTED_PROXIES=127.0.0.0/8"

// from returns the header for the i-th client address.
func from(i int) []string { return []string{"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)} }

// TestSignOutOverTwoReplicas: once one replica has answered signOut, the other rejects the access token from the next request on, even
// if the token is in constant use. It also rejects the refresh token.
func TestSignOutOverTwoReplicas(t *testing.T) {
	t.Parallel()
	p := newPair(t, behindProxy)
	for round := range faults.Times(3, 20) {
		b := newBrowser(t, from(round)...)
		b.signedUp(p.replicas[0], uuid.NewString()+"@example.com", ownersPassword)
		token, refresh := b.Token, b.cookie(p.replicas[0], "agentchat_refresh")
		var ended atomic.Bool
		var used atomic.Int64
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				user := newBrowser(t)
				user.Token = token
				for {
					after := ended.Load()
					got, err := user.do(p.replicas[1], viewerQuery, nil)
					if after {
						if err != nil || got.Status != http.StatusUnauthorized || got.code() != "UNAUTHENTICATED" {
							t.Errorf("round %d: after signOut: %v %d %s", round, err, got.Status, got.Raw)
						}
						return
					}
					used.Add(1)
				}
			})
		}
		eventually(t, "the token is in use", func() bool { return used.Load() > 5 })
		b.must(p.replicas[0], signOutQuery, nil)
		ended.Store(true)
		work.Wait()
		attacker := newBrowser(t, "Cookie", "agentchat_refresh="+refresh)
		if got, err := attacker.do(p.replicas[1], renewQuery, nil); err != nil || got.code() != "UNAUTHENTICATED" {
			t.Errorf("round %d: the refresh token after signOut: %v %s", round, err, got.Raw)
		}
	}
}

// TestConcurrentRenewalOverTwoReplicas: a refresh token that is used many times concurrently on both replicas has exactly one successor,
// which then works. Nobody is signed out.
func TestConcurrentRenewalOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const atOnce = 16
	p := newPair(t, behindProxy)
	for round := range faults.Times(3, 20) {
		b := newBrowser(t, from(round)...)
		b.signedUp(p.replicas[0], uuid.NewString()+"@example.com", ownersPassword)
		refresh := b.cookie(p.replicas[0], "agentchat_refresh")
		var mu sync.Mutex
		successors := map[string]*browser{}
		counts := parallel(atOnce, atOnce, func(i int) string {
			tab := newBrowser(t, "Cookie", "agentchat_refresh="+refresh)
			got, err := tab.do(p.replicas[i%2], renewQuery, nil)
			if err != nil {
				return err.Error()
			}
			if next := tab.cookie(p.replicas[i%2], "agentchat_refresh"); next != "" {
				mu.Lock()
				defer mu.Unlock()
				successors[next] = tab
			}
			return got.code()
		})
		if counts["ok"] != atOnce || len(successors) != 1 || successors[refresh] != nil {
			t.Errorf("round %d: %v, %d successors, want %d times ok and one", round, counts, len(successors), atOnce)
		}
		for next := range successors {
			tab := newBrowser(t, "Cookie", "agentchat_refresh="+next)
			if got, err := tab.do(p.replicas[1-round%2], renewQuery, nil); err != nil || got.code() != "ok" {
				t.Errorf("round %d: the successor: %v %s", round, err, got.Raw)
			}
		}
	}
}

// TestPasswordGuessesOverTwoReplicas: of 1,000 guesses of one password, from 50 addresses and over both replicas, at most ten are
// verified. The owner can still sign in from a known browser, but not from an unknown one.
func TestPasswordGuessesOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const guesses, addresses, verified = 1000, 50, 10
	p := newPair(t, behindProxy)
	email := uuid.NewString() + "@example.com"
	owner := newBrowser(t, from(200)...)
	owner.signedUp(p.replicas[0], email, ownersPassword)
	if owner.cookie(p.replicas[0], "agentchat_browser") == "" {
		t.Fatal("the owner's browser was not marked")
	}
	owner.must(p.replicas[0], signOutQuery, nil)
	crowd := make([]*browser, addresses)
	for i := range crowd {
		crowd[i] = newBrowser(t, from(i)...)
	}
	var retryAfter atomic.Int64
	counts := parallel(addresses, guesses, func(i int) string {
		guesser := *crowd[i%addresses] // guesses change no state of a browser
		got, err := guesser.signIn(p.replicas[i%2], signInQuery, email, fmt.Sprint("guess number ", i))
		if err != nil {
			return err.Error()
		}
		if got.code() == "RATE_LIMITED" {
			retryAfter.Store(int64(got.Errors[0].Extensions.RetryAfterSeconds))
		}
		return got.code()
	})
	t.Logf("%d guesses: %v; retryAfterSeconds %d", guesses, counts, retryAfter.Load())
	if counts["INVALID_CREDENTIALS"] > verified || counts["INVALID_CREDENTIALS"]+counts["RATE_LIMITED"] != guesses {
		t.Errorf("%v, want at most %d INVALID_CREDENTIALS and the rest RATE_LIMITED", counts, verified)
	}
	if after := retryAfter.Load(); after < 1 || after > 15*60 {
		t.Errorf("retryAfterSeconds %d", after)
	}
	stranger := newBrowser(t, from(201)...)
	if got, err := stranger.signIn(p.replicas[0], signInQuery, email, ownersPassword); err != nil || got.code() != "RATE_LIMITED" {
		t.Errorf("the correct password from an unknown browser: %v %s, want RATE_LIMITED", err, got.Raw)
	}
	for i := range 12 { // correct passwords do not count
		if got, err := owner.signIn(p.replicas[i%2], signInQuery, email, ownersPassword); err != nil || got.code() != "ok" {
			t.Errorf("the owner from a known browser: %v %s", err, got.Raw)
		}
	}
	if got, err := owner.do(p.replicas[1], viewerQuery, nil); err != nil || got.code() != "ok" {
		t.Errorf("the owner's token: %v %s", err, got.Raw)
	}
}

// TestSignUpsOverTwoReplicas: one address can sign up ten accounts per hour, over both replicas. Other addresses are not affected, and a
// client cannot forge its address.
func TestSignUpsOverTwoReplicas(t *testing.T) {
	t.Parallel()
	const tries, allowed = 40, 10
	p := newPair(t, behindProxy)
	signUp := func(i int, header ...string) string {
		got, err := newBrowser(t, header...).signIn(p.replicas[i%2], signUpQuery, uuid.NewString()+"@example.com", ownersPassword)
		if err != nil {
			return err.Error()
		}
		return got.code()
	}
	counts := parallel(8, tries, func(i int) string { return signUp(i, from(7)...) })
	if counts["ok"] != allowed || counts["RATE_LIMITED"] != tries-allowed {
		t.Errorf("%v, want %d times ok and the rest RATE_LIMITED", counts, allowed)
	}
	if code := signUp(0, from(8)...); code != "ok" {
		t.Errorf("another address: %s", code)
	}
	// A proxy appends the peer to what its client claims: the last address counts.
	if code := signUp(1, "X-Forwarded-For", "203.0.113.9, 198.51.100.7"); code != "RATE_LIMITED" {
		t.Errorf("the same client with a forged address: %s", code)
	}
	var accounts int
	if err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM accounts`).Scan(&accounts); err != nil || accounts != allowed+1 {
		t.Errorf("%d accounts, %v", accounts, err)
	}
}

// TestSignInsBesideChats: concurrent sign-ins, each of which hashes a password, do not stop the chats beside them, because at most four
// hashes run at a time in a process. All chats and sign-ins are answered. The times are only logged; they depend on the machine.
func TestSignInsBesideChats(t *testing.T) {
	t.Parallel()
	signIns, chats := faults.Times(40, 200), faults.Times(50, 300)
	p, c := newPair(t, behindProxy), client(t)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 100_000})
	email := uuid.NewString() + "@example.com"
	newBrowser(t, from(1)...).signedUp(p.replicas[0], email, ownersPassword)
	// chat sends messages on two workers, one session each, until enough is true, and returns the times that they took.
	chat := func(enough func(done int) bool) []time.Duration {
		var mu sync.Mutex
		var took []time.Duration
		var work sync.WaitGroup
		for w := range 2 {
			work.Go(func() {
				for session := uuid.NewString(); ; {
					began := time.Now()
					got, err := ask(t.Context(), c, p.chat(w), f.Key.Reveal(), session, "hello")
					if err != nil || got.Status != http.StatusOK {
						t.Errorf("a chat beside sign-ins: %v %s", err, got.outcome())
						return
					}
					mu.Lock()
					took = append(took, time.Since(began))
					done := len(took)
					mu.Unlock()
					if enough(done) {
						return
					}
				}
			})
		}
		work.Wait()
		return took
	}
	quiet := chat(func(done int) bool { return done >= chats })
	var over atomic.Bool
	var outcomes map[string]int
	var began, ended time.Time
	var crowd sync.WaitGroup
	crowd.Go(func() {
		defer over.Store(true)
		began = time.Now()
		outcomes = parallel(signIns, signIns, func(i int) string {
			network := fmt.Sprintf("203.0.%d.1", i) // each has a limit of its own
			got, err := newBrowser(t, "X-Forwarded-For", network).signIn(p.replicas[i%2], signInQuery, fmt.Sprintf("%d-%s", i, email), ownersPassword)
			if err != nil {
				return strings.SplitN(err.Error(), ":", 2)[0]
			}
			return got.code()
		})
		ended = time.Now()
	})
	busy := chat(func(int) bool { return over.Load() })
	crowd.Wait()
	ratio := float64(percentile(busy, 95)) / float64(percentile(quiet, 95))
	t.Logf("chats alone: %d, p50 %v, p95 %v; beside %d sign-ins in %v (%v): %d, p50 %v, p95 %v, max %v; p95 ratio %.1f",
		len(quiet), percentile(quiet, 50), percentile(quiet, 95), signIns, ended.Sub(began).Round(time.Millisecond), outcomes,
		len(busy), percentile(busy, 50), percentile(busy, 95), percentile(busy, 100), ratio)
	// An unknown email address costs the same hash as a known one. It has its own limit, and so has its network: all are verified.
	if outcomes["INVALID_CREDENTIALS"] != signIns {
		t.Errorf("the sign-ins: %v", outcomes)
	}
	storetest.Audit(t, p.store)
}

// percentile returns the p-th percentile.
func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(10 * time.Microsecond)
}
