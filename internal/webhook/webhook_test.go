package webhook_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/mail"
	"agentchat/internal/mail/mailtest"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/operator"
	"agentchat/internal/webhook"
)

// TestSign checks the example of the specification.
func TestSign(t *testing.T) {
	t.Parallel()
	key, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := webhook.Sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`))
	if got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Error(got)
	}
}

// TestStandardWebhooksReadsAnEvent verifies a post with the npm library.
func TestStandardWebhooksReadsAnEvent(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	r.signUps(t, "ada@example.com")
	r.run(t, r.DB)
	r.tried(t, 0)
	owner, err := operator.On(r.DB).AccountByEmail(t.Context(), "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	event := verified(t, r.posts()[0], secret)
	if event.Type != "account.signed_up" || time.Since(event.Timestamp).Abs() > time.Minute ||
		fmt.Sprint(event.Data) != fmt.Sprintf("map[account_id:%s]", owner.ID) {
		t.Errorf("%+v", event)
	}
}

// event is the body of a post.
type event struct {
	Type      string
	Timestamp time.Time
	Data      map[string]any
}

// verified returns the event of a post after the npm library has verified it with each secret, in
// either form, and refused a changed body.
func verified(t *testing.T, p post, secrets ...string) (e event) {
	t.Helper()
	headers := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers[name] = p.header.Get(name)
	}
	input, _ := json.Marshal(map[string]any{"body": p.body, "headers": headers, "secrets": secrets})
	node := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", `
		import { readFileSync } from "node:fs";
		import { Webhook } from "standardwebhooks";
		const { body, headers, secrets } = JSON.parse(readFileSync(0, "utf8"));
		for (const raw of secrets) {
			const hook = new Webhook("whsec_" + Buffer.from(raw).toString("base64"));
			for (const change of [[body + " ", headers], [body, { ...headers, "webhook-id": "other" }]]) {
				let refused = false;
				try { hook.verify(...change); } catch { refused = true; }
				if (!refused) throw new Error("a change was not noticed");
			}
			new Webhook(raw, { format: "raw" }).verify(body, headers);
			hook.verify(body, headers);
		}`)
	node.Dir, node.Stdin = "../../frontend", strings.NewReader(string(input))
	if out, err := node.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := json.Unmarshal([]byte(p.body), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestReceiverIsDown shows that after any answer except 410 the same event is posted again, with a
// new time and signature. Redirects are not followed, and only the needed part of an answer is
// read.
func TestReceiverIsDown(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		elsewhere.Add(1)
	}))
	defer other.Close()
	r.signUps(t, "ada@example.com")
	r.run(t, r.DB)
	code := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	tries := []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"broken", code(500), "answered 500"},
		{"unknown", code(404), "answered 404"},
		{"redirected", func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, other.URL, http.StatusTemporaryRedirect)
		}, "answered 307"},
		{"silent", func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, "Timeout"},
		{"cut off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		{"endless", func(w http.ResponseWriter, q *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			for q.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 64<<10))
			}
		}, "answered 503"},
	}
	for i, c := range tries {
		r.answers(c.answer)
		r.hurry(t)
		until(t, c.name, func() bool {
			found, err := notifications.On(r.DB).Unsent(t.Context(), notifications.WebhookKind)
			return err == nil && len(found) == 1 && int(found[0].Tries) >= i+1 &&
				strings.Contains(found[0].Error, c.want)
		})
		if found := r.tried(t, 1)[0]; found.FailedAt != nil || strings.Contains(found.Error, "hunter2") {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
	r.answers(nil)
	r.hurry(t)
	r.tried(t, 0)
	posts := r.posts()
	for _, p := range posts {
		if p.body != posts[0].body || p.header.Get("webhook-id") != posts[0].header.Get("webhook-id") {
			t.Errorf("the tries differ: %+v, %+v", posts[0], p)
		}
	}
	if elsewhere.Load() > 0 {
		t.Error("a redirect was followed")
	}
	r.log.Lock()
	defer r.log.Unlock()
	if strings.Contains(r.log.String(), "hunter2") ||
		!strings.Contains(r.log.String(), "agentchat webhook list says why") {
		t.Errorf("the log: %s", r.log)
	}
}

func TestGoneEndsAnEvent(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	r.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	r.signUps(t, "ada@example.com")
	r.run(t, r.DB)
	found := r.tried(t, 1)[0]
	if found.FailedAt == nil || found.Tries != 1 || !strings.Contains(found.Error, "410") {
		t.Errorf("%+v", found)
	}
	r.answers(nil)
	by := audit.Entry{Actor: audit.ByOperator, Action: "webhook retry"}
	if n, err := notifications.On(r.DB).Retry(t.Context(), notifications.MailKind, found.ID, by); n != 0 || err != nil {
		t.Errorf("as a mail: %d, %v", n, err)
	}
	if n, err := notifications.On(r.DB).Retry(t.Context(), notifications.WebhookKind, found.ID, by); n != 1 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
	r.tried(t, 0)
}

// TestASlowReceiverDelaysNoMail shows that a receiver that hangs delays no mail, and that its
// events are sent later, even by another replica after the first was killed.
func TestASlowReceiverDelaysNoMail(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	entered := make(chan struct{}, 100)
	r.answers(func(_ http.ResponseWriter, q *http.Request) {
		entered <- struct{}{}
		<-q.Context().Done()
	})
	r.signUps(t, "ada@example.com", "bob@example.com")
	stop := r.run(t, r.DB)
	<-entered
	server := mailtest.Start(t, nil, false)
	mails, err := mail.NewWorker(mail.Config{Store: r.open(t), LookEvery: 20 * time.Millisecond, Panel: "https://chat.example.com",
		Server: mail.Server{URL: server.URL(), From: &netmail.Address{Address: "chat@example.com"}}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	start(t, mails.Worker)
	r.exec(t, `INSERT INTO outbox (id, kind, message, address) VALUES (gen_random_uuid(), 'MAIL', 'SECOND_FACTOR_ON', 'ada@example.com')`)
	until(t, "the mail has arrived", func() bool { return len(server.Messages()) == 1 })
	stop()
	// This replica is killed.
	if _, err := notifications.On(r.DB).ClaimOutgoing(t.Context(), notifications.WebhookKind); err != nil {
		t.Fatal(err)
	}
	r.answers(nil)
	r.run(t, r.open(t))
	r.hurry(t)
	r.tried(t, 0)
	ids := map[string]bool{}
	for _, p := range r.posts() {
		ids[p.header.Get("webhook-id")] = true
	}
	if len(ids) != 2 {
		t.Errorf("%d events arrived, want 2", len(ids))
	}
}

func TestParseURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://shop.example.com/hooks?token=x": "", "https://u:hunter2@shop.example.com": "", "http://localhost:3000/x": "",
		"http://127.0.0.1:3000": "", "http://[::1]/": "",
		"http://shop.example.com": "must begin with https://", "ftp://shop.example.com": "must begin with https://",
		"http://localhost.example.com": "must begin with https://",
		"https://":                     "is not a valid URL", "shop.example.com": "is not a valid URL",
		"https://u:hunter2@shop:port/": "is not a valid URL", "https://shop.example.com/#x": "is not a valid URL",
	} {
		err := webhook.ParseURL(text)
		if (err == nil) != (want == "") ||
			err != nil && (!strings.HasPrefix(err.Error(), want) ||
				strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestParseSecret(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("s", 32)
	for text, want := range map[string]string{
		long: long, "whsec_" + base64.StdEncoding.EncodeToString([]byte(long)): long,
		long[1:]: "", "": "", "whsec_": "", "whsec_" + long[:31]: "", "whsec_" + base64.StdEncoding.EncodeToString([]byte(long[1:])): "",
	} {
		got, err := webhook.ParseSecret(text)
		if string(got) != want || (err == nil) != (want != "") ||
			err != nil && strings.Contains(err.Error(), "sss") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}
