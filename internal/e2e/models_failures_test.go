package e2e_test

import (
	"net/http"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// modelFailure is a failure of a model's server, and the status and code for it.
type modelFailure struct {
	name   string
	reply  llmtest.Reply
	status int
	code   string
	// ends is the finish reason with which a stream ends instead, once text was sent; "" if it fails like a whole reply.
	ends string
}

// modelFailures are the failures that every wire format has; the adapters' tests have the others.
func modelFailures(key string) []modelFailure {
	nothing := func(int) {}
	return []modelFailure{
		{"blocked reply", llmtest.Blocked(""), 422, "content_blocked", ""},
		{"cut before any text", llmtest.Cut(""), 502, "model_error", ""},
		{"413", llmtest.Status(413), 502, "model_error", ""},
		{"429", llmtest.Status(429), 503, "model_unavailable", ""},
		{"429 with Retry-After", llmtest.Status(429, "Retry-After", "17"), 503, "model_unavailable", ""},
		{"garbage", llmtest.Garbage(), 502, "model_error", ""},
		{"a NUL", llmtest.Raw("a\x00b"), 502, "model_error", ""},
		{"a web page", llmtest.HTML(), 502, "model_error", ""},
		{"an empty body", llmtest.Body("application/json"), 502, "model_error", ""},
		{"cut off", llmtest.CutOff("half of ", "an answer"), 502, "model_error", ""},
		{"connection closed", llmtest.Drop(), 502, "model_error", ""},
		{"a text of 1 GB", llmtest.EndlessText(1<<30, nothing), 502, "model_error", ""},
		{name: "endless chunks", reply: llmtest.EndlessPieces(1<<30, nothing), status: 502, code: "model_error", ends: "length"},
		{"1 GB compressed", llmtest.GzipBomb(1 << 30), 502, "model_error", ""},
		{"a redirect", llmtest.Redirect(307, "http://127.0.0.1:1/"), 502, "model_error", ""},
		{"a redirect to GET", llmtest.Redirect(303, "http://127.0.0.1:1/"), 502, "model_error", ""},
		{"fails after a text", llmtest.FailAfter("So far so"), 502, "model_error", ""},
		{"500", llmtest.Status(500), 502, "model_error", ""},
		{"503", llmtest.Status(503), 503, "model_unavailable", ""},
		{"a web page with 502", llmtest.StatusBody(502, "<html>"+providerText(key)), 503, "model_unavailable", ""},
	}
}

// expectFailures checks that every failure of a model's server gives one documented code, costs nothing unless text was sent and paid
// for, releases its hold, and leaves no reply and nothing in the conversation; and that the process grows by less than 50 MB.
func (h *modelReplica) expectFailures(t *testing.T, failures []modelFailure) {
	t.Helper()
	auditing(t, h.store)
	h.server.Next(llmtest.Text("Aye."))
	if got := h.say(t, "s", "Ahoy"); got.Status != 200 {
		t.Fatalf("the first message: %d %s", got.Status, got.Body)
	}
	before, peak := h.ledger(t), h.r.peakMemory(t)
	for _, c := range failures {
		t.Run(c.name, func(t *testing.T) {
			before = h.answered(t, 3) // five failures alone would open the circuit
			h.server.Always(c.reply)
			got := h.say(t, "s", "Tell me of "+privateText)
			h.expectRefusal(t, got, c.status, c.code)
			if h.expectStreamedRefusal(t, c) {
				before = before.charged()
			}
			if l := h.ledger(t); l != before {
				t.Errorf("the ledger is %+v, want %+v", l, before)
			}
		})
	}
	grown := h.r.peakMemory(t) - peak
	if grown > 50<<20 {
		t.Errorf("the process grew by %d bytes", grown)
	}
	h.server.Always(llmtest.Text("Aye, still."))
	if got, streamed := h.sayStreamed(t, "Are you there?"); !streamed || got.Reply != "Aye, still." {
		t.Errorf("afterwards, streamed: %d %s", got.Status, got.Body)
	}
	if got := h.say(t, "s", "Are you there?"); got.Status != 200 || got.Reply != "Aye, still." {
		t.Errorf("afterwards: %d %s", got.Status, got.Body)
	}
	if l := h.ledger(t); l != before.charged().charged() {
		t.Errorf("the ledger at the end is %+v, want %+v", l, before.charged().charged())
	}
	storetest.Audit(t, h.store)
}

// expectTimeouts checks that a server that never answers, or stops answering, gives model_timeout after MODEL_TIMEOUT, or ends a stream that has
// begun, and that the request to it ends. Replies before each failure keep the circuit breaker closed, which five failures would open.
func (h *modelReplica) expectTimeouts(t *testing.T) {
	t.Helper()
	auditing(t, h.store)
	for name, reply := range map[string]llmtest.Reply{
		"no reply": llmtest.Hang(), "half a reply": llmtest.HangAfter("So far so"),
		"a byte at a time": llmtest.Slow(200*time.Millisecond, "So far so slow"),
	} {
		t.Run(name, func(t *testing.T) {
			before := h.answered(t, 3)
			h.server.Always(reply)
			h.expectRefusal(t, h.say(t, "s", privateText), http.StatusGatewayTimeout, "model_timeout")
			<-h.server.Done() // the request to the model has ended too
			if h.expectStreamedRefusal(t, modelFailure{status: http.StatusGatewayTimeout, code: "model_timeout", ends: "timeout"}) {
				before = before.charged()
			}
			if l := h.ledger(t); l != before {
				t.Errorf("the ledger is %+v, want %+v", l, before)
			}
			<-h.server.Done()
		})
	}
	h.answered(t, 1)
	storetest.Audit(t, h.store)
}

// answered sends some messages that are answered, and returns the ledger after them.
func (h *modelReplica) answered(t *testing.T, messages int) ledger {
	t.Helper()
	h.server.Always(llmtest.Text("Aye."))
	want := h.ledger(t)
	for range messages {
		got := h.say(t, "", "Ahoy")
		<-h.server.Done()
		if want = want.charged(); got.Status != http.StatusOK || h.ledger(t) != want {
			t.Errorf("a message to an answering model: %d %s, %+v", got.Status, got.Body, h.ledger(t))
		}
	}
	return want
}
