package graph_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentchat/internal/httpapi"
)

// A valid access token vouches for the connection of its request, and nothing else does.
func TestAValidTokenVouchesForItsConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const private = `{"query":"{ viewer { id } }"}`
	for name, tc := range map[string]struct {
		token, body string
		vouched     bool
	}{
		"a valid token":      {u.token, private, true},
		"no token":           {"", private, false},
		"a changed token":    {u.token + "x", private, false},
		"a public operation": {"", information, false},
	} {
		vouched := false
		r := httptest.NewRequestWithContext(httpapi.OnVouch(t.Context(), func() { vouched = true }),
			http.MethodPost, "/graphql", strings.NewReader(tc.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+tc.token)
		b.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
		if vouched != tc.vouched {
			t.Errorf("%s: vouched %v, want %v", name, vouched, tc.vouched)
		}
	}
}
