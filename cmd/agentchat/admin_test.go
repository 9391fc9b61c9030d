package main

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

const testToken = "0123456789abcdef0123456789abcdef-admin"

// TestPrivateListeners tests that each path of the operator is on its own listener alone, and the
// chat API on the public one.
func TestPrivateListeners(t *testing.T) {
	t.Parallel()
	env := onDatabase(t, storetest.URL(t), "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+testToken,
		"PPROF_ADDR=127.0.0.1:0")
	s := startService(t, env, "--demo")
	public := strings.TrimSuffix(s.Chat, "/v1/agent/chat")
	for path, own := range map[string]string{
		"/v1/agent/chat":     public,
		"/livez":             s.Ops,
		"/readyz":            s.Ops,
		"/metrics":           s.Ops,
		"/admin/v1/accounts": s.Admin,
		"/debug/pprof/heap":  s.Pprof,
	} {
		for _, address := range []string{public, s.Ops, s.Admin, s.Pprof} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+testToken)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if found := response.StatusCode != http.StatusNotFound; found != (address == own) {
				t.Errorf("%s%s answers %d, and belongs to %s", address, path, response.StatusCode, own)
			}
		}
	}
	if strings.Contains(s.stderr.String(), testToken) {
		t.Error("the log has the token")
	}
}
