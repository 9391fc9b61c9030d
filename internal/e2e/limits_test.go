package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// limitKind is one of the limits of an export.
type limitKind struct {
	name string
	// source and unit are how limit_reached names it, and field is its name in the panel's API.
	source, unit, field string
	set                 func(n int) agent.ExportChanges
}

var limitKinds = []limitKind{
	{"day", "export", "credits", "dailyCreditLimit", func(n int) agent.ExportChanges {
		return agent.ExportChanges{DailyCreditLimit: changeTo(int64(n))}
	}},
	{"month", "export", "credits", "monthlyCreditLimit", func(n int) agent.ExportChanges {
		return agent.ExportChanges{MonthlyCreditLimit: changeTo(int64(n))}
	}},
	{"end user's day", "user", "messages", "userDailyMessageLimit", func(n int) agent.ExportChanges {
		return agent.ExportChanges{UserDailyMessageLimit: changeTo(n)}
	}},
}

func changeTo[T any](v T) agent.Change[T] { return agent.Change[T]{Set: true, Value: &v} }

// limitedExport is an export with limits, used by one end user over two replicas.
type limitedExport struct {
	t           *faultRow
	pair        *pair
	client      *http.Client
	export, key string
	kind        limitKind
	// refused counts messages that were refused with limit_reached.
	refused atomic.Int64
}

// newLimited makes an export with one limit.
func (p *pair) newLimited(t *faultRow, c *http.Client, kind limitKind, allowed int) *limitedExport {
	t.Helper()
	awayFromMidnight(t, time.Minute)
	f := storetest.Seed(t, p.store, storetest.Options{Credits: 1_000_000})
	if _, err := p.store.UpdateExport(t.Context(), f.Account.ID, f.Export.ID, kind.set(allowed)); err != nil {
		t.Fatal(err)
	}
	return &limitedExport{t: t, pair: p, client: c, export: f.Export.ID.String(), key: f.Key.Reveal(), kind: kind}
}

// send sends a message of the end user in a session of its own and returns the outcome. limit_reached has to name one of the limits,
// used up; none for limits that change meanwhile.
func (l *limitedExport) send(replica int, message string, limits ...int) (answer, string) {
	l.t.Helper()
	got, err := askWith(l.t.Context(), l.client, l.pair.chat(replica), l.key, map[string]any{"message": message, "user_id": "u"})
	if err != nil {
		return got, err.Error()
	}
	if got.outcome() != "limit_reached" {
		return got, got.outcome()
	}
	l.refused.Add(1)
	d := got.Error.Details
	for _, limit := range limits {
		if got.Status != http.StatusPaymentRequired || d["limit"] != float64(limit) || d["used"] != float64(limit) ||
			d["limit_source"] != l.kind.source || d["unit"] != l.kind.unit {
			l.t.Errorf("%s: a limit of %d was reached as %d %s", l.kind.name, limit, got.Status, got.Body)
		}
	}
	return got, "limit_reached"
}

// race sends messages from many callers to both replicas, of which a third fail in the model after a random time.
func (l *limitedExport) race(random *rand.Rand, messages int, limits ...int) map[string]int {
	l.t.Helper()
	texts := make([]string, messages)
	for i := range texts {
		texts[i] = fmt.Sprintf("[[sandbox delay=%dms]]", random.IntN(30))
		if random.IntN(3) == 0 {
			texts[i] = fmt.Sprintf("[[sandbox fail=error delay=%dms]]", random.IntN(30))
		}
	}
	counts := parallel(32, messages, func(i int) string {
		_, outcome := l.send(i, texts[i], limits...)
		return outcome
	})
	l.only(counts, "200", "model_error", "limit_reached")
	return counts
}

// exhaust sends messages until both replicas refuse all of a whole round, and returns how many were answered.
func (l *limitedExport) exhaust(limits ...int) int {
	l.t.Helper()
	answered := 0
	for {
		counts := parallel(8, 16, func(i int) string {
			_, outcome := l.send(i, "hello", limits...)
			return outcome
		})
		l.only(counts, "200", "limit_reached")
		answered += counts["200"]
		if counts["200"] == 0 {
			return answered
		}
	}
}

// only fails the row if there was any other outcome.
func (l *limitedExport) only(counts map[string]int, allowed ...string) {
	l.t.Helper()
	rest, sum := 0, 0
	for _, n := range counts {
		sum += n
	}
	for _, outcome := range allowed {
		rest += counts[outcome]
	}
	if rest != sum {
		l.t.Fatalf("%s: outcomes %v", l.kind.name, counts)
	}
}

// watch counts the turns that are pending or answered again and again, each time in one snapshot, and fails the row when there are more
// than allowed. stop counts once more, as a busy machine may leave too few moments before, and returns the highest count.
func (l *limitedExport) watch(allowed int) (stop func() int) {
	ctx, cancel := context.WithCancel(l.t.Context())
	most, watching := 0, sync.WaitGroup{}
	count := func() {
		var n int
		err := l.pair.store.DB().QueryRowContext(l.t.Context(),
			`SELECT count(*) FROM turns WHERE export_id = $1 AND state <> 'FAILED'`, l.export).Scan(&n)
		if err != nil || n > allowed {
			l.t.Errorf("%s: %d are under way or answered of %d: %v", l.kind.name, n, allowed, err)
		}
		most = max(most, n)
	}
	watching.Go(func() {
		for ctx.Err() == nil {
			count()
			select {
			case <-time.After(5 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	})
	return func() int {
		cancel()
		watching.Wait()
		count()
		return most
	}
}

// check compares what callers received with the turns, the ledger and the counters.
func (l *limitedExport) check(answered, want int) {
	l.t.Helper()
	var turns, pending, charged int
	err := l.pair.store.DB().QueryRowContext(l.t.Context(), `SELECT count(*) FILTER (WHERE state = 'ANSWERED'),
		count(*) FILTER (WHERE state = 'PENDING'), (SELECT -sum(amount) FROM credit_entries WHERE export_id = $1 AND kind = 'CHARGE')
		FROM turns WHERE export_id = $1`, l.export).Scan(&turns, &pending, &charged)
	if err != nil || answered != want || turns != want || pending != 0 || charged != want {
		l.t.Errorf("%s: %d answers received, %d stored, %d pending, %d credits charged; want %d: %v",
			l.kind.name, answered, turns, pending, charged, want, err)
		for i, r := range l.pair.replicas {
			for line := range strings.Lines(r.log.String()) {
				if strings.Contains(line, "WARN") || strings.Contains(line, "ERROR") {
					l.t.Logf("replica %d: %s", i, line)
				}
			}
		}
	}
	storetest.Audit(l.t, l.pair.store)
}

// TestLimitsAreExactOverTwoReplicas: of many racing messages, a third of which fail, exactly as many are answered as a limit allows.
func TestLimitsAreExactOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "L1")
	allowed, messages := 20, 150
	if faults.Full() {
		allowed, messages = 100, 1000
	}
	p, c, random := newPair(t), client(t), t.random()
	t.audit(p.store)
	var failed int
	var refused int64
	for range faults.Times(2, 50) {
		for _, kind := range limitKinds {
			l := p.newLimited(t, c, kind, allowed)
			stop := l.watch(allowed)
			counts := l.race(random, messages, allowed)
			answered := counts["200"] + l.exhaust(allowed)
			if most := stop(); most != allowed {
				t.Errorf("%s: at most %d of %d were ever seen under way or answered", kind.name, most, allowed)
			}
			l.check(answered, allowed)
			failed, refused = failed+counts["model_error"], refused+l.refused.Load()
			t.ran(1)
		}
	}
	t.measured("exactly %d answered in each round of %d racing messages and more, %d failed and %d refused in all", allowed, messages,
		failed, refused)
}

const setLimits = `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }`

// TestLimitsChangeOverTwoReplicas: an owner lowers, raises and removes a limit over both replicas while messages race. Never more are
// under way or answered than the larger limit allows, nor than a second limit that stays.
func TestLimitsChangeOverTwoReplicas(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "L1: lowered, raised and removed under way")
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	t.audit(p.store)
	const allowed, messages = 30, 150
	var changes int
	for round := range faults.Times(1, 30) {
		owner, made := newOwnedExport(tt, p.replicas[0], fmt.Sprintf("10.4.%d.1", round))
		for i, kind := range limitKinds {
			export := made
			if i > 0 {
				export = makeExport(tt, owner, p.replicas[0])
			}
			awayFromMidnight(t, time.Minute)
			l := &limitedExport{t: t, pair: p, client: c, export: export.export, key: export.key, kind: kind}
			ownLimit := &limitChanges{limitedExport: l, owner: owner, random: rand.New(rand.NewPCG(t.record.Seed, uint64(3*round+i)))}
			other := limitKinds[(i+1)%2].field // of credits
			ownLimit.change(0, map[string]any{"rateLimitPerMinute": 1_000_000, kind.field: allowed / 2})
			answered := ownLimit.during(messages, allowed, allowed/3, allowed/2, allowed)
			ownLimit.change(1, map[string]any{kind.field: allowed})
			answered += l.exhaust()
			l.check(answered, allowed)
			ownLimit.change(0, map[string]any{other: 2 * allowed})
			answered += ownLimit.during(messages, 2*allowed, allowed, 3*allowed, nil)
			ownLimit.change(1, map[string]any{kind.field: nil})
			answered += l.exhaust()
			l.check(answered, 2*allowed)
			changes += ownLimit.changes
			t.ran(1)
		}
	}
	t.measured("%d changes of limits beside racing messages; none over the larger limit, and exactly the last one in the end", changes)
}

// limitChanges changes the limit of an export while it is used.
type limitChanges struct {
	*limitedExport
	owner   *browser
	random  *rand.Rand
	changes int
}

// change changes the export's limits through a replica.
func (l *limitChanges) change(replica int, input map[string]any) {
	l.t.Helper()
	input["id"] = l.export
	if got, err := l.owner.do(l.pair.replicas[replica%2], setLimits, input); err != nil || got.code() != "ok" {
		l.t.Errorf("%v: %v %s", input, err, got.Raw)
	}
	l.changes++
}

// during sends racing messages while the limit changes between the given ones, never lets more than most begin, and returns how many
// were answered.
func (l *limitChanges) during(messages, most int, limits ...any) int {
	l.t.Helper()
	stop, over, changing := l.watch(most), make(chan struct{}), sync.WaitGroup{}
	texts := rand.New(rand.NewPCG(l.random.Uint64(), 0))
	changing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			default:
				l.change(l.random.IntN(2), map[string]any{l.kind.field: limits[i%len(limits)]})
			}
		}
	})
	answered := l.race(texts, messages)["200"]
	close(over)
	changing.Wait()
	stop()
	return answered
}
