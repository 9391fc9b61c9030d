package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

const (
	openAIKey   = "sk-a-key-that-must-stay-secret-0123456789"
	openAIModel = "openai/gpt-5-mini"
	geminiKey   = "AIza-a-key-that-must-stay-secret-0123456789"
	geminiModel = "gemini/gemini-2.5-flash"
)

const (
	// quietRounds is the number of measurements with the noise, and of those without it.
	quietRounds = 4
	quietTime   = 3 * time.Second
	// quietPlus is the time by which the noise may lengthen a p95, besides its factor.
	quietPlus = 10 * time.Millisecond
)

// tenants are a quiet and a noisy tenant on two replicas.
type tenants struct {
	*cluster
	t     *testing.T
	http  *http.Client
	quiet storetest.Fixture
	// noisy is the noisy tenant's account, and token an access token of its owner.
	noisy uuid.UUID
	token string
	// noisyOn is the number of replicas that the noisy tenant uses.
	noisyOn int
}

func newTenants(t *testing.T, model string, env ...string) *tenants {
	t.Helper()
	env = append(env, behindProxy, "SIGN_UP=open")
	n := &tenants{cluster: newCluster(t, 2, env...), t: t, http: client(t)}
	n.noisyOn = 1
	n.quiet = storetest.Seed(t, n.store, storetest.Options{Credits: 1 << 40, Model: model})
	b := newBrowser(t)
	b.signedUp(n.replicas[0], "noisy@example.com", ownersPassword)
	var viewer struct{ ID uuid.UUID }
	b.must(n.replicas[0], viewerQuery, nil).into(t, "viewer", &viewer)
	n.noisy, n.token = viewer.ID, b.Token
	return n
}

// noise is a kind of request that the noisy tenant sends on a number of connections, without pause.
type noise struct {
	conns int
	// want are the outcomes that it may get.
	want []string
	// limited means that it must also get RATE_LIMITED.
	limited bool
	send    func(ctx context.Context, replica int) string
}

// quietWork is a kind of request that the quiet tenant sends on a number of connections, one after
// the other on each.
type quietWork struct {
	name  string
	conns int
	// times is the factor by which the noise may lengthen the p95.
	times float64
	do    func(replica int) error
}

// chats are messages of the quiet tenant.
func (n *tenants) chats(conns int) quietWork {
	return quietWork{"chats", conns, 2, func(replica int) error {
		got, err := ask(n.t.Context(), n.http, n.chat(replica), n.quiet.Key.Reveal(), "", "hello")
		if err == nil && got.Status != http.StatusOK {
			err = fmt.Errorf("%d %s", got.Status, got.Body)
		}
		return err
	}}
}

// signIns are sign-ins of an owner from a browser that the service knows, and from a new one.
// Alone, one takes 0.1 s.
func (n *tenants) signIns() []quietWork {
	n.t.Helper()
	email := uuid.NewString() + "@example.com"
	known := newBrowser(n.t, from(1)...)
	known.signedUp(n.replicas[0], email, ownersPassword)
	work := func(name string, times float64, browser func() *browser) quietWork {
		return quietWork{name, 1, times, func(replica int) error {
			<-time.After(100 * time.Millisecond)
			got, err := browser().signIn(n.replicas[replica], signInQuery, email, ownersPassword)
			if err == nil && got.code() != "ok" {
				err = fmt.Errorf("%s", got.Raw)
			}
			return err
		}}
	}
	return []quietWork{
		work("sign-ins from a known browser", 9, func() *browser { return known }),
		work("sign-ins from a new browser", 27, func() *browser { return newBrowser(n.t, from(2)...) }),
	}
}

// TestQuietTenant: whatever one tenant does, the requests of another one stay nearly as fast as
// without it and are never refused, and the replicas stay ready. What the noisy tenant cannot have
// is refused with the time to wait.
func TestQuietTenant(t *testing.T) {
	testlong.Only(t)
	for _, row := range []struct {
		name    string
		noisyOn int
		noises  func(*tenants) []noise
	}{
		{"many heavy reads", 1, one((*tenants).manyReads)},
		{"some heavy reads", 1, one((*tenants).someReads)},
		{"chats", 1, one((*tenants).manyChats)},
		{"documents", 1, one((*tenants).documents)},
		{"searches of knowledge", 1, one((*tenants).knowledgeSearches)},
		{"hostile searches", 1, one((*tenants).hostileSearches)},
		{"searches in texts", 1, one((*tenants).textSearches)},
		{"large examples", 1, one((*tenants).largeExamples)},
		{"refused requests", 1, one((*tenants).refusedRequests)},
		{"chats over two replicas", 2, one((*tenants).manyChats)},
		{"heavy reads over two replicas", 2, one((*tenants).manyReads)},
		{"everything", 1, func(n *tenants) []noise {
			return []noise{n.manyReads(), n.manyChats(), n.strangersSignIns(), n.documents()}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			n := newTenants(t, "")
			n.noisyOn = row.noisyOn
			n.measure(row.noises(n), n.chats(5))
		})
	}
	t.Run("sign-ins of strangers", func(t *testing.T) {
		n := newTenants(t, "")
		n.measure([]noise{n.strangersSignIns()}, append(n.signIns(), n.chats(5))...)
	})
	t.Run("failing model calls", func(t *testing.T) {
		server := llmtest.NewOpenAI(t, openAIKey)
		n := newTenants(t, openAIModel, "OPENAI_API_KEY="+openAIKey,
			"OPENAI_BASE_URL="+server.URL+"/v1", "MODEL_TIMEOUT=2s")
		n.noisyOn = 2
		n.measure(n.failingCalls(server), n.chats(5))
	})
}

func one(noises func(*tenants) noise) func(*tenants) []noise {
	return func(n *tenants) []noise { return []noise{noises(n)} }
}

// run sends the quiet tenant's requests for some time, and returns the durations by the work's
// name.
func (n *tenants) run(
	replica int, length time.Duration, works []quietWork,
) map[string][]time.Duration {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.t.Context(), length)
	defer cancel()
	var conns sync.WaitGroup
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	for _, w := range works {
		for range w.conns {
			conns.Go(func() {
				for ctx.Err() == nil {
					at := time.Now()
					if err := w.do(replica); err != nil {
						n.t.Errorf("%s of the quiet tenant: %v", w.name, err)
					}
					mu.Lock()
					took[w.name] = append(took[w.name], time.Since(at))
					mu.Unlock()
				}
			})
		}
	}
	conns.Wait()
	return took
}

// during runs all noises while the work is done, and adds their outcomes to counts.
func (n *tenants) during(noises []noise, counts []map[string]int, work func()) {
	n.t.Helper()
	ctx, cancel := context.WithCancel(n.t.Context())
	var mu sync.Mutex
	var conns, begun sync.WaitGroup
	for k, x := range noises {
		for i := range x.conns {
			begun.Add(1)
			conns.Go(func() {
				begun.Done()
				for ctx.Err() == nil {
					outcome := x.send(ctx, i%n.noisyOn)
					if ctx.Err() != nil {
						return
					}
					mu.Lock()
					counts[k][outcome]++
					mu.Unlock()
				}
			})
		}
	}
	begun.Wait()
	work()
	cancel()
	conns.Wait()
}

// measure compares the quiet tenant's times during the noises with those without them, in
// alternating rounds.
func (n *tenants) measure(noises []noise, works ...quietWork) {
	t := n.t
	t.Helper()
	counts := make([]map[string]int, len(noises))
	for i := range counts {
		counts[i] = map[string]int{}
	}
	stop := auditing(t, n.store)
	n.run(0, time.Second, works) // not measured
	n.during(noises, counts, func() { n.run(n.noisyOn-1, time.Second, works) })
	stop() // the audits take more time than the chats
	quiet, busy := map[string][]time.Duration{}, map[string][]time.Duration{}
	add := func(all, more map[string][]time.Duration) {
		for name, took := range more {
			all[name] = append(all[name], took...)
		}
	}
	for round := range quietRounds {
		replica := round % n.noisyOn
		add(quiet, n.run(replica, quietTime, works))
		n.during(noises, counts, func() {
			add(busy, n.run(replica, quietTime, works))
			if status := n.replicas[replica].ready(); status != http.StatusOK {
				t.Errorf("/readyz responds with %d", status)
			}
		})
	}
	for i, x := range noises {
		x.check(t, counts[i])
	}
	storetest.Audit(t, n.store)
	for _, w := range works {
		alone, with := percentile(quiet[w.name], 95), percentile(busy[w.name], 95)
		t.Logf("%s: the p95 is %v with the noise, %v without it; %d and %d requests; the noise got %v",
			w.name, with, alone, len(busy[w.name]), len(quiet[w.name]), counts)
		if most := time.Duration(w.times*float64(alone)) + quietPlus; with > most {
			t.Errorf("%s: the p95 is %v with the noise, want at most %v", w.name, with, most)
		}
	}
}

// check checks the outcomes of a noise.
func (x noise) check(t *testing.T, outcomes map[string]int) {
	t.Helper()
	for outcome := range outcomes {
		if !slices.Contains(x.want, outcome) {
			t.Errorf("the noisy tenant got %v, want %v", outcomes, x.want)
		}
	}
	if x.limited && outcomes["RATE_LIMITED"] == 0 {
		t.Errorf("the noisy tenant was not refused: %v", outcomes)
	}
}

// percentile returns the p-th percentile.
func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(10 * time.Microsecond)
}
