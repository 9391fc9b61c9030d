package e2e_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// interrupted is a message whose process was killed while the model generated, and the caller who retries it.
type interrupted struct {
	kill         int
	key, session string
	killed       time.Time
}

const (
	// perKill is the number of messages that are in progress when a process is killed.
	perKill = 3
	// releasedWithin is how soon after the hold the credits must be released, with the deadlines of this test.
	releasedWithin = 30 * time.Second
)

// TestKillBetweenHoldAndSettle: processes are killed one after another, each with messages whose credits are held. The credits are
// released by themselves. Until then, a retry gets request_in_progress; after that, it runs once.
func TestKillBetweenHoldAndSettle(t *testing.T) {
	testlong.Only(t)
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	auditing(t, s)
	const kills = 4
	answering, hanging := llmtest.NewOpenAI(t, openAIKey), llmtest.NewOpenAI(t, openAIKey)
	hanging.Always(llmtest.Hang())
	startWith := func(model *llmtest.Server) *replica {
		return start(t, url, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+model.URL+"/v1", "MODEL_TIMEOUT=3s", "HOLD_GRACE=1s",
			"REAP_INTERVAL=100ms")
	}
	survivor := startWith(answering)
	var callers sync.WaitGroup
	fixtures := make([]storetest.Fixture, kills)
	for kill := range kills {
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
			callers.Go(func() { m.retry(t, c, survivor, f) })
		}
	}
	callers.Wait()
	for kill, f := range fixtures {
		expectReleased(t, s, f, kill)
	}
	storetest.Audit(t, s)
}

// retry sends the message until it is answered, and once more.
func (m interrupted) retry(t *testing.T, c *http.Client, survivor *replica, f storetest.Fixture) {
	t.Helper()
	send := func() (answer, error) {
		return ask(t.Context(), c, survivor.Chat, f.Key.Reveal(), m.session, "hello", "Idempotency-Key", m.key)
	}
	waits := 0
	first, err := send()
	for ; err == nil && first.outcome() == "request_in_progress"; first, err = send() {
		if waits++; time.Since(m.killed) > releasedWithin {
			t.Errorf("kill %d: a retry still gets request_in_progress %v after the kill", m.kill, time.Since(m.killed))
			return
		}
		<-time.After(50 * time.Millisecond)
	}
	if waits == 0 {
		t.Errorf("kill %d: the immediate retry did not get request_in_progress: %s %v", m.kill, first.outcome(), err)
	}
	if err != nil || first.Status != http.StatusOK || first.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("kill %d: the retry: %s %v", m.kill, first.outcome(), err)
		return
	}
	again, err := send()
	if err != nil || string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("kill %d: the replay: %s %v", m.kill, again.outcome(), err)
	}
}

// expectReleased checks a killed process's messages in the database: each failed once, at or after its deadline and soon enough, and
// then was answered and charged once.
func expectReleased(t *testing.T, s *store.DB, f storetest.Fixture, kill int) {
	t.Helper()
	var failed, early, answered, charges int
	var seconds float64
	err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE t.state = 'FAILED'),
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
	if released > releasedWithin {
		t.Errorf("kill %d: the credits were released %v after the hold, want at most %v", kill, released, releasedWithin)
	}
	if balance, held := (&pair{store: s}).credits(t, f); balance != 0 || held != 0 {
		t.Errorf("kill %d: balance %d, held %d", kill, balance, held)
	}
}
