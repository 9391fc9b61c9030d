package graph_test

import (
	"encoding/base32"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/graph"
	"agentchat/internal/auth"
	"agentchat/internal/store/accounts"
)

const (
	startFactor   = `mutation { startSecondFactor { secret uri qrCode } }`
	confirmFactor = `mutation($code: String!) { confirmSecondFactor(input: {code: $code}) { recoveryCodes } }`
	signInCode    = `mutation($email: String!, $password: String!, $code: String) {
		signIn(input: {email: $email, password: $password, code: $code}) { accessToken account { id name } } }`
	confirmCode = `mutation($code: String) { confirmPassword(input: {code: $code}) { ok } }`
	requireRule = `mutation($on: Boolean) { updateAccount(input: {requireSecondFactor: $on}) { account
		{ requireSecondFactor } } }`
	removeFactor = `mutation($password: String!, $code: String!) { removeSecondFactor(input: {password:
		$password, code: $code}) { ok } }`
)

// beginFactor starts the setup of a second factor, and returns a function for its code, some steps
// from now.
func (u *user) beginFactor(t *testing.T) (code func(steps int64) string) {
	t.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).
		DecodeString(u.do(t, startFactor, nil).wantNone(t, "start").text(t, "startSecondFactor.secret"))
	if err != nil {
		t.Fatal(err)
	}
	return func(steps int64) string { return auth.TOTP(secret, time.Now().Unix()/30+steps) }
}

// setUpFactor sets up a second factor. The codes of the previous and all later steps are unused.
func (u *user) setUpFactor(t *testing.T) (code func(steps int64) string, recovery []string) {
	t.Helper()
	code = u.beginFactor(t)
	confirmed := u.do(t, confirmFactor, vars{"code": code(0)}).wantNone(t, "confirm")
	for i := range confirmed.list("confirmSecondFactor.recoveryCodes") {
		recovery = append(recovery, confirmed.text(t, fmt.Sprintf("confirmSecondFactor.recoveryCodes.%d", i)))
	}
	u.b.exec(t, `UPDATE users SET second_factor_step = 0`)
	return code, recovery
}

// codeFor returns a code for a mutation, and sets up its requirements; empty for mutations without
// a code.
func (u *user) codeFor(t *testing.T, mutation string) string {
	t.Helper()
	switch mutation {
	case "confirmSecondFactor":
		return u.beginFactor(t)(0)
	case "removeSecondFactor", "renewRecoveryCodes":
		code, _ := u.setUpFactor(t)
		return code(0)
	}
	return ""
}

// TestASecondFactorInThePanel: it is set up, asked for by a sign-in, shown and removed.
func TestASecondFactorInThePanel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	begun := u.do(t, startFactor, nil).wantNone(t, "start")
	if !strings.HasPrefix(begun.text(t, "startSecondFactor.qrCode"), "data:image/png;base64,") {
		t.Errorf("the QR code is %.60s", begun.text(t, "startSecondFactor.qrCode"))
	}
	code, recovery := u.setUpFactor(t)
	u.do(t, `{ me { secondFactor recoveryCodesLeft } }`, nil).
		wantValues(t, "me", map[string]any{"me.secondFactor": true, "me.recoveryCodesLeft": 10})
	in := vars{"email": u.account.Email, "password": password}
	b.do(t, call{query: signInCode, vars: in}).
		want(t, "without a code", http.StatusOK, "SECOND_FACTOR_REQUIRED")
	in["code"] = code(0)
	b.do(t, call{query: signInCode, vars: in}).wantValues(t, "with a code", map[string]any{
		"signIn.account.id": u.account.ID.String()})
	u.do(t, `mutation($code: String!) { changePassword(input: {currentPassword:
		"`+password+`", newPassword: "`+password+`", code: $code}) { account { id } } }`,
		vars{"code": recovery[0]}).wantNone(t, "a recovery code")
	u.do(t, removeFactor, vars{"password": password, "code": recovery[1]}).wantNone(t, "remove")
	b.log.wantNoSecrets(t, append(recovery, password, begun.text(t, "startSecondFactor.secret"))...)
}

// Reauthentication renews a refresh cookie in the request.
func TestReauthenticationSetsTheRefreshCookie(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	if a := u.do(t, confirm, vars{"password": password}); len(a.cookies) != 0 {
		t.Errorf("without a cookie: %v", a.cookies)
	}
	a := b.do(t, call{query: confirm, vars: vars{"password": password}, token: u.token,
		cookies: u.cookies}).wantNone(t, "confirm")
	fresh := a.cookie(t, graph.RefreshCookie)
	if slices.ContainsFunc(u.cookies, func(c *http.Cookie) bool { return c.Value == fresh.Value && c.Name == fresh.Name }) {
		t.Error("the refresh token is the same")
	}
	b.do(t, call{query: renew, cookies: a.cookies}).wantNone(t, "renew")
}

// TestWhereASecondFactorIsRequired: a user without one signs in, renews and sets one up, even if
// the rule is new. TestAccess has the operations.
func TestWhereASecondFactorIsRequired(t *testing.T) {
	t.Parallel()
	for name, service := range map[string]bool{"by the account": false, "by the service": true} {
		b := newBench(t, func(o *options) { o.identity.RequireSecondFactor = service })
		opened, err := accounts.On(b.store).CreateAccount(t.Context(), accounts.NewAccount{
			Email: "ada@example.com", Name: "Ada", PasswordHash: passwordHash})
		if err != nil {
			t.Fatal(err)
		}
		if !service {
			b.exec(t, `UPDATE accounts SET require_second_factor = true`)
		}
		in := b.do(t, call{query: signInCode, vars: vars{"email": opened.Email, "password": password}})
		in.wantValues(t, name, map[string]any{"signIn.account": nil})
		u := &user{b: b, account: opened}
		u.token = b.do(t, call{query: renew, cookies: in.cookies}).text(t, "renewAccess.accessToken")
		u.do(t, viewer, nil).want(t, name, http.StatusOK, "SECOND_FACTOR_REQUIRED")
		u.do(t, followTest, vars{"input": vars{"agentId": opened.ID, "message": "hello"}}).
			want(t, name+", a stream", http.StatusOK, "SECOND_FACTOR_REQUIRED")
		u.do(t, verifyEmail, vars{"input": vars{"token": "x"}}).
			wantFields(t, name+", a link", "token invalid_value")
		code, _ := u.setUpFactor(t)
		u.do(t, `{ viewer { id } }`, nil).wantNone(t, name+", with a factor")
		u.do(t, confirmCode, vars{"code": code(0)}).wantNone(t, name+", reauthenticate")
	}
}

// TestTheRuleOfAnAccount: a member who requires a second factor of all members has one.
func TestTheRuleOfAnAccount(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	rule := func(on any) answer { return u.do(t, requireRule, vars{"on": on}) }
	rule(true).want(t, "without a factor", http.StatusOK, "CONFLICT")
	rule(nil).wantFields(t, "null", "requireSecondFactor missing")
	u.setUpFactor(t)
	rule(true).wantValues(t, "on", map[string]any{"updateAccount.account.requireSecondFactor": true})
}
