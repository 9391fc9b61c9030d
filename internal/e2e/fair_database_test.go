package e2e_test

import (
	"context"
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

// A quiet tenant sends one chat after another on these connections; a noisy one may make its p95 at most this much longer.
const (
	quietConns = 5
	quietTimes = 2
	quietPlus  = 10 * time.Millisecond
	quietTime  = 3 * time.Second
)

// noise is what a noisy tenant does on each of its connections until ctx ends; want are the outcomes that it may get.
type noise struct {
	conns int
	want  []string
	send  func(ctx context.Context, replica int) string
	// refused says that it must get RATE_LIMITED, too.
	refused bool
}

// tenants are a quiet and a noisy one on two replicas.
type tenants struct {
	*pair
	t     *faultRow
	http  *http.Client
	quiet storetest.Fixture
	// noisyOn is how many replicas the noisy tenant uses.
	noisyOn int
	token   string
}

func newTenants(t *testing.T, row *faultRow, env ...string) *tenants {
	t.Helper()
	n := &tenants{pair: newPair(row, append(env, behindProxy)...), t: row, http: client(row), noisyOn: 1}
	n.quiet = storetest.Seed(row, n.store, storetest.Options{Credits: 1 << 40})
	b := newBrowser(t)
	b.signedUp(n.replicas[0], "noisy@example.com", "correct horse battery staple")
	n.token = b.Token
	return n
}

// chats has the quiet tenant chat with a replica for a while, and returns how long each chat took.
func (n *tenants) chats(replica int, length time.Duration) (took []time.Duration) {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.t.Context(), length)
	defer cancel()
	var conns sync.WaitGroup
	var mu sync.Mutex
	for range quietConns {
		conns.Go(func() {
			for ctx.Err() == nil {
				at := time.Now()
				got, err := ask(n.t.Context(), n.http, n.chat(replica), n.quiet.Key.Reveal(), uuid.NewString(), "hello")
				if err != nil || got.Status != http.StatusOK {
					n.t.Errorf("the quiet tenant's chat: %v %d %s", err, got.Status, got.Body)
				}
				mu.Lock()
				took = append(took, time.Since(at))
				mu.Unlock()
			}
		})
	}
	conns.Wait()
	return took
}

// beside runs the noise while the work is done, and returns the noise's outcomes.
func (n *tenants) beside(x noise, work func()) map[string]int {
	n.t.Helper()
	ctx, cancel := context.WithCancel(n.t.Context())
	outcomes, mu, conns := map[string]int{}, sync.Mutex{}, sync.WaitGroup{}
	begun := make(chan struct{}, x.conns)
	for i := range x.conns {
		conns.Go(func() {
			begun <- struct{}{}
			for ctx.Err() == nil {
				outcome := x.send(ctx, i%n.noisyOn)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
	for range x.conns {
		<-begun
	}
	work()
	cancel()
	conns.Wait()
	return outcomes
}

// heavyQuery asks for as much as one request may: searches that match nothing, and usage of years.
func heavyQuery() string {
	fields := strings.Builder{}
	for i := range 10 {
		fmt.Fprintf(&fields, ` s%d: conversations(filter: {search: "zzz%d"}) { nodes { id } }`, i, i)
		fmt.Fprintf(&fields, ` u%d: creditUsage(from: "2025-0%d-01T00:00:00Z", to: "2026-01-31T00:00:00Z", by: MONTH) { credits }`, i, i%9+1)
	}
	return `{ viewer {` + fields.String() + ` } }`
}

// These tests are one promise: whatever another account does at the database, chats of a quiet one stay nearly as fast as alone, each
// replica stays ready, and what the noisy one cannot have is refused with a time.

func TestQuietTenantBesideHeavyReads(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N2"))
	n.measure(n.reads(t, 60))
}

func TestQuietTenantBesideChats(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N3"))
	n.measure(n.manyChats(t))
}

func TestQuietTenantBesideSomeHeavyReads(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N4"))
	n.measure(n.reads(t, 12))
}

func TestQuietTenantBesideSignIns(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N7: a quiet tenant's chats"))
	n.measure(n.signIns(t))
}

func TestQuietTenantBesideDocuments(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N11: a quiet tenant's chats"))
	n.measure(n.documents())
}

func TestQuietTenantBesideEverything(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N20"))
	n.measure(n.reads(t, 60), n.manyChats(t), n.signIns(t), n.documents())
}

func TestQuietTenantOverTwoReplicas(t *testing.T) {
	n := newTenants(t, heavyRow(t, "N21"))
	n.noisyOn = 2
	n.measure(n.reads(t, 60), n.manyChats(t))
}

func heavyRow(t *testing.T, id string) *faultRow {
	t.Helper()
	t.Parallel()
	faults.Heavy(t) // it compares times
	return newRow(t, id)
}

// manyChats are chats of the noisy tenant on 32 connections.
func (n *tenants) manyChats(t *testing.T) noise {
	t.Helper()
	id := n.noisyID(t)
	talker := storetest.SeedAgent(n.t, n.store, id, storetest.Options{Model: "sandbox/free"})
	var keys []string // so many that the rate of none is reached
	for range 4 {
		_, _, key := storetest.SeedExport(n.t, n.store, id, talker.ID, n.quiet.Export.RatePerMinute)
		keys = append(keys, key.Reveal())
	}
	var sent atomic.Int64
	return noise{conns: 32, want: []string{"200"}, send: func(ctx context.Context, replica int) string {
		key := keys[int(sent.Add(1))%len(keys)]
		got, err := ask(ctx, n.http, n.chat(replica), key, uuid.NewString(), "hello")
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	}}
}

// reads are heavy reads of the noisy tenant.
func (n *tenants) reads(t *testing.T, conns int) noise {
	t.Helper()
	id := n.noisyID(t)
	n.fill(id, storetest.SeedAgent(n.t, n.store, id, storetest.Options{}).ID)
	query := heavyQuery()
	return noise{conns: conns, want: []string{"ok", "RATE_LIMITED"}, refused: conns > 32, send: func(ctx context.Context, replica int) string {
		_, code := n.post(ctx, replica, query)
		return code
	}}
}

func (n *tenants) noisyID(t *testing.T) uuid.UUID {
	t.Helper()
	b := newBrowser(t)
	b.Token = n.token
	var viewer struct{ ID uuid.UUID }
	b.must(n.replicas[0], viewerQuery, nil).into(t, "viewer", &viewer)
	return viewer.ID
}

// signIns are sign-ins to made-up accounts on 100 connections of one address.
func (n *tenants) signIns(t *testing.T) noise {
	t.Helper()
	flooders := make(chan *browser, 100)
	for range cap(flooders) {
		flooders <- newBrowser(t, "X-Forwarded-For", "203.0.113.1")
	}
	return noise{conns: cap(flooders), want: []string{"INVALID_CREDENTIALS", "RATE_LIMITED"}, refused: true,
		send: func(_ context.Context, replica int) string {
			b := <-flooders
			defer func() { flooders <- b }()
			got, err := b.signIn(n.replicas[replica], signInQuery, uuid.NewString()+"@example.com", "Summer2026!")
			if err != nil {
				return err.Error()
			}
			return got.code()
		}}
}

// documents are large ones without a token, no two the same, on 8 connections.
func (n *tenants) documents() noise {
	return noise{conns: 8, want: []string{"UNAUTHENTICATED"}, send: func(ctx context.Context, replica int) string {
		_, code := n.postAs(ctx, replica, "", fmt.Sprintf("{ viewer { ... { %s} } } # %s", strings.Repeat("id ", 900), uuid.New()))
		return code
	}}
}

// fill gives the noisy tenant so many conversations and charges that reading them takes long.
func (n *tenants) fill(account, agent uuid.UUID) {
	n.t.Helper()
	const conversations = 50_000
	for _, statement := range []string{
		`INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT gen_random_uuid(), $1, $2, 'API', 'session ' || n, 0, now() - n * interval '1 minute' FROM generate_series(1, $3::int) n`,
		`ANALYZE conversations`,
	} {
		args := []any{account, agent, conversations}
		if strings.HasPrefix(statement, "ANALYZE") {
			args = nil
		}
		if _, err := n.store.DB().ExecContext(n.t.Context(), statement, args...); err != nil {
			n.t.Fatal(err)
		}
	}
}

// measure compares the quiet tenant's chats beside the noises, all at once, with those without, in rounds one after the other.
func (n *tenants) measure(noises ...noise) {
	t := n.t
	t.Helper()
	stop := t.audit(n.store)
	n.chats(0, time.Second) // before anything is measured
	_ = n.besideAll(noises, func() { n.chats(n.noisyOn-1, time.Second) })
	stop() // the audits take more time than the chats
	var alone, beside []time.Duration
	outcomes := make([]map[string]int, len(noises))
	for round := range faults.Times(2, 8) {
		replica := round % n.noisyOn
		alone = append(alone, n.chats(replica, quietTime)...)
		got := n.besideAll(noises, func() {
			beside = append(beside, n.chats(replica, quietTime)...)
			if status := n.replicas[replica].ready(); status != http.StatusOK {
				t.Errorf("/readyz answers %d", status)
			}
		})
		for i := range got {
			if outcomes[i] == nil {
				outcomes[i] = map[string]int{}
			}
			for outcome, count := range got[i] {
				outcomes[i][outcome] += count
			}
		}
		t.ran(1)
	}
	for i, x := range noises {
		x.check(t, outcomes[i])
	}
	t.auditOnce(n.store)
	a, b := percentile(alone, 95), percentile(beside, 95)
	t.measured("p95 of the quiet tenant %.1f ms beside it, %.1f ms alone; %d and %d chats; the noisy one got %v", b.Seconds()*1000,
		a.Seconds()*1000, len(beside), len(alone), outcomes)
	if b > quietTimes*a+quietPlus {
		t.Errorf("the p95 is %v beside it and %v alone, want at most %d times that and %v", b, a, quietTimes, quietPlus)
	}
}

// besideAll runs all noises at once while the work is done.
func (n *tenants) besideAll(noises []noise, work func()) []map[string]int {
	n.t.Helper()
	outcomes := make([]map[string]int, len(noises))
	for i, x := range noises {
		inner := work
		work = func() { outcomes[i] = n.beside(x, inner) }
	}
	work()
	return outcomes
}

// check checks the outcomes of a noise.
func (x noise) check(t *faultRow, outcomes map[string]int) {
	t.Helper()
	for outcome := range outcomes {
		if !slices.Contains(x.want, outcome) {
			t.Errorf("the noisy tenant got %v, want %v", outcomes, x.want)
		}
	}
	if x.refused && outcomes["RATE_LIMITED"] == 0 {
		t.Errorf("the noisy tenant was not refused: %v", outcomes)
	}
}
