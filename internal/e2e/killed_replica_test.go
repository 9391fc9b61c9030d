package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// orphan is a message whose process died while the model thought, and the caller who repeats it.
type orphan struct {
	kill         int
	key, session string
	died         time.Time
}

// orphanage is how long things may take: the full form has the service's own deadlines, the short form short ones.
type orphanage struct {
	env []string
	// thinks is the model's time, which is also that of the retry; pause is between the retries of a caller.
	thinks, pause time.Duration
	// within is when the credits are back after the kill at the latest.
	within time.Duration
	// each is how many messages die with one process.
	each int
}

func orphanageHere() orphanage {
	if os.Getenv("AGENTCHAT_FAULTS") == "full" {
		return orphanage{thinks: 5 * time.Second, pause: 10 * time.Second, within: 150 * time.Second, each: 3}
	}
	return orphanage{env: []string{"MODEL_TIMEOUT=2s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"},
		thinks: 1500 * time.Millisecond, pause: 50 * time.Millisecond, within: 10 * time.Second, each: 3}
}

// TestKillBetweenHoldAndSettle: processes are killed one after the other, each with messages whose credits are held. The credits
// come back by themselves; until then a retry is told that the request is in progress; after that it runs once.
func TestKillBetweenHoldAndSettle(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F4")
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	t.audit(s)
	o, total := orphanageHere(), faults.Times(20, 200)
	survivor := start(t, url, o.env...)
	message := fmt.Sprintf("[[sandbox delay=%dms]] hello", o.thinks.Milliseconds())
	var callers sync.WaitGroup
	var mu sync.Mutex
	progress, fixtures := 0, make([]storetest.Fixture, total)
	for kill := range total {
		f := storetest.Seed(t, s, storetest.Options{Credits: int64(o.each)})
		fixtures[kill] = f
		victim := start(t, url, o.env...)
		orphans := make([]orphan, o.each)
		var sent sync.WaitGroup
		for i := range orphans {
			orphans[i] = orphan{kill: kill, key: uuid.NewString(), session: uuid.NewString()}
			sent.Go(func() {
				got, err := ask(t.Context(), c, victim.Chat, f.Key.Reveal(), orphans[i].session, message, "Idempotency-Key", orphans[i].key)
				if err == nil {
					t.Errorf("kill %d: the killed process answered %s", kill, got.outcome())
				}
			})
		}
		eventually(t, "the holds", func() bool { return held(t, s, f) == int64(o.each) })
		victim.kill()
		died := time.Now()
		sent.Wait()
		for _, one := range orphans {
			one.died = died
			callers.Go(func() {
				n := one.repeat(t, c, survivor, f, message, o)
				mu.Lock()
				defer mu.Unlock()
				progress += n
			})
		}
		t.ran(1)
	}
	callers.Wait()
	var slowest time.Duration
	for kill, f := range fixtures {
		slowest = max(slowest, expectReleased(t, s, f, kill, o))
	}
	storetest.Audit(t, s)
	deadlines := "the service's own deadlines"
	if o.env != nil {
		deadlines = fmt.Sprint(o.env)
	}
	t.measured("stuck 0 of %d messages; with %s the credits were back %v after they were held at the latest; %d retries before that were told to wait",
		total*o.each, deadlines, slowest.Round(10*time.Millisecond), progress)
}

// repeat is a caller who repeats the message until it is answered, and once more. It returns how often it was told to wait.
func (one orphan) repeat(t *faultRow, c *http.Client, survivor *replica, f storetest.Fixture, message string, o orphanage) (told int) {
	send := func() (answer, error) {
		return ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), one.session, message, "Idempotency-Key", one.key)
	}
	first, err := send()
	for ; err == nil && first.outcome() == "request_in_progress"; first, err = send() {
		if told++; time.Since(one.died) > o.within+o.pause {
			t.Errorf("kill %d: a retry is still told to wait %v after the kill", one.kill, time.Since(one.died))
			return told
		}
		<-time.After(o.pause)
	}
	if told == 0 {
		t.Errorf("kill %d: the retry at once was not told to wait: %s %v", one.kill, first.outcome(), err)
	}
	if err != nil || first.Status != http.StatusOK || first.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("kill %d: the retry: %s %v", one.kill, first.outcome(), err)
		return told
	}
	again, err := send()
	if err != nil || string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("kill %d: the replay: %s %v", one.kill, again.outcome(), err)
	}
	return told
}

// expectReleased checks what the database has of one kill: each message failed once, not before its deadline and soon enough
// after, and was answered and charged once. It returns when the last credits were back, after the kill.
func expectReleased(t *faultRow, s *store.Store, f storetest.Fixture, kill int, o orphanage) time.Duration {
	t.Helper()
	var failed, early, answered, charges int
	var seconds float64
	err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE t.state = 'FAILED'),
			count(*) FILTER (WHERE t.state = 'FAILED' AND t.settled_at < t.deadline), count(*) FILTER (WHERE t.state = 'ANSWERED'),
			(SELECT count(*) FROM credit_entries e WHERE e.account_id = $1 AND e.kind = 'CHARGE'),
			coalesce(extract(epoch FROM max(t.settled_at - t.created_at) FILTER (WHERE t.state = 'FAILED')), 0)::float8
		FROM turns t WHERE t.account_id = $1`, f.Account.ID).Scan(&failed, &early, &answered, &charges, &seconds)
	if err != nil {
		t.Fatal(err)
	}
	if failed != o.each || early != 0 || answered != o.each || charges != o.each {
		t.Errorf("kill %d: of %d messages %d failed, %d of them before their deadline; %d were answered, with %d charges",
			kill, o.each, failed, early, answered, charges)
	}
	released := time.Duration(seconds * float64(time.Second)) // since the hold, which is longer than since the kill
	if released > o.within {
		t.Errorf("kill %d: the credits were back %v after they were held, want %v at most", kill, released, o.within)
	}
	if balance, held := (&pair{store: s}).credits(t, f); balance != 0 || held != 0 {
		t.Errorf("kill %d: balance %d, held %d", kill, balance, held)
	}
	return released
}
