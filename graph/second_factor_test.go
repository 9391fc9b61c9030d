package graph_test

import (
	"encoding/base32"
	"fmt"
	"testing"
	"time"

	"agentchat/internal/auth"
)

const (
	startFactor   = `mutation { startSecondFactor { secret uri qrCode } }`
	confirmFactor = `mutation($code: String!) { confirmSecondFactor(input: {code: $code}) { recoveryCodes } }`
	removeFactor  = `mutation($password: String!, $code: String!) { removeSecondFactor(input: {password: $password, code: $code}) { ok } }`
)

// beginFactor begins to set a second factor up, and returns what makes its code, some steps from now.
func (u *user) beginFactor(t *testing.T) (code func(steps int64) string) {
	t.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).
		DecodeString(u.do(t, startFactor, nil).wantNone(t, "start").text(t, "startSecondFactor.secret"))
	if err != nil {
		t.Fatal(err)
	}
	return func(steps int64) string { return auth.TOTP(secret, time.Now().Unix()/30+steps) }
}

// setUpFactor gives the user a second factor. Its code of the step before the present one, and of all later ones, can be used.
func (u *user) setUpFactor(t *testing.T) (code func(steps int64) string, recovery []string) {
	t.Helper()
	code = u.beginFactor(t)
	confirmed := u.do(t, confirmFactor, vars{"code": code(0)}).wantNone(t, "confirm")
	for i := range confirmed.list("confirmSecondFactor.recoveryCodes") {
		recovery = append(recovery, confirmed.text(t, fmt.Sprintf("confirmSecondFactor.recoveryCodes.%d", i)))
	}
	if _, err := u.b.store.DB().ExecContext(t.Context(), `UPDATE users SET second_factor_step = 0`); err != nil {
		t.Fatal(err)
	}
	return code, recovery
}

// codeFor returns a code that a mutation takes, and sets up what it needs; empty for mutations that need none.
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
