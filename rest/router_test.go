package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/rest"
)

// requestLine sends a request without a body and returns the answer.
func requestLine(t *testing.T, address, line string, headers ...string) reply {
	t.Helper()
	return sendRaw(t, address,
		line+" HTTP/1.1\r\nHost: localhost\r\n"+strings.Join(append(headers, ""), "\r\n")+"\r\n")[0]
}

func TestOtherPathsAreNotFound(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	authorization := "Authorization: Bearer " + apikey.Mint().Reveal()
	for _, path := range []string{
		"/", "/v1", "/v1/", "/v1/agent", "/v1/agent/chat/", "/v1/agent/chat/x", "//v1//agent/chat", "//v1/agent/chat",
		"/v1/x/../agent/chat", "/v1/./agent/chat", "/V1/Agent/Chat", "/v1/agent/%63hat", "/v1%2Fagent/chat", "/v1/agent/chat;x",
		"/v1/agent/chat%20", "/v1/agent/chat%00", "/v2/agent/chat", "/v1/agents/chat", "/graphql", "/v1/agent/chat//",
	} {
		for _, method := range []string{"POST", "GET", "OPTIONS", "post", "FOO", "QUERY"} {
			r := requestLine(t, address, method+" "+path, authorization)
			p := r.refused(t, http.StatusNotFound, "not_found")
			if t.Failed() {
				t.Fatalf("%s %s: %+v", method, path, p)
			}
		}
	}
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	for _, method := range []string{
		"GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "post", "Post", "FOO", "POSTX",
	} {
		for _, extra := range [][]string{
			nil, {"X-HTTP-Method-Override: POST", "X-Method-Override: POST"},
			{"Origin: https://example.com", "Access-Control-Request-Method: POST"},
		} {
			r := requestLine(t, address, method+" "+rest.ChatPath, extra...)
			r.refused(t, http.StatusMethodNotAllowed, "method_not_allowed")
			if allow := r.Header.Values("Allow"); len(allow) != 1 || allow[0] != "POST" {
				t.Errorf("%s: Allow is %q", method, allow)
			}
		}
	}
}

func TestHeadHasNoBody(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	for path, status := range map[string]int{rest.ChatPath: http.StatusMethodNotAllowed,
		"/v1/other": http.StatusNotFound} {
		r := requestLine(t, address, "HEAD "+path)
		if r.StatusCode != status || r.text != "" {
			t.Errorf("HEAD %s: got %d with body %q, want %d without", path, r.StatusCode, r.text, status)
		}
		checkFrame(t, r)
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	const marker = "marker-51c2"
	for _, tc := range []struct {
		name     string
		endpoint func(refuse func(error))
		status   int // 0: the connection is cut
		logged   int
	}{
		{"with a text", func(func(error)) { panic(marker) }, 500, 1},
		{"of the runtime", func(func(error)) {
			var none *rest.AccessRecord
			_ = none.Code
		}, 500, 1},
		{"after the answer", func(refuse func(error)) {
			refuse(fault.New(fault.ModelError, ""))
			panic(marker)
		}, 0, 1},
		{"an answer that is not JSON", func(refuse func(error)) {
			refuse(&fault.Error{Kind: fault.ModelError, Details: map[string]any{marker: func() {}}})
		}, 500, 1},
		{"abort", func(func(error)) { panic(http.ErrAbortHandler) }, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			log, accesses := new(journal), make(chan rest.AccessRecord, 1)
			address := serve(t, rest.NewWithEndpoint(
				rest.Config{Logger: log.logger(), Observe: func(a rest.AccessRecord) { accesses <- a }}, tc.endpoint))
			conn, reader := dial(t, address)
			write(t, conn, request("k", `{"message":"hi"}`, "X-Request-Id: req-1"))
			if tc.status > 0 {
				r := receive(t, reader, http.MethodPost)
				r.refused(t, tc.status, "internal")
				if strings.Contains(r.text, marker) || strings.Contains(r.text, "goroutine") {
					t.Errorf("the client sees %s", r.text)
				}
			}
			closed(t, reader)
			access := <-accesses
			if tc.status > 0 && access.Status != tc.status {
				t.Errorf("recorded %+v", access)
			}
			if got := strings.Count(log.String(), `"msg":"panic"`); got != tc.logged {
				t.Errorf("logged %d panics: %s", got, log)
			}
			if tc.logged > 0 &&
				(!strings.Contains(log.String(), "router_test.go") ||
					!strings.Contains(log.String(), "req-1")) {
				t.Errorf("the log lacks the stack or the request id: %s", log)
			}
		})
	}
}
