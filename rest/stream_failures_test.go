package rest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// A request that fails before the first byte gets its true status, wherever it fails.
func TestAStreamIsRefusedWithItsTrueStatus(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	poor := storetest.Seed(t, b.store, storetest.Options{Credits: -1})
	for _, tc := range []struct {
		key, message string
		status       int
		code         string
	}{
		{apikey.Mint().Reveal(), "hi", 401, "unauthorized"},
		{poor.Key.Reveal(), "hi", 402, "insufficient_credits"},
		{b.fixture.Key.Reveal(), "[[sandbox fail=error]]", 502, "model_error"},
		{b.fixture.Key.Reveal(), "[[sandbox fail=blocked]]", 422, "content_blocked"},
		{b.fixture.Key.Reveal(), "[[sandbox fail=panic]]", 500, "internal"},
		{b.fixture.Key.Reveal(), "[[sandbox fail=timeout]]", 504, "model_timeout"},
	} {
		text := request(tc.key, `{"message":"`+tc.message+`"}`, "Accept: text/event-stream")
		sendRaw(t, b.address, text)[0].refused(t, tc.status, tc.code)
	}
	storetest.Audit(t, b.store)
}

// A provider that fails after the first text costs nothing. A reply that the safety rules cut off
// is charged: the caller may have provoked that.
func TestAModelThatFailsInTheMiddle(t *testing.T) {
	t.Parallel()
	for directive, want := range map[string]struct {
		last, code string
		credits    int64
	}{"fail=error": {"error", "model_error", 0}, "fail=blocked": {"end", "", 1}} {
		b := newBench(t, storetest.Options{}, nil)
		body := `{"message":"[[sandbox ` + directive + ` after=20]]","session_id":"s","stream":true}`
		r := b.post(t, body, "Idempotency-Key: one")
		s := parseStream(t, r)
		if want := []string{"start", "delta", want.last}; !slices.Equal(s.names, want) {
			t.Fatalf("events %v, want %v", s.names, want)
		}
		if len(strings.Fields(s.text)) != 20 || s.fail.Error.Code != want.code {
			t.Errorf("error %+v after %q", s.fail, s.text)
		}
		if want.code != "" && (s.fail.Error.Details == nil || s.fail.RequestID != r.Header.Get("X-Request-Id")) {
			t.Errorf("error %+v", s.fail)
		}
		if a := b.access(t); a.Status != http.StatusOK || a.Code != want.code || a.Credits != want.credits {
			t.Errorf("recorded as %+v", a)
		}
		if balance, held := b.credits(t); balance != 100-want.credits || held != 0 {
			t.Errorf("%s: balance %d, held %d", directive, balance, held)
		}
		storetest.Audit(t, b.store)
		after := b.post(t, `{"message":"[[sandbox history]]","session_id":"s"}`)
		if strings.Contains(after.text, directive) {
			t.Errorf("the turn is in the context: %s", after.text)
		}
		b.access(t)
		if want.credits == 0 {
			continue
		}
		if !strings.Contains(string(s.end), `"finish_reason":"content_blocked"`) {
			t.Errorf("ended with %s", s.end)
		}
		again := b.post(t, strings.Replace(body, `"stream":true`, `"stream":false`, 1), "Idempotency-Key: one")
		if got := again.answer(t); got.FinishReason != "content_blocked" || got.Reply != s.text {
			t.Errorf("the retry: %+v", got)
		}
		if a := b.access(t); again.Header.Get("Idempotent-Replayed") != "true" || !a.Replayed || a.Credits != 0 {
			t.Errorf("the retry was recorded as %+v, with headers %v", a, again.Header)
		}
	}
}

// A panic fails only its own request: it aborts the stream, so that the caller retries, or answers
// 500 before the first byte.
func TestAPanicInAStream(t *testing.T) {
	t.Parallel()
	b, heard := &journal{}, make(chan struct{})
	api := rest.New(rest.Config{Logger: b.logger(),
		Chat: scripted(func(_ context.Context, s chat.Stream) (chat.Result, error) {
			s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
			s.Text("Hello")
			<-heard
			panic("on purpose")
		})})
	reader := open(t, serve(t, api))
	if e, err := readEvent(reader); e.name != "start" {
		t.Fatalf("event %+v, %v", e, err)
	}
	close(heard)
	for {
		e, err := readEvent(reader)
		if e.name == "end" || e.name == "error" {
			t.Fatalf("event %+v", e)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				t.Error("the stream ended as if it were whole")
			}
			break
		}
	}
	eventually(t, func() bool { return strings.Contains(b.String(), "on purpose") })
	silent := rest.New(rest.Config{Chat: scripted(func(context.Context,
		chat.Stream) (chat.Result, error) {
		panic("again")
	})})
	text := request(apikey.Mint().Reveal(), `{"message":"hi","stream":true}`)
	sendRaw(t, serve(t, silent), text)[0].refused(t, http.StatusInternalServerError, "internal")
}
