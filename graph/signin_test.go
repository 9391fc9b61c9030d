package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const (
	signUp = `mutation($input: SignUpInput!) { signUp(input: $input) { accessToken expiresAt
		account { id name creditBalance creditsHeld creditsAvailable signIns { id browser current } } } }`
	signIn = `mutation($input: SignInInput!) { signIn(input: $input) { accessToken expiresAt account {
		id signIns { current } } } }`
	viewer = `{ me { id email createdAt signIns { current } } viewer { id name createdAt creditBalance
		creditsHeld creditsAvailable
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
	a.wantValues(t, "sign up", map[string]any{"signUp.account.name": "Ada",
		"signUp.account.creditBalance": 20, "signUp.account.creditsHeld": 0, "signUp.account.creditsAvailable": 20,
		"signUp.account.signIns.0.browser": "Browser/1.0", "signUp.account.signIns.0.current": true})
	b.do(t, call{query: viewer, token: a.text(t, "signUp.accessToken")}).wantValues(t, "viewer", map[string]any{
		"viewer.id": a.get("signUp.account.id"), "viewer.creditBalance": 20, "viewer.signIns.0.address": "127.0.0.1"})
	before := rows(t, b, "accounts")
	b.do(t, call{query: signUp, vars: vars{"input": vars{"email": "x", "password": "short", "name": " "}}}).
		wantFields(t, "all bad", "email invalid_value", "password too_short", "name blank")
	known := vars{"input": vars{"email": "ADA@example.com", "password": password, "name": "Ada"}}
	b.do(t, call{query: signUp, vars: known}).want(t, "a known address", http.StatusOK, "CONFLICT")
	if rows(t, b, "accounts") != before {
		t.Error("refused, and something changed")
	}

	closed := newBench(t, func(o *options) { o.identity.SignUpOpen = func() bool { return false } })
	closed.do(t, call{query: signUp, vars: known}).want(t, "closed", http.StatusOK, "SIGN_UP_CLOSED")
	closed.do(t, call{query: `{ serviceInfo { version baseUrl signUpOpen creditsHelp supportContact }
		}`}).wantValues(t, "serviceInfo",
		map[string]any{"serviceInfo.signUpOpen": false, "serviceInfo.version": "1.2.3",
			"serviceInfo.baseUrl":     "http://localhost:8080",
			"serviceInfo.creditsHelp": "Ask us.", "serviceInfo.supportContact": "help@example.com"})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	try := func(email, password string) answer {
		return b.do(t, call{query: signIn, vars: vars{"input": vars{"email": email, "password": password}}})
	}
	good := try(strings.ToUpper(u.account.Email), password)
	good.wantValues(t, "sign in", map[string]any{"signIn.account.id": u.account.ID.String(),
		"signIn.account.signIns.0.current": true})
	if n := good.list("signIn.account.signIns"); n != 2 || good.get("signIn.account.signIns.1.current") != false {
		t.Errorf("the sign-ins in the answer: %s", good.body)
	}
	before := rows(t, b, "sign_ins")
	wrong, unknown := try(u.account.Email, "wrong password"), try("nobody@example.com", "wrong password")
	wrong.want(t, "wrong password", http.StatusOK, "INVALID_CREDENTIALS")
	if wrong.anonymous() != unknown.anonymous() || len(wrong.cookies)+len(unknown.cookies) > 0 {
		t.Errorf("distinguishable: %s %s", wrong.body, unknown.body)
	}
	try("x", "").wantFields(t, "no address, no password", "email invalid_value", "password missing")
	twice := b.do(t, call{query: `mutation { a: signIn(input: {email: "a@example.com", password: "12345678"}) { expiresAt }
		b: signIn(input: {email: "a@example.com", password: "12345679"}) { expiresAt } }`})
	twice.want(t, "two guesses in one request", http.StatusOK, "LIMIT_EXCEEDED")
	nested := b.do(t, call{query: `mutation { ...F a: confirmPassword(input: {password: "12345679"}) { ok } }
		fragment F on Mutation { ... on Mutation { signIn(input: {email: "a@example.com", password:
		"12345678"}) { expiresAt } } }`})
	nested.want(t, "two guesses, one in a fragment", http.StatusOK, "LIMIT_EXCEEDED")
	if rows(t, b, "sign_ins") != before {
		t.Error("refused, and something changed")
	}
	if found := b.log.lines(u.account.Email); found != nil {
		t.Errorf("an address is in the log: %s", found)
	}
}

func TestChangeAndConfirmPassword(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	u.again(t)
	u.do(t, changePassword, vars{"old": "", "new": "short"}).wantFields(t, "all bad",
		"currentPassword missing", "newPassword too_short")
	u.do(t, changePassword, vars{"old": "wrong password", "new": "a quite different password"}).want(t,
		"wrong", http.StatusOK, "INVALID_CREDENTIALS")
	u.do(t, confirm, vars{"password": ""}).wantFields(t, "none", "password missing")
	u.do(t, confirm, vars{"password": "wrong password"}).want(t, "wrong", http.StatusOK, "INVALID_CREDENTIALS")
	u.do(t, confirm, vars{"password": password}).wantValues(t, "confirm", map[string]any{"confirmPassword.ok": true})
	u.do(t, changePassword, vars{"old": password, "new": "a quite different password"}).wantValues(t, "change", map[string]any{
		"changePassword.account.id": u.account.ID.String(), "changePassword.account.signIns.0.current": true,
		"changePassword.account.signIns.1": nil})
}

func TestEndingSignIns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	second, third := u.again(t), u.again(t)
	ended := func(what string, u *user) {
		t.Helper()
		u.do(t, viewer, nil).want(t, what+": the access token", http.StatusUnauthorized, "UNAUTHENTICATED")
		a := b.do(t, call{query: renew, cookies: u.cookies})
		a.want(t, what+": the refresh token", http.StatusOK, "UNAUTHENTICATED")
	}
	own := second.do(t, viewer, nil)
	var id string
	for i := range own.list("viewer.signIns") {
		if at := fmt.Sprintf("viewer.signIns.%d.", i); own.get(at+"current") == true {
			id = own.text(t, at+"id")
		}
	}
	u.do(t, endSignIn, vars{"id": id}).wantValues(t, "end another", map[string]any{"endSignIn.endedSignInId": id})
	ended("endSignIn", second)
	u.do(t, endSignIn, vars{"id": id}).want(t, "twice", http.StatusOK, "NOT_FOUND")
	out := b.do(t, call{query: signOut, cookies: third.cookies, token: third.token})
	out.wantValues(t, "sign out", map[string]any{"signOut.ok": true})
	ended("signOut", third)
	b.do(t, call{query: signOut}).wantValues(t, "anonymously", map[string]any{"signOut.ok": true})
	b.do(t, call{query: signOut, token: third.token}).wantValues(t, "with a stale token", map[string]any{"signOut.ok": true})
	fourth, fifth := u.again(t), u.again(t)
	b.do(t, call{query: signOut, token: fourth.token}).wantValues(t, "by the token alone", map[string]any{"signOut.ok": true})
	ended("signOut by token", fourth)
	b.do(t, call{query: signOut, cookies: fifth.cookies}).wantValues(t, "by the cookie alone",
		map[string]any{"signOut.ok": true})
	ended("signOut by cookie", fifth)

	u.do(t, everyEnd, nil).wantValues(t, "everywhere", map[string]any{"signOutEverywhere.ok": true})
	ended("signOutEverywhere", u)
}

func TestSuspendedAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE accounts SET state = 'SUSPENDED'`); err != nil {
		t.Fatal(err)
	}
	for what, a := range map[string]answer{"by itself": u.do(t, `{ viewer { id } }`, nil),
		"by its ID": u.in(t, u, `{ agents { totalCount } }`, nil),
		"to change": u.in(t, u, createAgent, vars{"input": vars{"name": "Shop"}})} {
		if a.want(t, "suspended, "+what, http.StatusOK, "FORBIDDEN"); !strings.Contains(a.body, "This account is suspended") {
			t.Errorf("%s: %s", what, a.body)
		}
	}
	u.do(t, `{ me { email } }`, nil).wantValues(t, "oneself", map[string]any{"me.email": u.account.Email})
	b.do(t, call{query: renew, cookies: u.cookies}).wantNone(t, "renewing")
	b.do(t, call{query: signInDocument, vars: vars{"email": u.account.Email, "password": password}}).
		wantValues(t, "signing in", map[string]any{"signIn.account": nil})
}
