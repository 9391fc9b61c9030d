package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

const (
	// hammers are the connections beside which others chat; each sends a message every hammerEvery, whatever the answers are.
	hammers     = 32
	hammerEvery = 200 * time.Millisecond
	// mostSlower is how much slower the others may be than beside one without a limit.
	mostSlower = 1.2
)

// sender sends messages with an export's key. user returns the end user of the next message.
type sender struct {
	key  string
	user func() string
}

// fairness compares the chats of others beside a sender that is at its limit with those beside one that is not.
type fairness struct {
	name                       string
	limited, unlimited, others sender
}

// TestLimitsAreFair: an export, or an end user of an export, that is at its limit and keeps sending slows others no more than one
// without a limit that sends as often.
func TestLimitsAreFair(tt *testing.T) {
	faults.Heavy(tt) // it compares times
	tt.Parallel()
	t := newRow(tt, "L3")
	p, c := newPair(t), client(t)
	stop := t.audit(p.store)
	cases := []fairness{p.fairExports(t), p.fairUsers(t)}
	for _, f := range cases { // before anything is measured
		awayFromMidnight(t, time.Minute)
		p.measure(t, c, f.limited, f.others, time.Second/2)
	}
	stop() // the audits take more time than the chats
	took := map[string]map[bool][]time.Duration{}
	sent := map[bool]int{}
	length := time.Second
	if faults.Full() {
		length = 5 * time.Second
	}
	for round := range faults.Times(2, 12) {
		for _, f := range cases {
			if took[f.name] == nil {
				took[f.name] = map[bool][]time.Duration{}
			}
			for i := range 2 {
				limited := (round+i)%2 == 0
				beside, want := f.unlimited, "200"
				if limited {
					beside, want = f.limited, "limit_reached"
				}
				awayFromMidnight(t, time.Minute)
				chats, outcomes := p.measure(t, c, beside, f.others, length)
				if len(outcomes) != 1 || outcomes[want] == 0 {
					t.Errorf("%s: beside it %v, want %s alone", f.name, outcomes, want)
				}
				took[f.name][limited] = append(took[f.name][limited], chats...)
				sent[limited] += outcomes[want]
				t.ran(1)
			}
		}
	}
	figures := ""
	for _, f := range cases {
		with, without := percentile(took[f.name][true], 95), percentile(took[f.name][false], 95)
		ratio := float64(with) / float64(without)
		figures += fmt.Sprintf("%s: p95 %.1f ms of %d chats, %.1f ms of %d beside one without a limit, ratio %.2f; ", f.name,
			with.Seconds()*1000, len(took[f.name][true]), without.Seconds()*1000, len(took[f.name][false]), ratio)
		if ratio > mostSlower && faults.Full() { // a short run has too few chats to tell
			t.Errorf("%s: the p95 is %.2f of what it is beside one without a limit, want at most %.1f", f.name, ratio, mostSlower)
		}
	}
	storetest.Audit(t, p.store)
	t.measured("%s%d refused and %d answered beside them in the same time", figures, sent[true], sent[false])
}

// fairExports makes three exports of one account, one of them at its limit.
func (p *pair) fairExports(t *faultRow) fairness {
	t.Helper()
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 1 << 40})
	if _, err := p.store.UpdateExport(t.Context(), f.Account.ID, f.Export.ID, limitKinds[0].set(1)); err != nil {
		t.Fatal(err)
	}
	_, _, unlimited := storetest.SeedExport(t, p.store, f.Account.ID, f.Agent.ID, f.Export.RatePerMinute)
	_, _, others := storetest.SeedExport(t, p.store, f.Account.ID, f.Agent.ID, f.Export.RatePerMinute)
	user := func() string { return "u" }
	return fairness{"exports", sender{f.Key.Reveal(), user}, sender{unlimited.Reveal(), user}, sender{others.Reveal(), user}}
}

// fairUsers makes an export whose end users have a limit. One sends all the time, and of the others each sends once.
func (p *pair) fairUsers(t *faultRow) fairness {
	t.Helper()
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 1 << 40})
	if _, err := p.store.UpdateExport(t.Context(), f.Account.ID, f.Export.ID, limitKinds[2].set(1)); err != nil {
		t.Fatal(err)
	}
	key := f.Key.Reveal()
	once := sender{key, uuid.NewString}
	return fairness{"end users", sender{key, func() string { return "one" }}, once, once}
}

// measure has a sender send from all connections, and returns how long others' chats took meanwhile, and the sender's outcomes.
func (p *pair) measure(t *faultRow, c *http.Client, beside, others sender, length time.Duration) ([]time.Duration, map[string]int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var took []time.Duration
	outcomes, hammering, mu := map[string]int{}, sync.WaitGroup{}, sync.Mutex{}
	for w := range hammers {
		hammering.Go(func() {
			<-time.After(time.Duration(w) * hammerEvery / hammers) // not all at the same time
			tick := time.NewTicker(hammerEvery)
			defer tick.Stop()
			for n := w; ctx.Err() == nil; n++ {
				outcome := p.chatOf(t, c, n, beside)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
		})
	}
	for n := 0; ctx.Err() == nil; n++ {
		at := time.Now()
		if outcome := p.chatOf(t, c, n, others); outcome != "200" {
			t.Errorf("another's chat: %s", outcome)
		}
		took = append(took, time.Since(at))
	}
	hammering.Wait()
	return took, outcomes
}

// chatOf sends one message in a session of its own and returns the outcome.
func (p *pair) chatOf(t *faultRow, c *http.Client, replica int, s sender) string {
	got, err := askWith(t.Context(), c, p.chat(replica), s.key, map[string]any{"message": "hello", "user_id": s.user()})
	if err != nil {
		return err.Error()
	}
	return got.outcome()
}
