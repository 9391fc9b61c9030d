package graph_test

import (
	"net/http"
	"testing"
)

// expireReauthentication moves the last reauthentication of every sign-in ten minutes into the
// past.
func expireReauthentication(t *testing.T, b *bench) {
	t.Helper()
	b.exec(t, `UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
}

// TestWhatReauthenticates: every check of a password counts, also later in the same document, and
// for one sign-in. Renewing access does not count.
func TestWhatReauthenticates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.live(t)
	other := u.again(t)
	create := func(what string, u *user, code string) {
		t.Helper()
		a := u.do(t, createExport, vars{"input": vars{"agentId": agent}})
		if a.status != http.StatusOK || a.code() != code {
			t.Errorf("%s: %d %s, want code %q", what, a.status, a.body, code)
		}
	}
	create("after signing in", other, "")
	expireReauthentication(t, b)
	renewed := b.do(t, call{query: renew, cookies: u.cookies}).wantNone(t, "renew")
	u.token = renewed.text(t, "renewAccess.accessToken")
	create("after renewing", u, "REAUTHENTICATION_REQUIRED")
	u.do(t, confirm, vars{"password": "wrong password"}).want(t, "confirm", http.StatusOK, "INVALID_CREDENTIALS")
	create("after a wrong password", u, "REAUTHENTICATION_REQUIRED")
	u.do(t, confirm, vars{"password": password}).wantNone(t, "confirm")
	create("after confirming", u, "")
	create("elsewhere", other, "REAUTHENTICATION_REQUIRED")
	other.do(t, changePassword, vars{"old": password, "new": password}).wantNone(t, "change the password")
	create("after changing the password", other, "")
	expireReauthentication(t, b)
	other.do(t, `mutation($id: ID!) { confirmPassword(input: {password: "`+password+`"}) { ok }
		createApiExport(input: {agentId: $id}) { apiKey } }`, vars{"id": agent}).
		wantNone(t, "in one document")
	expireReauthentication(t, b)
	own := other.do(t, viewer, nil).text(t, "viewer.signIns.0.id")
	other.do(t, endSignIn, vars{"id": own}).wantNone(t, "one's own sign-in needs none")
}
