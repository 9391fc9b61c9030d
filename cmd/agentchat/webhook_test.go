package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/store/storetest"
)

const webhookKey = "WEBHOOK_SECRET=hunter2 hunter2 hunter2 hunter2 "

// hooked starts a service with a receiver of webhooks, and returns functions to set the receiver's
// status and to read the bodies.
func hooked(t *testing.T) (o commandLine, answer func(int), bodies func() []string) {
	t.Helper()
	var mu sync.Mutex
	var came []string
	code := http.StatusOK
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(code)
		if code == http.StatusOK {
			came = append(came, string(body))
		}
	}))
	t.Cleanup(receiver.Close)
	env := onDatabase(t, storetest.URL(t), "WEBHOOK_URL="+receiver.URL, webhookKey+"x")
	return commandLine{t: t, service: startService(t, env), env: env},
		func(to int) { mu.Lock(); defer mu.Unlock(); code = to },
		func() []string { mu.Lock(); defer mu.Unlock(); return append([]string(nil), came...) }
}

// TestCommandsSendEvents tests that a command causes one event, or none if it changes nothing.
func TestCommandsSendEvents(t *testing.T) {
	t.Parallel()
	o, _, bodies := hooked(t)
	without := changed(o.env, "WEBHOOK_SECRET=")
	invoke(t, without, goodPassword, "account", "create", "--email", "a@example.com", "--name", "A").
		expectLine(t, exitUsage, "belong together")
	o.create("Ada")
	for _, command := range []string{"suspend", "suspend", "resume", "resume"} {
		o.do("account", command, "--email", "ada@example.com")
	}
	id := o.do("account", "show", "--email", "ada@example.com")["id"]
	until(t, "the events have come", func() bool { return len(bodies()) >= 3 })
	var types []string
	for _, body := range bodies() {
		var event struct {
			Type string
			Data map[string]any
		}
		if err := json.Unmarshal([]byte(body), &event); err != nil || event.Data["account_id"] != id ||
			len(event.Data) != 1 {
			t.Errorf("%s: %v", body, err)
		}
		types = append(types, event.Type)
	}
	if got := strings.Join(types, " "); got != "account.signed_up account.suspended account.resumed" {
		t.Errorf("it received %s", got)
	}
}

func TestWebhooksThatFail(t *testing.T) {
	t.Parallel()
	o, answer, bodies := hooked(t)
	answer(http.StatusGone)
	o.create("Ada")
	ready := func() string { return read(t, o.Ops+"/readyz?verbose") }
	until(t, "it has failed",
		func() bool { return strings.Contains(ready(), `"webhooks":"0 waiting, 1 failed"`) })
	if got := read(t, o.Ops+"/metrics"); !strings.Contains(got, "\nagentchat_webhooks_failed 1\n") ||
		!strings.Contains(got, "\nagentchat_mails_failed 0\n") {
		t.Errorf("the metrics: %s", got)
	}
	r := invoke(t, o.env, "", "webhook", "list")
	if r.code != exitOK || !strings.Contains(r.stdout, `failed  account.signed_up  {"account_id":"`) ||
		!strings.Contains(r.stdout, "tries: 1  the receiver answered 410") {
		t.Errorf("webhook list: %+v", r)
	}
	if r := invoke(t, o.env, "", "doctor"); r.code != exitFailed ||
		!strings.Contains(r.stdout, "Webhooks that could not be sent: 1. See agentchat webhook list") {
		t.Errorf("doctor: %+v", r)
	}
	listed := o.do("webhook", "list")["webhooks"].([]any)[0].(map[string]any)
	answer(http.StatusOK)
	invoke(t, o.env, "", "mail", "retry", "--id", listed["id"].(string)).
		expectLine(t, exitFailed, "no failed mail")
	if got := o.do("webhook", "retry", "--id", listed["id"].(string)); got["webhooks"] != 1.0 {
		t.Errorf("webhook retry: %v", got)
	}
	until(t, "it was taken", func() bool { return len(bodies()) == 1 })
	until(t, "none is left",
		func() bool { return strings.Contains(ready(), `"webhooks":"0 waiting, 0 failed"`) })
	if r := invoke(t, o.env, "", "webhook", "list"); r.stdout != "No webhook is waiting or has failed.\n" {
		t.Errorf("webhook list: %+v", r)
	}
	if strings.Contains(o.stderr.String(), "hunter2") {
		t.Errorf("the log: %s", o.stderr.String())
	}
}
