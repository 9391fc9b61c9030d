package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/apikey"
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
