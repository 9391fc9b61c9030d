package e2e_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/operator"
)

const (
	// haBalancer is where .ci/ha's HAProxy leads to the replicas, and haReplicas how many it knows.
	haBalancer = "http://127.0.0.1:18080/v1/agent/chat"
	haReplicas = 3
	// haEvery is the time between two messages: ten a second.
	haEvery = 100 * time.Millisecond
	// haRetry is how long a client waits before it sends a message again.
	haRetry = 250 * time.Millisecond
	// haCut is how long a machine stays off the network.
	haCut = 40 * time.Second
)

// TestHighAvailability is `make trial-ha`: three replicas behind HAProxy, on a PostgreSQL pair under Patroni, through PgBouncer in
// transaction mode, under a steady load whose clients repeat what was not answered. AGENTCHAT_TRIAL_HA says how often each failure
// happens. No message may be lost once it was answered, or be charged twice, and the outages are printed.
func TestHighAvailability(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("AGENTCHAT_TRIAL_HA"))
	if err != nil {
		t.Skip("make trial-ha runs it")
	}
	cluster := newHACluster(t)
	replicas := make([]*replica, haReplicas)
	for i := range replicas {
		replicas[i] = cluster.serve(t, i)
	}
	_, export := newOwnedExport(t, replicas[0], "10.6.0.1")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s, err := store.Open(t.Context(), store.Config{URL: cluster.direct})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	l := &haLoad{client: &http.Client{Timeout: 20 * time.Second}, key: export.key}
	var load sync.WaitGroup
	load.Go(func() { l.run(ctx) })
	var audits int
	load.Go(func() { audits = auditAlways(ctx, t, s) })

	failures := []haFailure{
		{"switchover", func() { cluster.do(t, "switchover") }},
		{"PostgreSQL killed", func() { cluster.do(t, "kill-postgres", cluster.primary(t)) }},
		{"machine of the primary dead", func() {
			dead := cluster.primary(t)
			cluster.do(t, "kill-machine", dead)
			eventually(t, "the standby leads", func() bool { return cluster.tryPrimary() != "" && cluster.tryPrimary() != dead })
			cluster.do(t, "start-machine", dead)
		}},
		{"primary off the network", func() {
			gone := cluster.primary(t)
			cluster.do(t, "cut", gone)
			<-time.After(haCut)
			cluster.do(t, "heal", gone)
		}},
		{"replica killed", func() {
			i := rand.IntN(haReplicas)
			replicas[i].kill()
			replicas[i] = cluster.serve(t, i)
		}},
	}
	outages := map[string][]time.Duration{}
	for round := range rounds {
		for _, failure := range failures {
			eventually(t, "a primary and a standby", cluster.healthy)
			settle() // a calm time before, and one after
			from := time.Now()
			failure.inject()
			eventually(t, "a primary and a standby again", cluster.healthy)
			settle()
			outage, refused, sent := l.outage(from, time.Now())
			outages[failure.name] = append(outages[failure.name], outage)
			t.Logf("round %d, %s: %.1f s without an answer, %d of %d refused at first", round+1, failure.name, outage.Seconds(), refused, sent)
		}
	}
	stop()
	load.Wait()
	for _, failure := range failures {
		all := outages[failure.name]
		slices.Sort(all)
		t.Logf("%s, %d times: median %.1f s, worst %.1f s", failure.name, len(all), all[len(all)/2].Seconds(), all[len(all)-1].Seconds())
	}
	l.check(t, s)
	t.Logf("%d audits", audits)
}

// settle lets the load run for a while.
func settle() { <-time.After(3 * time.Second) }

type haFailure struct {
	name   string
	inject func()
}

// haCluster is what .ci/ha has started.
type haCluster struct {
	dir string
	// pooled leads through PgBouncer, owner and direct past it.
	pooled, owner, direct string
}

func newHACluster(t *testing.T) *haCluster {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "agentchat-ha-") //nolint:usetesting // user postgres has to enter it
	if err != nil {
		t.Fatal(err)
	}
	c := &haCluster{dir: dir}
	t.Cleanup(func() {
		c.do(t, "down")
		if !t.Failed() {
			_ = os.RemoveAll(dir)
		}
	})
	urls := strings.Fields(c.do(t, "up"))
	if len(urls) != 3 {
		t.Fatalf("no URLs: %v", urls)
	}
	c.pooled, c.owner, c.direct = urls[0], urls[1], urls[2]
	return c
}

func (c *haCluster) run(args ...string) ([]byte, error) {
	command := exec.Command(filepath.FromSlash("../../.ci/ha"), args...)
	command.Env = append(os.Environ(), "HA_DIR="+c.dir)
	var failure *exec.ExitError
	out, err := command.Output()
	if errors.As(err, &failure) {
		err = fmt.Errorf("%w: %s", err, failure.Stderr)
	}
	return out, err
}

func (c *haCluster) do(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.run(args...)
	if err != nil {
		t.Fatalf("%v: %v %s (logs in %s)", args, err, out, c.dir)
	}
	return string(out)
}

func (c *haCluster) healthy() bool { _, err := c.run("healthy"); return err == nil }

// tryPrimary is the number of the primary, empty while there is none.
func (c *haCluster) tryPrimary() string {
	out, _ := c.run("primary")
	return strings.TrimSpace(string(out))
}

func (c *haCluster) primary(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(c.do(t, "primary"))
}

// serve starts a replica where HAProxy expects it.
func (c *haCluster) serve(t *testing.T, i int) *replica {
	t.Helper()
	return startProgram(t, binary, c.pooled, "MIGRATE_DATABASE_URL="+c.owner, "DATABASE_POOLER=transaction",
		fmt.Sprintf("LISTEN_ADDR=127.0.0.1:%d", 18081+i), fmt.Sprintf("OPS_ADDR=127.0.0.1:%d", 19091+i),
		"TRUSTED_PROXIES=127.0.0.1/32", "STARTING_CREDITS=10000000")
}

// auditAlways checks the ledger until ctx ends, and returns how often it could.
func auditAlways(ctx context.Context, t *testing.T, s *store.DB) (audits int) {
	t.Helper()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return audits
		case <-ticker.C:
		}
		found, err := operator.On(s).Verify(ctx, 10)
		if err != nil { // there is no primary
			continue
		}
		audits++
		if found.Total > 0 {
			t.Errorf("the ledger is wrong: %+v", found)
		}
	}
}

// haLoad sends messages at a fixed rate, each until it is answered.
type haLoad struct {
	client *http.Client
	key    string
	mu     sync.Mutex
	sent   []*haMessage
}

type haMessage struct {
	at, answered time.Time
	// id is the message's, and first the status of the first attempt, 0 for none.
	id    string
	first int
}

func (l *haLoad) run(ctx context.Context) {
	var under sync.WaitGroup
	defer under.Wait()
	ticker := time.NewTicker(haEvery)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		m := &haMessage{at: time.Now()}
		l.mu.Lock()
		l.sent = append(l.sent, m)
		l.mu.Unlock()
		under.Go(func() { l.send(m, fmt.Sprint("s", n%50)) })
	}
}

// send repeats a message under its key until it is answered; the test's end does not cut it off.
func (l *haLoad) send(m *haMessage, session string) {
	key := uuid.NewString()
	for i := range 1000 {
		got, err := ask(context.Background(), l.client, haBalancer, l.key, session, "hello", "Idempotency-Key", key)
		l.mu.Lock()
		if i == 0 {
			m.first = got.Status
		}
		if err == nil && got.Status == http.StatusOK {
			m.answered, m.id = time.Now(), got.Message
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		<-time.After(haRetry)
	}
}

// outage is the longest time without an answer between two moments, and how many of the messages sent then were refused at first.
func (l *haLoad) outage(from, to time.Time) (longest time.Duration, refused, sent int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answered := []time.Time{from, to}
	for _, m := range l.sent {
		if m.answered.After(from) && m.answered.Before(to) {
			answered = append(answered, m.answered)
		}
		if m.at.After(from) && m.at.Before(to) {
			sent++
			if m.first != http.StatusOK {
				refused++
			}
		}
	}
	slices.SortFunc(answered, func(a, b time.Time) int { return cmp.Compare(a.UnixNano(), b.UnixNano()) })
	for i := range answered[1:] {
		longest = max(longest, answered[i+1].Sub(answered[i]))
	}
	return longest, refused, sent
}

// check compares what clients were told with the ledger: every message was answered, and is charged once.
func (l *haLoad) check(t *testing.T, s *store.DB) {
	t.Helper()
	ids := make([]string, 0, len(l.sent))
	for _, m := range l.sent {
		if m.id == "" {
			t.Errorf("a message of %v was never answered", m.at)
			continue
		}
		ids = append(ids, m.id)
	}
	var lost, extra int
	if err := s.SQL().QueryRowContext(t.Context(), `SELECT
			(SELECT count(*) FROM unnest($1::uuid[]) told(id) WHERE (SELECT count(*) FROM turns t JOIN credit_entries e ON e.turn_id = t.id
				AND e.kind = 'CHARGE' AND e.amount = -t.price WHERE t.id = told.id AND t.state = 'ANSWERED') <> 1),
			(SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE' AND turn_id <> ALL($1::uuid[]))`,
		"{"+strings.Join(ids, ",")+"}").Scan(&lost, &extra); err != nil {
		t.Fatal(err)
	}
	if lost > 0 || extra > 0 {
		t.Errorf("%d answers are not charged once, %d charges are of no answer", lost, extra)
	}
	found, err := operator.On(s).Verify(t.Context(), 10)
	if err != nil || found.Total > 0 {
		t.Errorf("verify: %+v %v", found, err)
	}
	t.Logf("%d messages: %d answers not charged once, %d charges without an answer", len(ids), lost, extra)
}
