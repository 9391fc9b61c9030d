package e2e_test

import (
	"io"
	"net/http"
	"testing"

	"agentchat/internal/openapitest"
	"agentchat/internal/store/storetest"
)

// fetchOpenAPI gets the OpenAPI document of a running replica.
func fetchOpenAPI(t *testing.T, r *replica) []byte {
	t.Helper()
	resp, err := http.Get(r.base() + "/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/yaml" {
		t.Fatalf("openapi.yaml: %d %s %v", resp.StatusCode, resp.Header.Get("Content-Type"), err)
	}
	return text
}

// TestOpenAPI: a running service describes itself, at the address that callers use. Package rest checks the document and real answers
// against it.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	const public = "https://chat.example.com"
	url := storetest.URL(t)
	direct, behindAProxy := start(t, url), start(t, url, "PUBLIC_URL="+public+"/")
	for r, want := range map[*replica]string{direct: direct.Panel, behindAProxy: public} {
		if got := openapitest.Load(t, fetchOpenAPI(t, r), http.MethodPost, "/v1/agent/chat").Server; got != want {
			t.Errorf("the document's server is %s, want %s", got, want)
		}
	}
}
