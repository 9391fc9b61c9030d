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
	o.retries("webhook", "webhooks", `failed  account.signed_up  {"account_id":"`,
		"tries: 1  the receiver answered 410", func() { answer(http.StatusOK) })
	if got := bodies(); len(got) != 1 {
		t.Errorf("it was taken %d times", len(got))
	}
	if strings.Contains(o.stderr.String(), "hunter2") {
		t.Errorf("the log: %s", o.stderr.String())
	}
}

// retries tests what the operator sees of a message that has failed, and that it is sent again once
// the receiver works. state is the kind's name in /readyz; line and reason are listed.
func (o commandLine) retries(command, state, line, reason string, repair func()) {
	t := o.t
	t.Helper()
	ready := func(counts string) func() bool {
		return func() bool {
			return strings.Contains(read(t, o.Ops+"/readyz?verbose"), `"`+state+`":"`+counts+`"`)
		}
	}
	until(t, "it has failed", ready("0 waiting, 1 failed"))
	metrics := read(t, o.Ops+"/metrics")
	if !strings.Contains(metrics, "\nagentchat_"+command+"s_failed 1\n") {
		t.Errorf("the metrics: %s", metrics)
	}
	if r := invoke(t, o.env, "", command, "list"); r.code != exitOK ||
		!strings.Contains(r.stdout, line) || !strings.Contains(r.stdout, reason) {
		t.Errorf("list: %+v", r)
	}
	if r := invoke(t, o.env, "", "doctor"); r.code != exitFailed ||
		!strings.Contains(r.stdout, "s that could not be sent: 1.") {
		t.Errorf("doctor: %+v", r)
	}
	id := o.do(command, "list")[command+"s"].([]any)[0].(map[string]any)["id"].(string)
	for _, other := range []string{"mail", "webhook"} {
		if other != command {
			invoke(t, o.env, "", other, "retry", "--id", id).expectLine(t, exitFailed, "no failed "+other)
		}
	}
	repair()
	if got := o.do(command, "retry", "--id", id); got[command+"s"] != 1.0 {
		t.Errorf("retry: %v", got)
	}
	until(t, "none is left", ready("0 waiting, 0 failed"))
	invoke(t, o.env, "", command, "retry", "--id", id).expectLine(t, exitFailed, "no failed "+command)
	invoke(t, o.env, "", command, "retry").expectLine(t, exitUsage, "--all")
	if got := o.do(command, "retry", "--all"); got[command+"s"] != 0.0 {
		t.Errorf("retry --all: %v", got)
	}
	none := "No " + command + " is waiting or has failed.\n"
	if r := invoke(t, o.env, "", command, "list"); r.stdout != none {
		t.Errorf("list: %+v", r)
	}
}
