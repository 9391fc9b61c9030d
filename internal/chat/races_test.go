package chat_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// quickRaces is the number of races that a message loses in a row before it pauses: maxRetries.
const quickRaces = 20

// loserName is the database's name for the replica that loses.
const loserName = "loser"

// race is a session that two replicas write to, each with its own export. Each statement of the
// loser stops after it has read the session and before it begins its turn, at an advisory lock with
// the statement's number, until the test releases the lock.
type race struct {
	store         *store.DB
	loser, winner *chat.Service
	of, other     storetest.Fixture
	locks         *sql.Conn
	// reached is the number of the loser's statement that is stopped or expected next.
	reached int
}

// newRace starts the session with a turn of the winner.
func newRace(t *testing.T, wait time.Duration) *race {
	t.Helper()
	url := storetest.URL(t)
	r := &race{store: storetest.Open(t, url), reached: 1}
	own, err := store.Open(t.Context(), store.Config{URL: url, ApplicationName: loserName})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	r.loser = chat.New(chat.Config{Store: own, Catalogue: sandboxOnly(), SessionWait: wait})
	r.winner = chat.New(chat.Config{Store: storetest.Open(t, url), Catalogue: sandboxOnly()})
	r.of = storetest.Seed(t, r.store, storetest.Options{Credits: 1000})
	r.other = r.of
	r.other.Export, r.other.KeyID, r.other.Key = storetest.SeedExport(t, r.store, r.of.Account.ID,
		r.of.Agent.ID, 1_000_000)
	send(t, r.winner, newMessage(r.other, "s", "0"))
	for _, statement := range []string{
		`CREATE SEQUENCE looks`,
		`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF current_setting('application_name') = '` + loserName + `' THEN PERFORM pg_advisory_xact_lock(nextval('looks')); END IF;
			RETURN NULL;
		END $$`,
		// Fires once per statement, after its snapshot was taken and before a row of the session is read.
		`CREATE TRIGGER stop BEFORE UPDATE ON conversations FOR EACH STATEMENT EXECUTE FUNCTION stop()`,
	} {
		storetest.Exec(t, r.store, statement)
	}
	if r.locks, err = r.store.SQL().Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.locks.Close() })
	r.exec(t, `SELECT pg_advisory_lock(1)`)
	return r
}

func (r *race) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := r.locks.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// lose has the winner answer a message while the loser's statement is stopped; that statement then
// finds that the session has changed. The next statement is stopped too, unless this is the last.
func (r *race) lose(t *testing.T, last bool) {
	t.Helper()
	send(t, r.winner, newMessage(r.other, "s", fmt.Sprint(r.reached)))
	if !last {
		r.exec(t, `SELECT pg_advisory_lock($1)`, r.reached+1)
	}
	r.exec(t, `SELECT pg_advisory_unlock($1)`, r.reached)
	r.reached++
}

// stopped waits until the loser's statement has stopped, and reports false if Send has returned
// instead.
func (r *race) stopped(t *testing.T, returned <-chan struct{}) bool {
	t.Helper()
	var stopped, hasReturned bool
	eventually(t, func() bool {
		select {
		case <-returned:
			hasReturned = true
			return true
		default:
		}
		err := r.locks.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
				AND objid = $1 AND NOT granted)`, r.reached).Scan(&stopped)
		return err == nil && stopped
	})
	return !hasReturned
}

// wantCharges counts the charges for the messages of each, one for the first turn of the winner.
func (r *race) wantCharges(t *testing.T, loser, races int) {
	t.Helper()
	for export, want := range map[uuid.UUID]int{r.of.Export.ID: loser, r.other.Export.ID: races + 1} {
		if n := storetest.CountRows(t, r.store,
			`SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE' AND export_id = $1`, export); n != want {
			t.Errorf("charged %d times, want %d", n, want)
		}
	}
	wantCredits(t, r.store, r.of, int64(1000-races-1-loser))
	storetest.Audit(t, r.store)
}

// TestLosesRaceAfterRace: a message that loses twenty races in a row to another replica waits as
// for a busy session. It is answered once, and its context is complete.
func TestLosesRaceAfterRace(t *testing.T) {
	t.Parallel()
	r := newRace(t, 0)
	var want []string
	for n := range quickRaces + 1 {
		want = append(want, fmt.Sprint(n))
	}
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		wantSeen(t, "after the races", r.loser, newMessage(r.of, "s", ""), want...)
	}()
	for n := 1; n <= quickRaces; n++ {
		if !r.stopped(t, returned) {
			t.Fatalf("Send returned after %d lost races", n-1)
		}
		r.lose(t, n == quickRaces)
	}
	<-returned
	r.wantCharges(t, 1, quickRaces)
}

// TestLosesRacesForTooLong: a message that keeps losing until its wait is over is refused as for a
// busy session and costs nothing. Sent again later, it is answered.
func TestLosesRacesForTooLong(t *testing.T) {
	t.Parallel()
	r := newRace(t, 700*time.Millisecond)
	var err error
	returned := make(chan struct{})
	started := time.Now()
	go func() {
		defer close(returned)
		_, err = r.loser.Send(t.Context(), newMessage(r.of, "s", "hello"))
	}()
	lost := 0
	for r.stopped(t, returned) {
		r.lose(t, false)
		lost++
	}
	if !fault.Is(err, fault.SessionBusy) || lost == 0 {
		t.Errorf("after %d lost races in %v: %v, want session_busy", lost, time.Since(started), err)
	}
	t.Logf("%d races lost in %v", lost, time.Since(started))
	if n := storetest.CountRows(t, r.store, `SELECT count(*) FROM turns WHERE export_id = $1`,
		r.of.Export.ID); n != 0 {
		t.Errorf("%d turns were begun for it", n)
	}
	r.wantCharges(t, 0, lost)
	r.exec(t, `SELECT pg_advisory_unlock_all()`) // later statements of the loser pass
	send(t, r.loser, newMessage(r.of, "s", "hello again"))
	r.wantCharges(t, 1, lost)
}
