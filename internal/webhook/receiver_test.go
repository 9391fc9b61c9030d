package webhook_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/webhook"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const secret = "a secret of no less than 32 bytes"

// post is a request that the receiver got.
type post struct {
	header     http.Header
	path, body string
}

// receiver is the operator's program, with the database whose events it receives.
type receiver struct {
	*store.DB
	url, database string
	log           *lockedBuffer

	mu     sync.Mutex
	answer http.HandlerFunc
	came   []post
}

type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{database: storetest.URL(t), log: &lockedBuffer{}}
	r.DB = r.open(t)
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL + "/hooks?token=hunter2"
	return r
}

func (r *receiver) open(t *testing.T) *store.DB {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: r.database, Webhooks: true, Mail: true, OwnerWebhooks: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ServeHTTP accepts everything unless answer is set.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.came = append(r.came, post{request.Header, request.URL.Path, string(body)})
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		answer(w, request)
	}
}

func (r *receiver) answers(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) posts() []post {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]post(nil), r.came...)
}

// run starts a replica that posts, and returns the function that stops it.
func (r *receiver) run(t *testing.T, s *store.DB) (stop func()) {
	t.Helper()
	return start(t, webhook.NewWorker(webhook.Config{Store: s, URL: r.url, Secret: []byte(secret), LookEvery: 20 * time.Millisecond,
		SendWithin: time.Second, Logger: slog.New(slog.NewTextHandler(r.log, nil))}))
}

func start(t *testing.T, worker interface{ Run(context.Context) error }) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = worker.Run(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return stop
}

// signUps creates accounts, with one event each.
func (r *receiver) signUps(t *testing.T, emails ...string) {
	t.Helper()
	for _, email := range emails {
		if _, err := accounts.On(r.DB).CreateAccount(t.Context(), accounts.NewAccount{Email: email, Name: "Ada", PasswordHash: "x"}); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *receiver) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := r.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// hurry makes events due that wait for their next try.
func (r *receiver) hurry(t *testing.T) {
	t.Helper()
	r.exec(t, `UPDATE outbox SET due_at = clock_timestamp(), error = NULL WHERE due_at IS NOT NULL`)
}

// tried waits until no event can be tried now, and n are unsent.
func (r *receiver) tried(t *testing.T, n int) []notifications.UnsentMessage {
	t.Helper()
	var found []notifications.UnsentMessage
	until(t, "the events are tried", func() bool {
		var due int
		if err := r.SQL().QueryRow(`SELECT count(*) FROM outbox WHERE due_at <= clock_timestamp() + interval '30 s'
			OR due_at IS NOT NULL AND error IS NULL`).Scan(&due); err != nil {
			t.Fatal(err)
		}
		var err error
		if found, err = notifications.On(r.DB).Unsent(t.Context(), notifications.WebhookKind); err != nil {
			t.Fatal(err)
		}
		return due == 0 && len(found) == n
	})
	return found
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(30 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}
