package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const (
	// flooders are the connections of one address that sign in to made-up accounts, one after the other.
	flooders = 100
	// How many times longer than alone the owner's sign-in may take beside them, at the 95th percentile. Alone it takes 0.1 s.
	mostSlowerKnown, mostSlowerNew = 9, 27
	// mostSlowerChats is how much slower chats may be.
	mostSlowerChats = 2
)

// times are how long chats and sign-ins took.
type times struct {
	mu                sync.Mutex
	chats, known, new []time.Duration
}

func (o *times) add(list *[]time.Duration, began time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*list = append(*list, time.Since(began))
}

// floodBench is one replica with a tenant that chats, and an owner that signs in.
type floodBench struct {
	*testing.T
	replica *replica
	chatter storetest.Fixture
	client  *http.Client
	email   string
	owner   *browser
}

// TestSignInFlood: beside 100 connections of one address that sign in to made-up accounts, an owner signs in about as fast as alone,
// and chats go on.
func TestSignInFlood(t *testing.T) {
	testlong.Only(t)
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	b := &floodBench{T: t, replica: start(t, url, behindProxy), client: client(t), email: uuid.NewString() + "@example.com",
		chatter: storetest.Seed(t, s, storetest.Options{Credits: 1 << 40}), owner: newBrowser(t, from(1)...)}
	b.owner.signedUp(b.replica, b.email, ownersPassword)
	stop := auditing(t, s)
	b.measure(time.Second, &times{}, "")
	stop() // the audits take more time than the chats
	quiet, busy, outcomes := &times{}, &times{}, map[string]int{}
	for round := range 4 {
		b.measure(5*time.Second, quiet, "")
		for code, n := range b.measure(5*time.Second, busy, fmt.Sprintf("203.0.%d.1", round)) {
			outcomes[code] += n
		}
	}
	if len(outcomes) > 2 || outcomes["RATE_LIMITED"] < flooders || outcomes["INVALID_CREDENTIALS"] == 0 {
		t.Errorf("the flood got %v", outcomes)
	}
	compare := func(what string, busy, quiet []time.Duration, most float64) {
		with, alone := percentile(busy, 95), percentile(quiet, 95)
		if float64(with) > most*float64(alone) {
			t.Errorf("%s: the p95 is %v beside the flood and %v alone, want at most %.0f times", what, with, alone, most)
		}
	}
	compare("chats", busy.chats, quiet.chats, mostSlowerChats)
	compare("known browser", busy.known, quiet.known, mostSlowerKnown)
	compare("new browser", busy.new, quiet.new, mostSlowerNew)
	storetest.Audit(t, s)
}

// measure has five connections chat and the owner sign in, and a flood from an address beside them unless it is empty. It returns
// the flood's outcomes.
func (b *floodBench) measure(length time.Duration, out *times, address string) map[string]int {
	ctx, cancel := context.WithTimeout(b.Context(), length)
	defer cancel()
	var work sync.WaitGroup
	for range 5 {
		work.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				if got, err := ask(b.Context(), b.client, b.replica.Chat, b.chatter.Key.Reveal(), "", "hello"); err != nil || got.Status != 200 {
					b.Errorf("a chat beside the flood: %v %s", err, got.outcome())
				}
				out.add(&out.chats, began)
			}
		})
	}
	work.Go(func() {
		for ctx.Err() == nil {
			b.signIn(b.owner, &out.known, out)
			b.signIn(newBrowser(b.T, from(2)...), &out.new, out)
			<-time.After(100 * time.Millisecond)
		}
	})
	var mu sync.Mutex
	outcomes := map[string]int{}
	for i := range flooders {
		if address == "" {
			break
		}
		work.Go(func() {
			for n, flooder := 0, newBrowser(b.T, "X-Forwarded-For", address); ctx.Err() == nil; n++ {
				got, err := flooder.signIn(b.replica, signInQuery, fmt.Sprintf("%d-%d@example.com", i, n), "Summer2026!")
				if err != nil {
					b.Error(err)
					return
				}
				if got.code() == "RATE_LIMITED" && got.Errors[0].Extensions.RetryAfterSeconds < 1 {
					b.Errorf("a refusal without a time: %s", got.Raw)
				}
				mu.Lock()
				outcomes[got.code()]++
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return outcomes
}

// signIn signs the owner in.
func (b *floodBench) signIn(from *browser, list *[]time.Duration, out *times) {
	began := time.Now()
	if got, err := from.signIn(b.replica, signInQuery, b.email, ownersPassword); err != nil || got.code() != "ok" {
		b.Errorf("the owner beside the flood: %v %s", err, got.Raw)
	}
	out.add(list, began)
}
