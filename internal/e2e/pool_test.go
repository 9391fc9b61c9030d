package e2e_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// waitingChats is a replica with few database connections, whose model generates until the test releases it.
type waitingChats struct {
	t      *testing.T
	store  *store.DB
	http   *http.Client
	server *llmtest.Server
	r      *replica
}

const waiting = 200

// TestNoConnectionWhileModelGenerates: with a pool of 5 connections, 200 chats wait for a model at the same time, each with its hold,
// and no connection is in use. Then all are answered.
func TestNoConnectionWhileModelGenerates(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	url := storetest.URL(t)
	p := &waitingChats{t: t, store: storetest.Open(t, url), http: client(t), server: llmtest.NewOpenAI(t, openAIKey)}
	auditor, err := store.Open(t.Context(), store.Config{URL: url, ApplicationName: "auditor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = auditor.Close() })
	auditing(t, auditor)
	p.r = start(t, url, "DATABASE_MAX_CONNS=5", "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+p.server.URL+"/v1")
	p.round(t)
}

// round lets all chats wait at the same time, and then answers them.
func (p *waitingChats) round(t *testing.T) {
	t.Helper()
	f := storetest.Seed(t, p.store, storetest.Options{Credits: waiting, Model: openAIModel})
	answerNow := make(chan struct{})
	p.server.Always(func(e *llmtest.Call) {
		select { // a busy machine may need long until all of them wait
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
	eventually(t, "all chats wait, each with its hold", func() bool {
		return p.server.UnderWay() == waiting && held(t, p.store, f) == waiting
	})
	// The last turns may still be beginning, and background work runs now and then.
	eventually(t, "no connection is in use while the model generates", func() bool { return p.connectionsIdle(t) })
	if n := p.server.UnderWay(); n != waiting {
		t.Errorf("%d chats wait for the model", n)
	}
	close(answerNow)
	if got := <-counts; got["200"] != waiting {
		t.Errorf("%v", got)
	}
	if balance, held := (&pair{store: p.store}).credits(t, f); balance != 0 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
	storetest.Audit(t, p.store)
}

// connectionsIdle reports whether all the service's connections are idle.
func (p *waitingChats) connectionsIdle(t *testing.T) bool {
	t.Helper()
	var all, busy int
	err := p.store.SQL().QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
		AND application_name <> 'auditor'`).Scan(&all, &busy)
	return err == nil && all > 0 && busy == 0
}
