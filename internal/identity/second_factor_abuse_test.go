package identity_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/users"
)

// TestGuessesOfCodes checks that wrong codes with the right password count like wrong passwords,
// per address and per sign-in, and that after twenty in a row the response names recovery codes.
func TestGuessesOfCodes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	d := b.setUp(t, p)
	confirm := func(code string) error {
		_, err := b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: code}, home)
		return err
	}
	for i := range identity.MaxGuesses {
		from := client(fmt.Sprintf("198.51.%d.1", i))
		wantKind(t, "a guess", b.enter(t, "let me in", from), fault.SecondFactorRequired)
		wantKind(t, "a guess of a sign-in", confirm("let me in"), fault.InvalidCredentials)
		if i == identity.MaxGuesses-2 {
			b.exec(t, `UPDATE users SET wrong_codes = 0`)
			if err := confirm(d.code(0)); err != nil { // which does not count
				t.Errorf("a right code: %v", err)
			}
		}
	}
	b.fresh(t)
	b.exec(t, `UPDATE users SET wrong_codes = $1`, users.MaxWrongCodes)
	wantKind(t, "one more", b.enter(t, d.code(0), client("203.0.113.1")), fault.RateLimited)
	wantKind(t, "one more of the sign-in", confirm(d.code(0)), fault.RateLimited)
	b.age(t, "15 minutes")
	err := b.enter(t, d.code(0))
	wantKind(t, "after twenty wrong codes", err, fault.SecondFactorRequired)
	if text := fault.ClientMessage(err); !strings.Contains(text, "recovery code") {
		t.Errorf("it says %q", text)
	}
}

// TestThePasswordAloneAgainstTheFactor checks that the password alone changes nothing, and that the
// work for a response reveals neither the factor nor whether a code was right.
func TestThePasswordAloneAgainstTheFactor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	d := b.setUp(t, p)
	used := d.code(0)
	if err := b.enter(t, used); err != nil {
		t.Fatal(err)
	}
	with := identity.Reauthentication{Password: password}
	changing := b.ChangePassword(t.Context(), p, with, another, home)
	_, confirming := b.Reauthenticate(t.Context(), p, with, home)
	_, renewing := b.RenewRecoveryCodes(t.Context(), p, with, home)
	_, starting := b.StartSecondFactor(t.Context(), p)
	for what, err := range map[string]error{"signing in": b.enter(t, ""), "changing the password": changing, "a proof": confirming,
		"new recovery codes": renewing, "removing the factor": b.RemoveSecondFactor(t.Context(), p, with, home),
		"deleting the account": b.DeleteAccount(t.Context(), p, with, home)} {
		wantKind(t, what, err, fault.SecondFactorRequired)
	}
	wantKind(t, "setting up another one", starting, fault.Conflict)

	statements := func(email, password, code string) int64 {
		before := b.statements.Load()
		_, _ = b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: code}, home)
		return b.statements.Load() - before
	}
	if factor, none := statements(email, "wrong password", "123456"), statements("nobody@example.com", "wrong password", "123456"); factor != none {
		t.Errorf("a wrong password takes %d statements with a factor, and %d at an unknown address", factor, none)
	}
	if wrong, again := statements(email, password, "let me in"), statements(email, password, used); wrong != again {
		t.Errorf("a wrong code takes %d statements, and one that was used %d", wrong, again)
	}
	_, again := b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: used}, home)
	wantKind(t, "a used code", again, fault.InvalidCredentials)
}
