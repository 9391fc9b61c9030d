package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestRESTConnection: cases 11, 13 and 14, several requests on one connection.
func TestRESTConnection(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	t.Run("group", func(t *testing.T) {
		t.Run("row 11: no 100 for a wrong key", d.expectWithWrongKey)
		t.Run("row 11: 100 and a reply for a valid key", d.expectWithKey)
		t.Run("row 13: pipelining", d.pipeline)
		t.Run("row 13: the body of a rejected request is not read as a request", d.smuggle)
		t.Run("row 14: the key is removed between two requests", d.removeBetween)
		t.Run("request ids", d.requestIDs)
	})
}

func (d *deployment) expectWithWrongKey(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	before := d.figures(t, caller)
	for _, credentials := range []string{"Bearer {unknown}", "Bearer {changed}", "Basic {basic}"} {
		w := dial(t, d.chat())
		w.send(caller.fill(post("", "Authorization: "+credentials, asJSON, "Content-Length: 50", "Expect: 100-continue")))
		s := scenario{name: credentials, status: http.StatusUnauthorized, code: "unauthorized"}
		got := w.receive(http.MethodPost) // would be the 100
		d.checkAnswer(t, caller, s, got)
		d.checkFigures(t, caller, s, before, got)
	}
}

func (d *deployment) expectWithKey(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	before := d.figures(t, caller)
	body := caller.expand.Replace(hello)
	w := dial(t, d.chat())
	w.send(caller.fill(post("", authorized, asJSON, fmt.Sprint("Content-Length: ", len(body)), "Expect: 100-Continue")))
	if got := w.receive(http.MethodPost); got.Status != http.StatusContinue {
		t.Fatalf("before the body: %d, want 100", got.Status)
	}
	w.send(body)
	s := scenario{status: http.StatusOK}
	got := w.receive(http.MethodPost)
	d.checkAnswer(t, caller, s, got)
	d.checkFigures(t, caller, s, before, got)
	w.wantOpen(caller)
}

// pipeline sends requests of every kind at once. Each is answered in order, and none affects the next. The one in chunks is the last
// that is answered: it may have had a length too.
func (d *deployment) pipeline(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	key := "Idempotency-Key: once"
	requests := []struct {
		raw, outcome string
	}{
		{post(hello, authorized, asJSON), "200"}, {post(hello, authorized, asJSON, key), "200"}, {post(hello, authorized, asJSON, key), "200"},
		{post(`{"message":`, authorized, asJSON), "invalid_json"}, {post(hello, authorized, asJSON), "200"},
		{raw("POST /v1/nothing HTTP/1.1", hello, "Host: h", authorized), "not_found"},
		{raw("PUT /v1/agent/chat HTTP/1.1", hello, "Host: h", authorized), "method_not_allowed"},
		{raw("HEAD /v1/agent/chat HTTP/1.1", "", "Host: h"), "405"},
		{post(hello, "Authorization: Bearer no", asJSON), "unauthorized"}, {post(hello, authorized), "unsupported_media_type"},
		{post(hello, authorized, asJSON), "200"}, {post(chunks(`{"message":"in a chunk"}`), authorized, asJSON, chunked), "200"},
	}
	var all strings.Builder
	for i, r := range requests {
		line, rest, _ := strings.Cut(r.raw, "\r\n")
		all.WriteString(caller.fill(fmt.Sprintf("%s\r\nX-Request-Id: number-%d\r\n%s", line, i, rest)))
	}
	w := dial(t, d.chat())
	w.send(all.String() + caller.fill(post(hello, authorized, asJSON)))
	for i, r := range requests {
		method, _, _ := strings.Cut(r.raw, " ")
		got := w.receive(method)
		if id := got.Header.Get("X-Request-Id"); got.outcome() != r.outcome || id != fmt.Sprint("number-", i) {
			t.Errorf("response %d is %s for %s, want %s", i, got.outcome(), id, r.outcome)
		}
	}
	w.wantClosed()
	if after := d.figures(t, caller); after.Answered != 5 || after.Balance != 95 {
		t.Errorf("the figures are %+v, want 5 turns and a balance of 95", after)
	}
}

// smuggle puts a complete request into the body of a rejected request.
func (d *deployment) smuggle(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	before := d.figures(t, caller)
	inner := caller.fill(post(hello, authorized, asJSON))
	for _, outer := range []string{
		post(inner, "Authorization: Bearer no", asJSON), post(inner, authorized), post(inner, authorized, asJSON),
		raw("POST /v1/nothing HTTP/1.1", inner, "Host: h"), raw("GET /v1/agent/chat HTTP/1.1", inner, "Host: h"),
		raw("POST /v1/agent/chat HTTP/1.0", inner, authorized, asJSON, chunked), raw("POST /v1/agent/chat HTTP/1.0", "", authorized, asJSON) + inner,
		post(inner, authorized, asJSON, chunked),
	} {
		w := dial(t, d.chat())
		w.send(caller.fill(outer))
		w.closeWrite()
		if got := w.receive(http.MethodPost); got.Status < 400 || got.Status > 499 {
			t.Errorf("the outer request: %d %s", got.Status, excerpt(got.Body))
		}
		w.wantClosed()
	}
	if after := d.figures(t, caller); after != before {
		t.Errorf("the figures after the rejections are %+v, want %+v", after, before)
	}
}

func (d *deployment) removeBetween(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	w := dial(t, d.chat())
	w.wantOpen(caller)
	if _, err := d.store.RemoveExport(t.Context(), caller.Account.ID, caller.Export.ID); err != nil {
		t.Fatal(err)
	}
	before := d.figures(t, caller)
	w.send(caller.fill(post(hello, authorized, asJSON)))
	s := scenario{status: http.StatusUnauthorized, code: "unauthorized"}
	got := w.receive(http.MethodPost)
	d.checkAnswer(t, caller, s, got)
	d.checkFigures(t, caller, s, before, got)
}

// requestIDs checks that a well-formed request ID comes back and that any other is replaced by a new one.
func (d *deployment) requestIDs(t *testing.T) {
	t.Parallel()
	caller := d.newCaller(t, storetest.Options{})
	good := []string{"a", "A.b_c-9", strings.Repeat("x", 128)}
	bad := []string{"", "a b", "a/b", strings.Repeat("x", 129), "caf\xc3\xa9", "a\"b", "{key}{", "<script>"}
	for _, line := range []string{"POST /v1/agent/chat HTTP/1.1", "POST /v1/nothing HTTP/1.1"} {
		seen := map[string]bool{}
		for i, id := range append(good, bad...) {
			w := dial(t, d.chat())
			w.send(caller.fill(raw(line, hello, "Host: h", authorized, "X-Request-Id: "+id)))
			got := w.receive(http.MethodPost).Header.Values("X-Request-Id")
			if len(got) != 1 || seen[got[0]] || (got[0] == caller.expand.Replace(id)) != (i < len(good)) {
				t.Errorf("for X-Request-Id %q came %q", id, got)
				continue
			}
			seen[got[0]] = true
		}
		w := dial(t, d.chat())
		w.send(caller.fill(raw(line, hello, "Host: h", authorized, "X-Request-Id: one", "X-Request-Id: one")))
		if got := w.receive(http.MethodPost).Header.Values("X-Request-Id"); len(got) != 1 || got[0] == "one" {
			t.Errorf("for two request IDs came %q", got)
		}
	}
}
