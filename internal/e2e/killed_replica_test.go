package e2e_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// interrupted is a message whose process was killed while the model generated, and the caller who retries it.
type interrupted struct {
	kill         int
	key, session string
	killed       time.Time
}

// deadlines is how long turns may take: the service's defaults at full length, shorter ones otherwise.
type deadlines struct {
	env []string
	// pause is how long a caller waits between retries.
	pause time.Duration
	// within is how soon after the hold the credits must be released.
	within time.Duration
}

// perKill is the number of messages that are in progress when a process is killed.
const perKill = 3

func chooseDeadlines() deadlines {
	if faults.Full() {
		return deadlines{pause: 10 * time.Second, within: 150 * time.Second}
	}
	return deadlines{env: []string{"MODEL_TIMEOUT=3s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}, pause: 50 * time.Millisecond,
		within: 30 * time.Second}
}

// TestKillBetweenHoldAndSettle: processes are killed one after another, each with messages whose credits are held. The credits are
// released by themselves. Until then, a retry gets request_in_progress; after that, it runs once.
func TestKillBetweenHoldAndSettle(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F4")
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	t.audit(s)
	d, total := chooseDeadlines(), faults.Times(4, 200)
	answering, hanging := llmtest.NewOpenAI(t, openAIKey), llmtest.NewOpenAI(t, openAIKey)
	hanging.Always(llmtest.Hang())
	startWith := func(model *llmtest.Server) *replica {
		return start(t, url, append([]string{"OPENAI_API_KEY=" + openAIKey, "OPENAI_BASE_URL=" + model.URL + "/v1"}, d.env...)...)
	}
	survivor := startWith(answering)
	var callers sync.WaitGroup
	var mu sync.Mutex
	waits, fixtures := 0, make([]storetest.Fixture, total)
	for kill := range total {
		f := storetest.Seed(t, s, storetest.Options{Credits: perKill, Model: openAIModel})
		fixtures[kill] = f
		victim := startWith(hanging)
		messages := make([]interrupted, perKill)
		var sent sync.WaitGroup
		for i := range messages {
			messages[i] = interrupted{kill: kill, key: uuid.NewString(), session: uuid.NewString()}
			sent.Go(func() {
				got, err := ask(t.Context(), c, victim.Chat, f.Key.Reveal(), messages[i].session, "hello", "Idempotency-Key", messages[i].key)
				if err == nil {
					t.Errorf("kill %d: the killed process answered %s", kill, got.outcome())
				}
			})
		}
		eventually(t, "the holds", func() bool { return held(t, s, f) == perKill })
		victim.kill()
		killed := time.Now()
		sent.Wait()
		for _, m := range messages {
			m.killed = killed
			callers.Go(func() {
				n := m.retry(t, c, survivor, f, d)
				mu.Lock()
				defer mu.Unlock()
				waits += n
			})
		}
		t.ran(1)
	}
	callers.Wait()
	var slowest time.Duration
	for kill, f := range fixtures {
		slowest = max(slowest, expectReleased(t, s, f, kill, d))
	}
	storetest.Audit(t, s)
	settings := "the default deadlines"
	if d.env != nil {
		settings = fmt.Sprint(d.env)
	}
	t.measured("stuck 0 of %d messages; with %s, credits were released at most %v after the hold; %d earlier retries got request_in_progress",
		total*perKill, settings, slowest.Round(10*time.Millisecond), waits)
}

// retry sends the message until it is answered, and once more. It returns how many retries got request_in_progress.
func (m interrupted) retry(t *faultRow, c *http.Client, survivor *replica, f storetest.Fixture, d deadlines) (waits int) {
	send := func() (answer, error) {
		return ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), m.session, "hello", "Idempotency-Key", m.key)
	}
	first, err := send()
	for ; err == nil && first.outcome() == "request_in_progress"; first, err = send() {
		if waits++; time.Since(m.killed) > d.within+d.pause {
			t.Errorf("kill %d: a retry still gets request_in_progress %v after the kill", m.kill, time.Since(m.killed))
			return waits
		}
		<-time.After(d.pause)
	}
	if waits == 0 {
		t.Errorf("kill %d: the immediate retry did not get request_in_progress: %s %v", m.kill, first.outcome(), err)
	}
	if err != nil || first.Status != http.StatusOK || first.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("kill %d: the retry: %s %v", m.kill, first.outcome(), err)
		return waits
	}
	again, err := send()
	if err != nil || string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("kill %d: the replay: %s %v", m.kill, again.outcome(), err)
	}
	return waits
}

// expectReleased checks a killed process's messages in the database: each failed once, at or after its deadline and soon enough, and
// then was answered and charged once. It returns the longest time from a hold to its release.
func expectReleased(t *faultRow, s *store.Store, f storetest.Fixture, kill int, d deadlines) time.Duration {
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
	if failed != perKill || early != 0 || answered != perKill || charges != perKill {
		t.Errorf("kill %d: of %d messages, %d failed, %d of them before their deadline; %d were answered, with %d charges",
			kill, perKill, failed, early, answered, charges)
	}
	released := time.Duration(seconds * float64(time.Second))
	if released > d.within {
		t.Errorf("kill %d: the credits were released %v after the hold, want at most %v", kill, released, d.within)
	}
	if balance, held := (&pair{store: s}).credits(t, f); balance != 0 || held != 0 {
		t.Errorf("kill %d: balance %d, held %d", kill, balance, held)
	}
	return released
}
