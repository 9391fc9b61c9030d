package users_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// setUpStep is the step of the code that confirms a factor.
const setUpStep = 100

// secret returns the encrypted secret of the user's factor.
func (o owner) secret() []byte { return []byte("encrypted for " + o.id.String()) }

// recovery returns the hash of one of the user's recovery codes.
func (o owner) recovery(n string) [32]byte { return sha256.Sum256([]byte(o.id.String() + n)) }

func (o owner) factorChange() users.FactorChange {
	return users.FactorChange{UserID: o.id, SignInID: o.current, Notify: true, By: storetest.ByUser}
}

func (o owner) start(t *testing.T, secret []byte) error {
	t.Helper()
	return users.On(o.s).StartSecondFactor(t.Context(), o.id, o.current, secret)
}

func (o owner) confirm(t *testing.T, secret []byte) error {
	t.Helper()
	return users.On(o.s).SetSecondFactor(t.Context(), o.factorChange(), secret, setUpStep,
		[][32]byte{o.recovery("1"), o.recovery("2"), o.recovery("3")})
}

// setUp switches a second factor on with three recovery codes.
func (o owner) setUp(t *testing.T) {
	t.Helper()
	wantNone(t, "starting a factor", o.start(t, o.secret()))
	wantNone(t, "confirming it", o.confirm(t, o.secret()))
}

func (o owner) credentials(t *testing.T) users.Credentials {
	t.Helper()
	c, err := users.On(o.s).Credentials(t.Context(), o.id)
	wantNone(t, "the credentials", err)
	return c
}

// try uses a code up. Fault: InvalidCredentials for a wrong one.
func (o owner) try(t *testing.T, c users.Credentials, code users.Code) error {
	t.Helper()
	entry := audit.Entry{Actor: audit.ByUser, Action: "confirmPassword"}
	fits, err := users.On(o.s).UseCode(t.Context(), c, code, true, entry)
	if err == nil && !fits {
		err = fault.Wrap(fault.InvalidCredentials, nil)
	}
	return err
}

// TestCodes uses codes one after another: each step and each recovery code is accepted once, steps
// only forward, and after 20 wrong codes in a row only a recovery code.
func TestCodes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o, other := newOwner(t, s), newOwner(t, s)
	o.setUp(t)
	other.setUp(t)
	c := o.credentials(t)
	earlier := c.SecondFactorAt.Add(-time.Hour)
	former := users.Credentials{UserID: o.id, SecondFactorAt: &earlier}
	recovery := func(hash [32]byte) users.Code { return users.Code{Recovery: hash[:]} }
	for _, step := range []struct {
		what  string
		c     users.Credentials
		code  users.Code
		times int
		fits  bool
	}{
		{"the code that confirmed", c, users.Code{Step: setUpStep}, 1, false},
		{"a code", c, users.Code{Step: setUpStep + 2}, 1, true},
		{"the code again", c, users.Code{Step: setUpStep + 2}, 1, false},
		{"an older code", c, users.Code{Step: setUpStep + 1}, 1, false},
		{"a code of a former factor", former, users.Code{Step: setUpStep + 3}, 1, false},
		{"a recovery code of a former factor", former, recovery(o.recovery("1")), 1, false},
		{"another user's recovery code", c, recovery(other.recovery("1")), 1, false},
		{"a recovery code", c, recovery(o.recovery("1")), 1, true},
		{"the recovery code again", c, recovery(o.recovery("1")), 1, false},
		{"wrong codes", c, users.Code{}, users.MaxWrongCodes - 2, false},
		{"a code after 19 wrong ones", c, users.Code{Step: setUpStep + 3}, 1, true},
		{"wrong codes again", c, users.Code{}, users.MaxWrongCodes, false},
		{"a code after 20 wrong ones", c, users.Code{Step: setUpStep + 4}, 1, false},
		{"a recovery code then", c, recovery(o.recovery("2")), 1, true},
		{"the code after that", c, users.Code{Step: setUpStep + 4}, 1, true},
	} {
		for range step.times {
			err := o.try(t, step.c, step.code)
			if step.fits && err != nil || !step.fits && !fault.Is(err, fault.InvalidCredentials) {
				t.Errorf("%s: %v", step.what, err)
			}
		}
	}
	if n, err := users.On(s).RecoveryCodesLeft(t.Context(), o.id); n != 1 || err != nil {
		t.Errorf("%d recovery codes are left, %v", n, err)
	}
	// A mail reports each used recovery code and the first wrong code in a row.
	for message, want := range map[string]int{"RECOVERY_CODE_USED": 2, "WRONG_CODE": 4} {
		const mails = `SELECT count(*) FROM outbox WHERE message = $1`
		if n := storetest.CountRows(t, s, mails, message); n != want {
			t.Errorf("%d mails %s, want %d", n, message, want)
		}
	}
	for range users.MaxWrongCodes {
		_ = o.try(t, c, users.Code{})
	}
	key := [32]byte{9}
	wantNone(t, "unlock", users.On(s).Unlock(t.Context(), o.id, [][32]byte{key}, storetest.ByUser))
	wantNone(t, "a code after the unlock", o.try(t, c, users.Code{Step: setUpStep + 5}))
}

// TestACodeAtOnce checks that one of many uses of a code at once is accepted.
func TestACodeAtOnce(t *testing.T) {
	t.Parallel()
	o := newOwner(t, storetest.New(t))
	o.setUp(t)
	c, hash := o.credentials(t), o.recovery("1")
	for what, code := range map[string]users.Code{
		"a step":          {Step: setUpStep + 1},
		"a recovery code": {Recovery: hash[:]},
	} {
		n := storetest.AtOnce(t, 8, fault.InvalidCredentials, func() error { return o.try(t, c, code) })
		if n != 1 {
			t.Errorf("%s was accepted %d times", what, n)
		}
	}
}

// TestSettingUpAFactor checks that only the sign-in that started a factor confirms it, within ten
// minutes, and that a factor that is on is neither replaced nor skipped.
func TestSettingUpAFactor(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o, other := newOwner(t, s), newOwner(t, s)
	wantNone(t, "start", o.start(t, o.secret()))
	pending := func(userID, signInID uuid.UUID) error {
		return storetest.ErrOnly(users.On(s).PendingSecondFactor(t.Context(), userID, signInID))
	}
	wantNone(t, "its sign-in", pending(o.id, o.current))
	wantKind(t, "another sign-in", pending(o.id, o.other), fault.NotFound)
	wantKind(t, "another user", pending(other.id, o.current), fault.NotFound)
	storetest.Exec(t, s, `UPDATE sign_ins
		SET pending_factor_at = pending_factor_at - interval '10 minutes'`)
	wantKind(t, "ten minutes later", pending(o.id, o.current), fault.NotFound)

	wantNone(t, "start again", o.start(t, []byte("newer")))
	wantKind(t, "the secret before", o.confirm(t, o.secret()), fault.Conflict)
	ended := o
	ended.current = uuid.New()
	wantKind(t, "an unknown sign-in", ended.confirm(t, []byte("newer")), fault.Conflict)
	ended.current = o.other
	wantNone(t, "a start that ends", ended.start(t, o.secret()))
	wantNone(t, "its end", users.On(s).EndSignIn(t.Context(), o.id, o.other, storetest.ByUser))
	wantKind(t, "an ended sign-in", ended.confirm(t, o.secret()), fault.Unauthorized)
	thief := o
	thief.current = storetest.SignIn(t, s, o.id)
	wantNone(t, "a thief's start", thief.start(t, []byte("planted")))
	o.wantUser(t, "refused", row{Email: o.email, Password: "none"})
	before := o.credentials(t)
	wantNone(t, "confirm", o.confirm(t, []byte("newer")))
	wantKind(t, "a thief's factor", thief.confirm(t, []byte("planted")), fault.Conflict)
	wantKind(t, "starting while one is on", o.start(t, o.secret()), fault.Conflict)

	earlier := time.Now().Add(-time.Hour)
	for what, since := range map[string]*time.Time{"none": nil, "an earlier one": &earlier} {
		before.SecondFactorAt = since
		_, err := users.On(s).CreateSignIn(t.Context(), before, users.NewSignIn{ID: uuid.New()})
		wantKind(t, "a sign-in that was checked against "+what, err, fault.InvalidCredentials)
	}
	change := o.factorChange()
	change.Since = &earlier
	err := users.On(s).RemoveSecondFactor(t.Context(), change)
	wantKind(t, "removing another factor", err, fault.Conflict)
	err = users.On(s).RenewRecoveryCodes(t.Context(), change, nil)
	wantKind(t, "new recovery codes of another factor", err, fault.Conflict)
	change.Since = o.credentials(t).SecondFactorAt
	codes := [][32]byte{o.recovery("new")}
	wantNone(t, "new recovery codes", users.On(s).RenewRecoveryCodes(t.Context(), change, codes))
	if n, err := users.On(s).RecoveryCodesLeft(t.Context(), o.id); n != 1 || err != nil {
		t.Errorf("%d recovery codes, %v", n, err)
	}
	wantNone(t, "removing it", users.On(s).RemoveSecondFactor(t.Context(), change))
	o.wantUser(t, "removed", row{Email: o.email, Password: "none"})
	if n, err := users.On(s).RecoveryCodesLeft(t.Context(), o.id); n != 0 || err != nil {
		t.Errorf("%d recovery codes are left, %v", n, err)
	}
}
