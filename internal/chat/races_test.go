package chat_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// quickRaces is how many races a message loses in a row before it pauses: maxUndecided.
const quickRaces = 20

// loserName is the database's name for the replica that loses.
const loserName = "loser"

// race is a session that two replicas write to, each by an export of its own. Whenever the loser's statement has looked at the
// session, and before it begins its turn, it stops, by a lock of its own number, until the test lets it go on.
type race struct {
	store         *store.Store
	loser, winner *chat.Service
	of, other     storetest.Fixture
	locks         *sql.Conn
	// reached is the number of the loser's statement that the test holds up or waits for.
	reached int
}

// newRace makes the session with a first turn of the winner's.
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
	r.other.Export, r.other.KeyID, r.other.Key = storetest.SeedExport(t, r.store, r.of.Account.ID, r.of.Agent.ID, 1_000_000)
	send(t, r.winner, request(r.other, "s", "0"))
	for _, statement := range []string{
		`CREATE SEQUENCE looks`,
		`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF current_setting('application_name') = '` + loserName + `' THEN PERFORM pg_advisory_xact_lock(nextval('looks')); END IF;
			RETURN NULL;
		END $$`,
		// Once a statement, when its snapshot is taken and no row of the session is read yet.
		`CREATE TRIGGER stop BEFORE UPDATE ON conversations FOR EACH STATEMENT EXECUTE FUNCTION stop()`,
	} {
		if _, err := r.store.DB().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if r.locks, err = r.store.DB().Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.locks.Close() })
	r.lock(t, 1)
	return r
}

func (r *race) lock(t *testing.T, number int) {
	t.Helper()
	if _, err := r.locks.ExecContext(t.Context(), `SELECT pg_advisory_lock($1)`, number); err != nil {
		t.Fatal(err)
	}
}

// calm lets all the loser's statements pass from now on.
func (r *race) calm(t *testing.T) {
	t.Helper()
	if _, err := r.locks.ExecContext(t.Context(), `SELECT pg_advisory_unlock_all()`); err != nil {
		t.Fatal(err)
	}
}

// lose has the winner answer a message while the loser's next statement is held up, which then finds another session than it
// looked at. The statement after it is held up too, unless this is the last.
func (r *race) lose(t *testing.T, last bool) {
	t.Helper()
	send(t, r.winner, request(r.other, "s", fmt.Sprint(r.reached)))
	if !last {
		r.lock(t, r.reached+1)
	}
	if _, err := r.locks.ExecContext(t.Context(), `SELECT pg_advisory_unlock($1)`, r.reached); err != nil {
		t.Fatal(err)
	}
	r.reached++
}

// heldUp waits until the loser's statement is held up, or its message has come back: then it reports false.
func (r *race) heldUp(t *testing.T, back <-chan struct{}) bool {
	t.Helper()
	var held, isBack bool
	eventually(t, func() bool {
		select {
		case <-back:
			isBack = true
			return true
		default:
		}
		err := r.locks.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
				AND objid = $1 AND NOT granted)`, r.reached).Scan(&held)
		return err == nil && held
	})
	return !isBack
}

// charges are how often the account has paid for the loser's messages and for the winner's.
func (r *race) charges(t *testing.T) (loser, winner int) {
	t.Helper()
	err := r.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE export_id = $1), count(*) FILTER (WHERE export_id = $2)
		FROM credit_entries WHERE kind = 'CHARGE'`, r.of.Export.ID, r.other.Export.ID).Scan(&loser, &winner)
	if err != nil {
		t.Fatal(err)
	}
	return loser, winner
}

// TestLosesRaceAfterRace: a message whose session another replica's messages took twenty times in a row, each time after it had
// looked and before it began, waits like one for a busy session, and is answered when they let it by: once, and in its place.
func TestLosesRaceAfterRace(t *testing.T) {
	t.Parallel()
	r := newRace(t, 0)
	var got chat.Result
	var err error
	back := make(chan struct{})
	go func() {
		defer close(back)
		got, err = r.loser.Send(t.Context(), request(r.of, "s", "[[sandbox history]]"))
	}()
	for n := 1; n <= quickRaces; n++ {
		if !r.heldUp(t, back) {
			t.Fatalf("after %d lost races the message came back with %+v, %v", n-1, got.Answer, err)
		}
		r.lose(t, n == quickRaces)
	}
	<-back
	if err != nil {
		t.Fatalf("after %d lost races: %v", quickRaces, err)
	}
	var context seen
	if err := json.Unmarshal([]byte(got.Answer.Reply), &context); err != nil {
		t.Fatal(err)
	}
	if len(context.Turns) != 2*(quickRaces+1)+1 {
		t.Fatalf("the model was given %d texts, want the %d turns before it and the message", len(context.Turns), quickRaces+1)
	}
	for n := range quickRaces + 1 {
		if text := context.Turns[2*n].Text; text != fmt.Sprint(n) {
			t.Errorf("turn %d before it is %q", n, text)
		}
	}
	if loser, winner := r.charges(t); loser != 1 || winner != quickRaces+1 {
		t.Errorf("charged %d times, and the others %d times; want 1 and %d", loser, winner, quickRaces+1)
	}
	if left, held := balance(t, r.store, r.of); left != 1000-quickRaces-2 || held != 0 {
		t.Errorf("balance %d, held %d", left, held)
	}
	storetest.Audit(t, r.store)
}

// TestLosesRacesForTooLong: one that loses for longer than a message waits for its session is refused as for a busy one, and costs
// nothing; sent again when the session is quiet, it is answered.
func TestLosesRacesForTooLong(t *testing.T) {
	t.Parallel()
	r := newRace(t, 700*time.Millisecond)
	var err error
	back := make(chan struct{})
	started := time.Now()
	go func() {
		defer close(back)
		_, err = r.loser.Send(t.Context(), request(r.of, "s", "hello"))
	}()
	lost := 0
	for r.heldUp(t, back) {
		r.lose(t, false)
		lost++
	}
	if !fault.Is(err, fault.SessionBusy) || lost < quickRaces {
		t.Errorf("after %d lost races in %v: %v, want session_busy after at least %d", lost, time.Since(started), err, quickRaces)
	}
	t.Logf("%d races lost in %v", lost, time.Since(started))
	var begun int
	if err := r.store.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE export_id = $1`, r.of.Export.ID).Scan(&begun); err != nil || begun != 0 {
		t.Errorf("%d turns were begun for it, %v", begun, err)
	}
	if loser, winner := r.charges(t); loser != 0 || winner != lost+1 {
		t.Errorf("charged %d times, and the others %d times; want 0 and %d", loser, winner, lost+1)
	}
	if left, held := balance(t, r.store, r.of); left != int64(1000-lost-1) || held != 0 {
		t.Errorf("balance %d, held %d", left, held)
	}
	r.calm(t)
	if got := send(t, r.loser, request(r.of, "s", "hello again")); got.Credits != 1 {
		t.Errorf("sent again: %+v", got)
	}
	storetest.Audit(t, r.store)
}
