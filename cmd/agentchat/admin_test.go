package main

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

const testToken = "0123456789abcdef0123456789abcdef-admin"

// TestPrivateListeners tests that only ADMIN_ADDR serves the admin API and only PPROF_ADDR the
// profiler.
func TestPrivateListeners(t *testing.T) {
	t.Parallel()
	env := onDatabase(t, storetest.URL(t), "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+testToken,
		"PPROF_ADDR=127.0.0.1:0")
	s := startService(t, env, "--demo")
	get := func(address string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+testToken)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode, response.Header.Get("Content-Type")
	}
	const path = "/admin/v1/accounts"
	if code, _ := get(s.Admin + path); code != http.StatusOK {
		t.Errorf("ADMIN_ADDR answers %d", code)
	}
	const profile = "/debug/pprof/heap"
	if code, kind := get(s.Pprof + profile); code != http.StatusOK || kind != "application/octet-stream" {
		t.Errorf("PPROF_ADDR answers %d with %s", code, kind)
	}
	for name, address := range map[string]string{"LISTEN_ADDR": s.Panel, "OPS_ADDR": s.Ops,
		"ADMIN_ADDR": s.Admin} {
		if code, kind := get(address + profile); code != http.StatusNotFound {
			t.Errorf("%s answers %d with %s to the profiler's path", name, code, kind)
		}
	}
	for name, address := range map[string]string{"LISTEN_ADDR": s.Panel, "OPS_ADDR": s.Ops,
		"PPROF_ADDR": s.Pprof} {
		if code, kind := get(address + path); code == http.StatusOK &&
			strings.HasPrefix(kind, "application/json") || code == http.StatusUnauthorized {
			t.Errorf("%s answers %d with %s", name, code, kind)
		}
	}
	if strings.Contains(s.stderr.String(), testToken) {
		t.Error("the log has the token")
	}
}
