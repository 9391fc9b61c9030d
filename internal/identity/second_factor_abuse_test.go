package identity_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

func TestACodeTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	d := b.setUp(t, p)
	code := d.code(0)
	if err := b.enter(t, code); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "the code again", b.enter(t, code), fault.SecondFactorRequired)
	_, err := b.second.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: code}, client("198.51.100.1"))
	wantKind(t, "the code again, at another replica", err, fault.SecondFactorRequired)
	wantKind(t, "an older one", b.enter(t, d.code(-1)), fault.SecondFactorRequired)
	_, err = b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: code}, home)
	wantKind(t, "as a proof", err, fault.InvalidCredentials)
}

// once uses a code twenty times at once at two replicas, and returns the number of successes.
func (b *bench) once(t *testing.T, code string) int {
	t.Helper()
	var entered atomic.Int64
	var work sync.WaitGroup
	start := make(chan struct{})
	for i := range 2 * identity.MaxGuesses {
		work.Go(func() {
			<-start
			s := []*identity.Service{b.Service, b.second}[i%2]
			from := client(fmt.Sprintf("198.51.%d.1", 100+i))
			if _, err := s.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password, Code: code}, from); err == nil {
				entered.Add(1)
			}
		})
	}
	close(start)
	work.Wait()
	return int(entered.Load())
}

func TestACodeAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.setUp(t, b.signUp(t).Principal)
	if n := b.once(t, d.code(0)); n != 1 {
		t.Errorf("a code has let %d in", n)
	}
}

func TestARecoveryCodeTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.setUp(t, b.signUp(t).Principal)
	if n := b.once(t, d.recovery[0]); n != 1 {
		t.Errorf("a recovery code has let %d in", n)
	}
	b.age(t, "15 minutes")
	b.exec(t, `UPDATE users SET wrong_codes = 0`)
	wantKind(t, "the recovery code again", b.enter(t, d.recovery[0]), fault.SecondFactorRequired)
	other, err := b.SignUp(t.Context(), identity.SignUpInput{Email: "b@example.com", Password: password, Name: "Other"}, home)
	if err != nil {
		t.Fatal(err)
	}
	b.setUp(t, other.Principal)
	_, err = b.SignIn(t.Context(), identity.SignInInput{Email: "b@example.com", Password: password, Code: d.recovery[1]}, home)
	wantKind(t, "another user's recovery code", err, fault.SecondFactorRequired)
	if err := b.enter(t, d.recovery[1]); err != nil {
		t.Errorf("another one: %v", err)
	}
}

// TestGuessesFromManyAddressesForDays guesses codes with the right password from many networks: ten
// are checked in 15 minutes, and twenty in total. After that even a right code is refused until a
// recovery code is used.
func TestGuessesFromManyAddressesForDays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	d := b.setUp(t, session.Principal)
	guesses := 0
	for range users.MaxWrongCodes / identity.MaxGuesses {
		for range identity.MaxGuesses {
			guesses++
			wantKind(t, "a guess", b.enter(t, "let me in", client(fmt.Sprintf("198.51.%d.1", guesses))), fault.SecondFactorRequired)
		}
		wantKind(t, "one more", b.enter(t, d.code(0), client("203.0.113.1")), fault.RateLimited)
		b.age(t, "15 minutes")
	}
	err := b.enter(t, d.code(0), client("203.0.113.2"))
	wantKind(t, "the right one, after all these", err, fault.SecondFactorRequired)
	if !strings.Contains(fault.ClientMessage(err), "recovery code") {
		t.Errorf("it says %q", fault.ClientMessage(err))
	}
	_, err = b.Reauthenticate(t.Context(), session.Principal, identity.Reauthentication{Code: d.code(0)}, home)
	wantKind(t, "the right one as a proof", err, fault.InvalidCredentials)
	if err := b.enter(t, d.recovery[0], client("203.0.113.3")); err != nil {
		t.Fatalf("a recovery code: %v", err)
	}
	if err := b.enter(t, d.code(0), client("203.0.113.4")); err != nil {
		t.Errorf("the right one after that: %v", err)
	}
	b.exec(t, `UPDATE users SET wrong_codes = $1`, users.MaxWrongCodes)
	b.fresh(t)
	wantKind(t, "closed again", b.enter(t, d.code(0), client("203.0.113.5")), fault.SecondFactorRequired)
	by := audit.Entry{Actor: audit.ByOperator, Action: "account unlock"}
	if err := users.On(b.store).Unlock(t.Context(), session.Principal.UserID, identity.GuessKeys(b.tokens, email), by); err != nil {
		t.Fatal(err)
	}
	if err := b.enter(t, d.code(0), client("203.0.113.6")); err != nil {
		t.Errorf("unlocked: %v", err)
	}
}

// Guesses through a stolen sign-in are limited by it; right codes are not counted.
func TestGuessesOfCodesThroughASignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	d := b.setUp(t, p)
	try := func(code string) error {
		_, err := b.Reauthenticate(t.Context(), p, identity.Reauthentication{Code: code}, home)
		return err
	}
	for i := range identity.MaxGuesses {
		b.fresh(t)
		if err := try(d.code(0)); err != nil && i == 0 {
			t.Error(err)
		}
		wantKind(t, "a guess", try("let me in"), fault.InvalidCredentials)
	}
	b.fresh(t)
	wantKind(t, "one more", try(d.code(0)), fault.RateLimited)
	if err := b.enter(t, d.code(0)); err != nil {
		t.Errorf("signing in is counted apart: %v", err)
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
}

// TestTheFactorIsNotSkippedByRenewal checks that neither an earlier sign-in nor a pending set-up
// bypasses the factor.
func TestTheFactorIsNotSkippedByRenewal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := b.signUp(t)
	thief := b.signIn(t, client("203.0.113.9"))
	planted := b.begin(t, thief.Principal)
	b.setUp(t, owner.Principal)
	if _, err := b.Renew(t.Context(), holding(thief.RefreshToken)); !fault.Is(err, fault.Unauthorized) || b.authentic(t, thief.AccessToken) {
		t.Errorf("an earlier sign-in still works: %v", err)
	}
	_, err := b.ConfirmSecondFactor(t.Context(), thief.Principal, planted.code(0), home)
	wantKind(t, "confirming another factor", err, fault.Conflict)

	// The password was checked just before the factor was switched on.
	c, err := users.On(b.store).CredentialsByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	c.SecondFactorAt = nil
	_, err = users.On(b.store).CreateSignIn(t.Context(), c, users.NewSignIn{})
	wantKind(t, "a sign-in that raced the factor", err, fault.InvalidCredentials)
	earlier := time.Now().Add(-time.Hour)
	c.SecondFactorAt = &earlier
	_, err = users.On(b.store).CreateSignIn(t.Context(), c, users.NewSignIn{})
	wantKind(t, "a sign-in with a code of an earlier factor", err, fault.InvalidCredentials)
}

// TestTheFactorIsNotSkippedByAReset checks that a reset keeps the factor of a verified address. If
// another person had signed up with the address, the first verification removes that person's
// factor.
func TestTheFactorIsNotSkippedByAReset(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home).Principal
	p.setUp(t, me) // by a squatter
	p.exec(t, `UPDATE users SET wrong_codes = $1`, users.MaxWrongCodes)
	if err := p.reset(t, p.link(t)); err != nil {
		t.Fatal(err)
	}
	session, err := p.SignIn(t.Context(), identity.SignInInput{Email: email, Password: another}, home)
	if err != nil {
		t.Fatalf("after the first proof: %v", err)
	}
	if left, err := p.RecoveryCodesLeft(t.Context(), me); left != 0 || err != nil {
		t.Errorf("%d of the squatter's recovery codes are left, %v", left, err)
	}
	d := p.setUp(t, session.Principal)
	p.exec(t, `UPDATE users SET wrong_codes = $1`, users.MaxWrongCodes)
	if _, err := p.ResetPassword(t.Context(), p.link(t), password, home); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "after a reset, the new password alone", p.enter(t, ""), fault.SecondFactorRequired)
	// Otherwise a reader of the mail could continue guessing after each reset.
	wantKind(t, "a right code, which stays closed", p.enter(t, d.code(0)), fault.SecondFactorRequired)
	if err := p.enter(t, d.recovery[0]); err != nil {
		t.Errorf("a recovery code: %v", err)
	}
	if err := p.enter(t, d.code(0)); err != nil {
		t.Errorf("a code after the recovery code: %v", err)
	}
}
