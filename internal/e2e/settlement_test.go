package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// failure is a point of a turn at which the process dies or loses its connection.
type failure struct {
	// point is a fail point: before a statement is sent, after the server ran it but before the
	// service knows, or before the caller knows.
	point string
	// how is "kill", "error" for a lost connection, or "panic".
	how string
	// during means that the failure happens while the server runs the statement.
	during bool
	// stored means that the reply is stored although the process dies.
	stored bool
}

// settlementFailures are the points around settlement, which is one statement.
var settlementFailures = []failure{
	{point: "settle.before", how: "kill"},
	{point: "settle.before", how: "kill", during: true, stored: true},
	{point: "settle.after", how: "kill", stored: true},
	{point: "answer.settled", how: "kill", stored: true},
	{point: "settle.before", how: "error"},
	{point: "settle.before", how: "error", during: true},
	{point: "settle.after", how: "error"},
}

// batchFailures are the points around the statements that begin or settle several turns.
var batchFailures = []failure{
	{point: "begin_batch.before", how: "kill"},
	{point: "begin_batch.after", how: "kill"},
	{point: "settle_batch.before", how: "kill"},
	{point: "settle_batch.after", how: "kill"},
	{point: "begin_batch.after", how: "error"},
	{point: "settle_batch.after", how: "error"},
	{point: "begin_batch.before", how: "panic"},
	{point: "settle_batch.before", how: "panic"},
}

// TestFailuresAroundSettlement: the process dies or its connection is lost before, during or after
// the settlement of a message. A charge and its reply exist together or not at all. A retry on
// another replica waits until the turn is released, and the next one gets the reply, for one
// charge.
func TestFailuresAroundSettlement(t *testing.T) {
	t.Parallel()
	testFailures(t, 1, settlementFailures)
}

// TestFailuresInsideBatches is the same for 32 messages at once.
func TestFailuresInsideBatches(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	testFailures(t, 32, batchFailures)
}

// failureBench is a replica that fails, and one that survives.
type failureBench struct {
	t                *testing.T
	store            *store.DB
	http             *http.Client
	dir              string // of the fail points
	survivor, victim *replica
	fixture          storetest.Fixture
}

func testFailures(t *testing.T, messages int, failures []failure) {
	t.Helper()
	url := storetest.URL(t)
	b := &failureBench{t: t, store: storetest.Open(t, url), http: client(t), dir: t.TempDir()}
	auditing(t, b.store)
	b.survivor = start(t, url, shortDeadlines...)
	env := append([]string{"FAILPOINTS_DIR=" + b.dir}, shortDeadlines...)
	for _, f := range failures {
		if b.victim == nil {
			b.victim = startProgram(t, failing(), url, env...)
		}
		b.fixture = storetest.Seed(t, b.store, storetest.Options{Credits: int64(messages)})
		b.check(f, messages)
	}
}

// check sends a number of messages at once to the replica that fails. Callers that it does not
// answer retry over the other one.
func (b *failureBench) check(f failure, messages int) {
	t := b.t
	t.Helper()
	what := fmt.Sprintf("%s at %s (during: %t)", f.how, f.point, f.during)
	if f.during {
		arm(t, b.dir, f.point, "wait")
	} else {
		arm(t, b.dir, f.point, f.how)
	}
	var failed sync.WaitGroup
	if f.during {
		failed.Go(func() { b.failDuring(f) })
	}
	outcomes := parallel(messages, messages, func(int) string {
		key, session := uuid.NewString(), uuid.NewString()
		send := func(r *replica) (answer, error) {
			return ask(t.Context(), b.http, r.Chat, b.fixture.Key.Reveal(), session, "hello",
				"Idempotency-Key", key)
		}
		got, err := send(b.victim)
		first, waits := outcomeOf(got, err), 0
		eventually(t, "the reply", func() bool {
			if err != nil || got.Status != http.StatusOK {
				got, err = send(b.survivor)
			}
			if err == nil && got.outcome() == "unavailable" {
				waits++
			}
			return err == nil && got.Status == http.StatusOK
		})
		replayed := got.Header.Get("Idempotent-Replayed") == "true"
		switch {
		case messages > 1:
		case f.how == "kill" && (first == "200" || replayed != f.stored || waits == 0 && !f.stored):
			t.Errorf("%s: the victim said %s; after %d waits, the retry is a replay: %t", what, first,
				waits, replayed)
		case f.how == "error" && first != "200":
			t.Errorf("%s: the victim said %s", what, first)
		}
		return first
	})
	failed.Wait()
	if !f.during && !wasHit(b.dir, f.point) {
		t.Fatalf("%s was not reached: %v", what, outcomes)
	}
	if f.how == "kill" {
		<-b.victim.exited
		b.victim = nil
	}
	var answered, keys, whole int
	readRow(t, b.store, `SELECT count(*), count(DISTINCT t.idempotency_key),
			count(*) FILTER (WHERE e.id IS NOT NULL AND t.reply <> '')
		FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
		WHERE t.account_id = $1 AND t.state = 'ANSWERED'`,
		[]any{b.fixture.Account.ID}, &answered, &keys, &whole)
	var released, costed int // the calls of the released turns may be billed
	readRow(t, b.store, `SELECT count(*), count(provider_cost) FROM turns
		WHERE account_id = $1 AND state = 'FAILED'`, []any{b.fixture.Account.ID}, &released, &costed)
	if died := f.how == "kill" && !f.stored; messages == 1 && died != (released == 1) || costed != 0 {
		t.Errorf("%s: %d turns were released, %d of them with a cost", what, released, costed)
	}
	charged, _ := chargesOf(t, b.store, b.fixture)
	balance, held := creditsOf(t, b.store, b.fixture)
	if answered != messages || keys != messages || whole != messages || charged != int64(messages) ||
		balance != 0 || held != 0 {
		t.Errorf("%s: of %d messages, %d turns are answered, %d with charge and reply, %d keys; "+
			"%d charges, balance %d, held %d", what, messages, answered, whole, keys, charged, balance, held)
	}
	storetest.Audit(t, b.store)
}

// failDuring waits until the server runs the settlement, which a lock on the account holds up, and
// kills the process or its connection. Then it releases the lock.
func (b *failureBench) failDuring(f failure) {
	t := b.t
	hit := filepath.Join(b.dir, f.point+".hit")
	eventually(t, "the process is about to settle", func() bool {
		_, err := os.Stat(hit)
		return err == nil
	})
	tx, err := b.store.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = tx.Rollback() }()
	const lock = `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`
	if _, err := tx.ExecContext(t.Context(), lock, b.fixture.Account.ID); err != nil {
		t.Error(err)
	}
	if err := os.Remove(hit); err != nil {
		t.Error(err)
	}
	var backend int
	eventually(t, "the settlement waits for the account", func() bool {
		return b.store.SQL().QueryRowContext(t.Context(), `SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'
				AND query LIKE 'SELECT * FROM settle_turns%'`).Scan(&backend) == nil
	})
	if f.how == "kill" {
		b.victim.kill()
		return
	}
	const end = `SELECT pg_terminate_backend($1)`
	if _, err := b.store.SQL().ExecContext(t.Context(), end, backend); err != nil {
		t.Error(err)
	}
}
