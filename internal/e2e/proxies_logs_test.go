package e2e_test

import (
	"net/http"
	"strings"
	"testing"
)

// logsNoQuery: no log of the proxy has a query string, not even of a request that fails because the service is gone.
func (p *proxied) logsNoQuery(t *testing.T, log func() string) {
	t.Helper()
	const marker = "words-of-a-search"
	search := func(size int) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			"https://"+p.address+"/graphql?query={__typename}&a="+marker+strings.Repeat("x", size), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Referer", "https://"+p.address+"/graphql?"+marker)
		resp, err := p.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if status := search(8 << 10); status != http.StatusRequestURITooLong {
		t.Errorf("a long search is %d", status)
	}
	if status := search(0); status != http.StatusOK {
		t.Errorf("a search is %d", status)
	}
	p.r.kill()
	if status := search(0); status != http.StatusBadGateway && status != http.StatusServiceUnavailable {
		t.Errorf("a search without the service is %d", status)
	}
	eventually(t, "the proxy logs the paths", func() bool { return strings.Count(log(), "/graphql") >= 3 })
	if strings.Contains(log(), marker) {
		t.Error("the proxy's log holds a search")
	}
}
