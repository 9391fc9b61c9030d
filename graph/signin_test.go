package graph_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	signUp = `mutation($input: SignUpInput!) { signUp(input: $input) { accessToken expiresAt
		account { id name creditBalance creditsHeld creditsAvailable signIns { id browser current } } } }`
	signIn = `mutation($input: SignInInput!) { signIn(input: $input) { accessToken expiresAt account {
		id signIns { current } } } }`
	viewer = `{ me { id email createdAt signIns { current } } viewer { id name createdAt creditBalance
		creditsHeld creditsAvailable rejectedRequestDays
		signIns { id browser address createdAt lastUsedAt current } } }`
	changePassword = `mutation($old: String!, $new: String!) {
		changePassword(input: {currentPassword: $old, newPassword: $new}) { account { id signIns { current } } } }`
	endSignIn = `mutation($id: ID!) { endSignIn(input: {id: $id}) { endedSignInId } }`
	confirm   = `mutation($password: String!) { confirmPassword(input: {password: $password}) { ok } }`
	everyEnd  = `mutation { signOutEverywhere { ok } }`
)

func TestSignUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := b.do(t, call{query: signUp, vars: vars{"input": vars{"email": " Ada@Example.com ",
		"password": password, "name": " Ada "}},
		header: map[string]string{"User-Agent": "Browser/1.0"}})
	b.do(t, call{query: viewer, token: a.text(t, "signUp.accessToken")}).wantValues(t, "viewer", map[string]any{
		"viewer.name":                "Ada",
		"viewer.creditBalance":       20,
		"viewer.rejectedRequestDays": 2,
		"viewer.signIns.0.address":   "127.0.0.1",
		"viewer.signIns.0.browser":   "Browser/1.0",
	})
	before := rows(t, b, "accounts")
	b.do(t, call{query: signUp, vars: vars{"input": vars{"email": "x", "password": "short", "name": " "}}}).
		wantFields(t, "all bad", "email invalid_value", "password too_short", "name blank")
	known := vars{"input": vars{"email": "ADA@example.com", "password": password, "name": "Ada"}}
	b.do(t, call{query: signUp, vars: known}).want(t, "a known address", http.StatusOK, "CONFLICT")
	if rows(t, b, "accounts") != before {
		t.Error("refused, and something changed")
	}

	closed := newBench(t, func(o *options) {
		o.identity.SignUpOpen = func() bool { return false }
		o.graph.Info.RefusedRetention = time.Minute
	})
	signedIn(t, closed).do(t, `{ viewer { rejectedRequestDays } }`, nil).
		wantValues(t, "a short time", map[string]any{"viewer.rejectedRequestDays": 1})
	closed.do(t, call{query: signUp, vars: known}).want(t, "closed", http.StatusOK, "SIGN_UP_CLOSED")
	closed.do(t, call{query: `{ serviceInfo { version baseUrl signUpOpen creditsHelp supportContact
			startingCredits bridgeUrl } }`}).wantValues(t, "serviceInfo",
		map[string]any{"serviceInfo.signUpOpen": false, "serviceInfo.version": "1.2.3",
			"serviceInfo.startingCredits": 20,
			"serviceInfo.baseUrl":         "http://localhost:8080",
			"serviceInfo.bridgeUrl":       "http://localhost:8081",
			"serviceInfo.creditsHelp":     "Ask us.", "serviceInfo.supportContact": "help@example.com"})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	try := func(email, password string) answer {
		return b.do(t, call{query: signIn, vars: vars{"input": vars{"email": email, "password": password}}})
	}
	good := try(strings.ToUpper(u.account.Email), password)
	good.wantValues(t, "sign in", map[string]any{"signIn.account.id": u.account.ID.String()})
	before := rows(t, b, "sign_ins")
	wrong, unknown := try(u.account.Email, "wrong password"), try("nobody@example.com", "wrong password")
	wrong.want(t, "wrong password", http.StatusOK, "INVALID_CREDENTIALS")
	if wrong.anonymous() != unknown.anonymous() || len(wrong.cookies)+len(unknown.cookies) > 0 {
		t.Errorf("distinguishable: %s %s", wrong.body, unknown.body)
	}
	try("x", "").wantFields(t, "no address, no password", "email invalid_value", "password missing")
	if rows(t, b, "sign_ins") != before {
		t.Error("refused, and something changed")
	}
	b.log.wantNoSecrets(t, u.account.Email)
}

func TestChangeAndConfirmPassword(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	u.again(t)
	u.do(t, changePassword, vars{"old": "", "new": "short"}).wantFields(t, "all bad",
		"currentPassword missing", "newPassword too_short")
	u.do(t, changePassword, vars{"old": "wrong password", "new": "a quite different password"}).
		want(t, "a wrong password", http.StatusOK, "INVALID_CREDENTIALS")
	u.do(t, confirm, vars{"password": ""}).wantFields(t, "none", "password missing")
	u.do(t, confirm, vars{"password": password}).
		wantValues(t, "confirm", map[string]any{"confirmPassword.ok": true})
	u.do(t, changePassword, vars{"old": password, "new": "a quite different password"}).
		wantValues(t, "change", map[string]any{
			"changePassword.account.signIns.0.current": true,
			"changePassword.account.signIns.1":         nil,
		})
}

// TestEndingSignIns: signOut ends the sign-in of its cookie or, without one, of its access token.
func TestEndingSignIns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	ended := func(what string, u *user) {
		t.Helper()
		u.do(t, viewer, nil).want(t, what+": the access token", http.StatusUnauthorized, "UNAUTHENTICATED")
		b.do(t, call{query: renew, cookies: u.cookies}).
			want(t, what+": the refresh token", http.StatusOK, "UNAUTHENTICATED")
	}
	second := u.again(t)
	id := second.do(t, viewer, nil).text(t, "viewer.signIns.0.id")
	u.do(t, endSignIn, vars{"id": id}).wantValues(t, "end another", map[string]any{"endSignIn.endedSignInId": id})
	ended("endSignIn", second)
	byToken, byCookie := u.again(t), u.again(t)
	ok := map[string]any{"signOut.ok": true}
	b.do(t, call{query: signOut, token: byToken.token}).wantValues(t, "by the token", ok)
	ended("signOut by token", byToken)
	b.do(t, call{query: signOut, cookies: byCookie.cookies}).wantValues(t, "by the cookie", ok)
	ended("signOut by cookie", byCookie)
	b.do(t, call{query: signOut}).wantValues(t, "anonymously", ok)
	b.do(t, call{query: signOut, token: byToken.token}).wantValues(t, "with a stale token", ok)
	u.do(t, everyEnd, nil).wantValues(t, "everywhere", map[string]any{"signOutEverywhere.ok": true})
	ended("signOutEverywhere", u)
}

// TestSuspendedAccounts: their users sign in without an account. TestAccess has the operations.
func TestSuspendedAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	b.exec(t, `UPDATE accounts SET state = 'SUSPENDED'`)
	u.do(t, viewer, nil).want(t, "a query", http.StatusOK, "FORBIDDEN")
	u.in(t, u, viewer, nil).want(t, "by its ID", http.StatusOK, "FORBIDDEN")
	b.do(t, call{query: renew, cookies: u.cookies}).wantNone(t, "renewing")
	b.do(t, call{query: signInDocument, vars: vars{"email": u.account.Email, "password": password}}).
		wantValues(t, "signing in", map[string]any{"signIn.account": nil})
}
