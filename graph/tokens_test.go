package graph_test

import (
	"strings"
	"testing"
)

// TestTokensThatAreNotAccepted: public operations do not look at them. TestOperationsOverHTTP has
// the others, and package auth all the ways in which a token can be odd.
func TestTokensThatAreNotAccepted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	parts := strings.Split(u.token, ".")
	forged := parts[0] + "." + parts[1] + "." + strings.Split(other.token, ".")[2]
	for _, token := range []string{"x", forged} {
		b.do(t, call{query: `{ serviceInfo { version } }`, token: token}).wantNone(t, "serviceInfo")
		b.do(t, call{query: renew, token: token, cookies: u.cookies}).wantNone(t, "renewAccess")
		b.do(t, call{query: signOut, token: token}).wantNone(t, "signOut")
	}
	u.do(t, viewer, nil).wantNone(t, "the good one still")
}
