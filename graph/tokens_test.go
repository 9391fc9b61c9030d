package graph_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestTokensThatAreNotAccepted: operations that need a token refuse them, and the others do not
// look at them. Package auth has all the ways in which a token can be odd.
func TestTokensThatAreNotAccepted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	parts := strings.Split(u.token, ".")
	forged := parts[0] + "." + parts[1] + "." + strings.Split(other.token, ".")[2]
	for _, token := range []string{"x", forged, u.token + "A", u.token + " x"} {
		b.do(t, call{query: viewer, token: token}).want(t, token, http.StatusUnauthorized, "UNAUTHENTICATED")
		b.do(t, call{query: `{ serviceInfo { version } }`, token: token}).wantNone(t, "serviceInfo")
	}
	b.do(t, call{query: renew, token: forged, cookies: u.cookies}).wantNone(t, "renewAccess")
	b.do(t, call{query: signOut, token: forged}).wantNone(t, "signOut")
	for what, value := range map[string]string{"Basic": "Basic " + u.token, "no scheme": u.token,
		"two": "Bearer " + u.token + ", Bearer " + u.token} {
		b.do(t, call{query: viewer, header: map[string]string{"Authorization": value}}).want(t, what,
			http.StatusUnauthorized, "UNAUTHENTICATED")
	}
}
