package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// waitingChats is a service with few connections, whose model thinks until it is told to answer.
type waitingChats struct {
	row    *faultRow
	store  *store.Store
	http   *http.Client
	server *llmtest.Server
	r      *replica
	// slowest is the longest time from the model's answer until the last chat was answered.
	slowest time.Duration
}

const waiting, modelDelay = 200, 2 * time.Second

// TestNoConnectionWhileModelGenerates: with a pool of 5, 200 chats wait for a model of 2 s at once, each with its hold, and the
// database sees nobody at work meanwhile. Then all are answered.
func TestNoConnectionWhileModelGenerates(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "F6")
	url := storetest.URL(t)
	p := &waitingChats{row: t, store: storetest.Open(t, url), http: client(t), server: llmtest.NewOpenAI(t, openAIKey)}
	auditor, err := store.Open(t.Context(), store.Config{URL: url, ApplicationName: "auditor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = auditor.Close() })
	t.audit(auditor)
	p.r = start(t, url, "DATABASE_MAX_CONNS=5", "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+p.server.URL+"/v1")
	for range faults.Times(1, 10) {
		p.round(t)
	}
	t.measured("0 connections in use while %d chats waited; the last was answered %v after the model", waiting,
		p.slowest.Round(10*time.Millisecond))
}

// think has all chats wait at once, and then answered.
func (p *waitingChats) round(t *faultRow) {
	t.Helper()
	f := storetest.Seed(t, p.store, storetest.Options{Credits: waiting, Model: openAIModel})
	answerNow := make(chan struct{})
	p.server.Always(func(e *llmtest.Exchange) {
		select { // however long a busy machine takes to have all of them wait
		case <-answerNow:
			llmtest.Text("Aye.")(e)
		case <-e.Over:
		}
	})
	counts := make(chan map[string]int, 1)
	go func() {
		counts <- parallel(waiting, waiting, func(int) string {
			got, err := ask(t.Context(), p.http, p.r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
	}()
	eventually(t, "all wait at once, each with its hold", func() bool {
		return p.server.UnderWay() == waiting && held(t, p.store, f) == waiting
	})
	thought := time.After(modelDelay)
	// The last begins end, and the background work has its moments: then nobody is at work while all chats still wait.
	eventually(t, "no connection is in use while the model thinks", func() bool { return p.connectionsIdle(t) })
	<-thought
	if n := p.server.UnderWay(); n != waiting {
		t.Errorf("%d chats still wait for the model", n)
	}
	answered := time.Now()
	close(answerNow)
	if got := <-counts; got["200"] != waiting {
		t.Errorf("%v", got)
	}
	p.slowest = max(p.slowest, time.Since(answered))
	if p.slowest > 4*modelDelay {
		t.Errorf("the last was answered %v after the model", p.slowest)
	}
	if balance, held := (&pair{store: p.store}).credits(t, f); balance != 0 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, p.store)
	t.ran(waiting)
}

// connectionsIdle says whether all the service's connections are idle.
func (p *waitingChats) connectionsIdle(t *faultRow) bool {
	t.Helper()
	var all, busy int
	err := p.store.DB().QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
		AND application_name <> 'auditor'`).Scan(&all, &busy)
	return err == nil && all > 0 && busy == 0
}
