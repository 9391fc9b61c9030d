package rest_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// TestBackgroundIsRefused tests which background messages are refused for their form, and that
// false is an ordinary message.
func TestBackgroundIsRefused(t *testing.T) {
	t.Parallel()
	on := newBench(t, storetest.Options{}, nil)
	off := serve(t, rest.New(rest.Config{Chat: scripted(nil), NoBackground: true}))
	const body, key = `{"message":"hi","background":true}`, "Idempotency-Key: k"
	for name, c := range map[string]struct {
		address, body, header string
		field, reason, says   string
	}{
		"without a key": {on.address, body, "Accept: */*", "Idempotency-Key", "missing",
			"A background message needs an Idempotency-Key: the same request asks for its reply."},
		"as a stream": {on.address, strings.Replace(body, `true`, `true,"stream":true`, 1), key, "stream", "invalid_value",
			"stream cannot be sent with background."},
		"switched off": {off, body, key, "background", "invalid_value",
			"Background messages are switched off."},
	} {
		p := sendRaw(t, c.address, request(on.fixture.Key.Reveal(), c.body, c.header))[0].
			refused(t, http.StatusBadRequest, "invalid_request")
		if p.Error.Details["field"] != c.field || p.Error.Details["reason"] != c.reason || p.Error.Message != c.says {
			t.Errorf("%s: %+v", name, p.Error)
		}
	}
	on.post(t, strings.Replace(body, "true", `false,"stream":false`, 1)).answer(t)
}

// background are the answers to a message in the background: 202 first, then its reply or its error,
// however often it is repeated. Accept does not count.
func (d *answersBench) background(t *testing.T) {
	t.Parallel()
	for directive, end := range map[string]call{
		"":                       {status: 200},
		"[[sandbox fail=error]]": {status: 502, code: "model_error"},
	} {
		end.body, end.described = `{"message":"Hello `+directive+`","background":true}`, true
		end.headers = []string{"Idempotency-Key: report-" + strconv.Itoa(end.status), "Accept: text/event-stream"}
		accepted := end
		accepted.status, accepted.code = 202, ""
		first := d.ask(t, accepted)
		if !strings.HasSuffix(first.text, `","status":"in_progress"}`+"\n") || first.Header.Get("Retry-After") != "5" {
			t.Errorf("accepted: %v %s", first.Header, first.text)
		}
		text := request(d.fixture.Key.Reveal(), end.body, end.headers...)
		for got := first; got.StatusCode == http.StatusAccepted; got = sendRaw(t, d.address, text)[0] {
			if got.text != first.text {
				t.Errorf("a poll: %s, at first %s", got.text, first.text)
			}
		}
		if last := d.ask(t, end); end.code == "" && last.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the reply: %v", last.Header)
		}
	}
}

// TestBackgroundInProgressIsNotListed tests that a message in progress is not recorded as a request
// without a turn.
func TestBackgroundInProgressIsNotListed(t *testing.T) {
	t.Parallel()
	accesses := make(chan rest.AccessRecord, 1)
	address := serve(t, rest.New(rest.Config{
		Chat: scripted(func(context.Context, chat.Stream) (chat.Result, error) {
			return chat.Result{Caller: caller(), InProgress: &chat.BegunTurn{Session: "s"}}, nil
		}),
		Observe: func(a rest.AccessRecord) { accesses <- a },
	}))
	sendRaw(t, address, request(apikey.Mint().Reveal(), `{"message":"hi","background":true}`, "Idempotency-Key: k"))
	if a := <-accesses; a.Status != http.StatusAccepted || a.Rejected != nil {
		t.Errorf("recorded as %d %+v", a.Status, a.Rejected)
	}
}
