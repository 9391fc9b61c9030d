package webhook_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/conversation"
	"agentchat/internal/outgoing"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/webhooks"
	"agentchat/internal/webhook"
)

// owners is a receiver of owners' webhooks.
type owners struct {
	*receiver
	webhooks.Store
	tokens *auth.Tokens
}

func newOwners(t *testing.T) owners {
	t.Helper()
	r := newReceiver(t)
	tokens, err := auth.NewTokens([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return owners{r, webhooks.On(r.DB), tokens}
}

// account creates an account with a webhook, whose address has a path.
func (o owners) account(t *testing.T, path string) webhooks.Webhook {
	t.Helper()
	a, err := accounts.On(o.DB).CreateAccount(t.Context(),
		accounts.NewAccount{Email: uuid.NewString() + "@example.com", Name: "Ada", PasswordHash: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return o.add(t, a.ID, path)
}

func (o owners) add(t *testing.T, account uuid.UUID, path string) webhooks.Webhook {
	t.Helper()
	u, _ := url.Parse(o.url)
	id := uuid.Must(uuid.NewV7())
	w, err := o.Create(t.Context(), account, webhooks.New{ID: id, URL: u.JoinPath("..", path).String(),
		Events: []notifications.Event{notifications.MessageCompleted}, Secret: o.tokens.Encrypt(id, []byte(secret))})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// test queues an event.
func (o owners) test(t *testing.T, w webhooks.Webhook) webhooks.Delivery {
	t.Helper()
	d, err := o.Test(t.Context(), w.AccountID, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run starts a replica.
func (o owners) run(t *testing.T, sendWithin time.Duration) (stop func()) {
	t.Helper()
	u, _ := url.Parse(o.url)
	allow, err := outgoing.ParseAllow(u.Host)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, webhook.NewOwnerWorker(webhook.OwnerConfig{Store: o.DB, Tokens: o.tokens, Client: outgoing.New(allow),
		Logger: slog.New(slog.NewTextHandler(o.log, nil)), LookEvery: 100 * time.Millisecond, SendWithin: sendWithin}))
}

// retry makes all waiting events due.
func (o owners) retry(t *testing.T) {
	t.Helper()
	o.exec(t, `UPDATE webhooks SET wait_until = NULL`)
	o.exec(t, `UPDATE outbox SET due_at = clock_timestamp() WHERE due_at IS NOT NULL`)
}

// ended waits until the last try of an event has ended.
func (o owners) ended(t *testing.T, w webhooks.Webhook, d webhooks.Delivery) (now webhooks.Delivery) {
	t.Helper()
	until(t, "the event was tried", func() bool {
		var err error
		if now, err = o.Delivery(t.Context(), w.AccountID, d.ID); err != nil {
			t.Fatal(err)
		}
		return now.TookMS != nil
	})
	return now
}

// TestOwnersVerify shows that both secrets sign during a rotation, and only the new one afterwards.
func TestOwnersVerify(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	w := o.account(t, "hook")
	next := strings.ToUpper(secret)
	if _, err := o.Rotate(t.Context(), w.AccountID, w.ID, o.tokens.Encrypt(w.ID, []byte(next))); err != nil {
		t.Fatal(err)
	}
	o.run(t, 0)
	sent := o.ended(t, w, o.test(t, w))
	e := verified(t, o.posts()[0], secret, next)
	if o.posts()[0].header.Get("webhook-id") != sent.ID.String() || sent.SentAt == nil || *sent.Status != 200 ||
		e.Type != "webhook.test" || fmt.Sprint(e.Data) != fmt.Sprintf("map[account_id:%s]", w.AccountID) {
		t.Errorf("%+v; delivery %+v", e, sent)
	}
	o.exec(t, `UPDATE webhooks SET previous_until = now()`)
	o.ended(t, w, o.test(t, w))
	verified(t, o.posts()[1], next)
	if got := o.posts()[1].header.Get("webhook-signature"); strings.Contains(got, " ") {
		t.Errorf("after the rotation: %s", got)
	}
}

// TestTriesOfOwners shows what owners see of failed tries, and that a try that a shutdown
// interrupts does not count.
func TestTriesOfOwners(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	entered := make(chan struct{}, 9)
	o.answers(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/redirect":
			http.Redirect(w, q, "/elsewhere", http.StatusFound)
		case "/hang":
			entered <- struct{}{}
			<-q.Context().Done()
		}
	})
	stop := o.run(t, 0)
	hanging := o.account(t, "hang")
	cut := o.test(t, hanging)
	<-entered
	stop()
	if d, err := o.Delivery(t.Context(), hanging.AccountID, cut.ID); err != nil || d.Tries != 0 || d.Error != nil {
		t.Errorf("cut off: %+v, %v", d, err)
	}
	o.run(t, 200*time.Millisecond)
	for path, want := range map[string]string{"gone": "status 410", "redirect": "status 302", "hang": "timeout 0", "": "connect 0"} {
		w := o.account(t, path)
		if path == "" { // its secret is lost
			o.exec(t, `UPDATE webhooks SET secret = 'lost' WHERE id = $1`, w.ID)
		}
		d := o.ended(t, w, o.test(t, w))
		status := 0
		if d.Status != nil {
			status = *d.Status
		}
		if d.Error == nil || fmt.Sprint(*d.Error, " ", status) != want || d.Tries != 1 {
			t.Errorf("%s: %+v", path, d)
		}
		now, err := o.Webhook(t.Context(), w.AccountID, w.ID)
		if err != nil || (now.State == webhooks.StateFailing) != (path == "gone") {
			t.Errorf("%s: %+v, %v", path, now, err)
		}
	}
	for _, p := range o.posts() {
		if p.path == "/elsewhere" || p.path == "/" {
			t.Errorf("a post to %s", p.path)
		}
	}
}

// TestReceiverOfOwnersIsAway shows that each message arrives exactly once after an outage of the
// receiver.
func TestReceiverOfOwnersIsAway(t *testing.T) {
	t.Parallel()
	const messages = 1000
	o := newOwners(t)
	var back atomic.Bool
	var tries atomic.Int64
	o.answers(func(w http.ResponseWriter, _ *http.Request) {
		if tries.Add(1); !back.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	f := storetest.Seed(t, o.DB, storetest.Options{Credits: 2 * messages})
	w := o.add(t, f.Account.ID, "hook")
	o.run(t, 0)
	want := map[string]bool{}
	for n := range messages {
		var id uuid.UUID
		storetest.BeginTurn(t, o.DB, f.Key, func(b *turns.Begin) { id, b.Session = b.TurnID, fmt.Sprint("s", n%50) })
		storetest.FinishTurn(t, o.DB, id, conversation.Answered)
		want[id.String()] = true
		if n%200 == 0 { // the time passes
			before := tries.Load()
			o.retry(t)
			until(t, "a try failed", func() bool { return tries.Load() > before || n == 0 })
		}
	}
	away := len(o.posts())
	back.Store(true)
	until(t, "a try succeeded", func() bool {
		o.retry(t)
		now, err := o.Webhook(t.Context(), w.AccountID, w.ID)
		return err == nil && now.FailingSince == nil
	})
	o.retry(t)
	until(t, "all messages arrived", func() bool {
		var waiting int
		err := o.SQL().QueryRow(`SELECT count(*) + (SELECT count(*) FROM webhooks w JOIN accounts a ON a.id = w.account_id
			WHERE w.last_entry < a.entry_count) FROM outbox WHERE webhook_id IS NOT NULL AND due_at IS NOT NULL`).Scan(&waiting)
		return err == nil && waiting == 0
	})
	got, ids := map[string]bool{}, map[string]bool{}
	for _, p := range o.posts()[away:] {
		var e struct {
			Data struct {
				Messages []struct {
					MessageID string `json:"message_id"`
				}
			}
		}
		if err := json.Unmarshal([]byte(p.body), &e); err != nil || ids[p.header.Get("webhook-id")] {
			t.Errorf("%v, or the same event again: %s", err, p.body)
		}
		ids[p.header.Get("webhook-id")] = true
		for _, m := range e.Data.Messages {
			if got[m.MessageID] || !want[m.MessageID] {
				t.Errorf("message %s arrived twice, or is another account's", m.MessageID)
			}
			got[m.MessageID] = true
		}
	}
	if now, err := o.Webhook(t.Context(), w.AccountID, w.ID); err != nil || len(got) != messages || now.Dropped > 0 || now.FailingSince != nil {
		t.Errorf("%d messages arrived, want %d: %+v, %v", len(got), messages, now, err)
	}
}

// TestHangingReceivers shows that hanging receivers of 20 accounts delay another account's event by
// at most one request, and that requests in flight are limited.
func TestHangingReceivers(t *testing.T) {
	t.Parallel()
	o := newOwners(t)
	entered := make(chan string, 100)
	var inFlight, most atomic.Int64
	o.answers(func(_ http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/hook" {
			return
		}
		most.Store(max(most.Load(), inFlight.Add(1)))
		defer inFlight.Add(-1)
		entered <- q.URL.Path
		<-q.Context().Done()
	})
	for i := range 20 {
		w := o.account(t, fmt.Sprint("hang/", i))
		for range 3 {
			o.test(t, w)
		}
	}
	began := time.Now()
	o.run(t, 2*time.Second)
	hung := map[string]int{}
	for range 16 {
		hung[<-entered]++
	}
	w := o.account(t, "hook")
	d := o.test(t, w)
	until(t, "another account's event was sent", func() bool {
		now, err := o.Delivery(t.Context(), w.AccountID, d.ID)
		return err == nil && now.SentAt != nil
	})
	if took := time.Since(began); took > 20*time.Second || most.Load() > 16 {
		t.Errorf("after %s, with %d in flight", took, most.Load())
	}
	for len(entered) > 0 {
		hung[<-entered]++
	}
	for path, n := range hung {
		if n > 1 {
			t.Errorf("%s got %d requests within a minute", path, n)
		}
	}
}
