package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/rest"
)

// requestLine writes a request without a body.
func requestLine(line string, headers ...string) string {
	lines := append([]string{line + " HTTP/1.1", "Host: localhost"}, headers...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
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
			r := sendRaw(t, address, requestLine(method+" "+path, authorization))[0]
			if r.refused(t, http.StatusNotFound, "not_found"); t.Failed() {
				t.Fatalf("%s %s", method, path)
			}
		}
	}
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	for _, method := range []string{
		"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "post", "Post",
		"FOO", "POSTX",
	} {
		for _, extra := range [][]string{
			nil, {"X-HTTP-Method-Override: POST", "X-Method-Override: POST"},
			{"Origin: https://example.com", "Access-Control-Request-Method: POST"},
		} {
			r := sendRaw(t, address, requestLine(method+" "+rest.ChatPath, extra...))[0]
			if method == "HEAD" && r.text == "" && r.StatusCode == http.StatusMethodNotAllowed {
				checkFrame(t, r)
			} else {
				r.refused(t, http.StatusMethodNotAllowed, "method_not_allowed")
			}
			if allow := r.Header.Values("Allow"); len(allow) != 1 || allow[0] != "POST" {
				t.Errorf("%s: Allow is %q", method, allow)
			}
		}
	}
}
