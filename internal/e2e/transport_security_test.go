package e2e_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestStrictTransportSecurity: PUBLIC_URL decides whether answers of the panel, of GraphQL and of the chat API, streamed or not, tell
// browsers to use https alone.
func TestStrictTransportSecurity(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, url), storetest.Options{})
	for public, want := range map[string]string{"https://chat.example.com": "max-age=31536000", "http://chat.example.com": ""} {
		r := start(t, url, "PUBLIC_URL="+public)
		for _, c := range []struct {
			method, path, body string
			status             int
		}{
			{"GET", "/", "", http.StatusOK},
			{"POST", "/graphql", `{"query": "{ serviceInfo { signUpOpen } }"}`, http.StatusOK},
			{"POST", "/v1/agent/chat", `{"message": "hello"}`, http.StatusOK},
			{"POST", "/v1/agent/chat", `{"message": "hello", "stream": true}`, http.StatusOK},
			{"POST", "/v1/agent/chat", `{`, http.StatusBadRequest},
		} {
			request, err := http.NewRequestWithContext(t.Context(), c.method, r.base()+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+f.Key.Reveal())
			request.Header.Set("Content-Type", "application/json")
			resp, err := client(t).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			got := strings.Join(resp.Header.Values("Strict-Transport-Security"), ", ")
			if got != want || resp.StatusCode != c.status && c.path != "/" { // the panel may not be built
				t.Errorf("%s: %s %s %s = %d, Strict-Transport-Security %q, want %q", public, c.method, c.path, c.body, resp.StatusCode, got, want)
			}
		}
	}
}
