package identity_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
)

func TestChangePassword(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other, own := b.signUp(t), b.signIn(t, home)
	given := identity.Reauthentication{Password: "wrong password"}
	err := b.ChangePassword(t.Context(), own.Principal, given, another, home)
	wantKind(t, "a wrong password", err, fault.InvalidCredentials)
	if !b.authentic(t, other.AccessToken) {
		t.Error("a refused change ended a sign-in")
	}
	given.Password = password
	if err := b.ChangePassword(t.Context(), own.Principal, given, another, home); err != nil {
		t.Fatal(err)
	}
	if !b.authentic(t, own.AccessToken) || b.authentic(t, other.AccessToken) {
		t.Error("the wrong sign-ins ended")
	}
	_, err = b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
	wantKind(t, "the old password", err, fault.InvalidCredentials)
	again, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: another}, home)
	if err != nil {
		t.Fatalf("the new password: %v", err)
	}
	if err := b.SignOutEverywhere(t.Context(), own.Principal, home); err != nil {
		t.Fatal(err)
	}
	if b.authentic(t, own.AccessToken) || b.authentic(t, again.AccessToken) {
		t.Error("a sign-in works after signing out everywhere")
	}
}

func TestReauthenticate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p := session.Principal
	confirmed := func() bool {
		p, _, err := b.second.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
		if err != nil {
			t.Fatal(err)
		}
		return p.Reauthenticated
	}
	b.exec(t, `UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
	if confirmed() {
		t.Error("confirmed after ten minutes")
	}
	wantKind(t, "no password", confirm(t.Context(), b.Service, p, ""), fault.InvalidInput)
	wantKind(t, "a wrong password", confirm(t.Context(), b.Service, p, "wrong password"), fault.InvalidCredentials)
	if _, err := b.Renew(t.Context(), holding(session.RefreshToken)); err != nil || confirmed() {
		t.Errorf("a wrong password or a renewal confirms: %v", err)
	}
	if err := confirm(t.Context(), b.Service, p, password); err != nil || !confirmed() {
		t.Errorf("not confirmed: %v", err)
	}
	nobody := auth.Principal{AccountID: uuid.New(), SignInID: p.SignInID}
	wantKind(t, "of no user", confirm(t.Context(), b.Service, nobody, password), fault.Unauthorized)
	if err := b.SignOut(t.Context(), "", &p, home); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "of an ended sign-in", confirm(t.Context(), b.Service, p, password), fault.Unauthorized)
}

// TestPasswordGuessesOfASession checks that the guesses through a stolen token are limited over all
// operations, and do not affect the user's other sign-ins. Right passwords do not count.
func TestPasswordGuessesOfASession(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.signUp(t).Principal
	others := b.signIn(t, home).Principal
	for i := range identity.MaxGuesses - 1 {
		var err error
		if i%2 == 0 {
			err = confirm(t.Context(), b.Service, p, "wrong password")
		} else {
			err = b.second.ChangePassword(t.Context(), p, identity.Reauthentication{Password: "wrong password"}, password, home)
		}
		wantKind(t, "a guess", err, fault.InvalidCredentials)
	}
	for range 2 {
		if err := confirm(t.Context(), b.Service, p, password); err != nil {
			t.Fatalf("the right one: %v", err)
		}
	}
	err := b.ChangePassword(t.Context(), p, identity.Reauthentication{Password: "wrong password"}, password, home)
	wantKind(t, "the last guess", err, fault.InvalidCredentials)
	wantKind(t, "one more", confirm(t.Context(), b.second, p, password), fault.RateLimited)
	err = b.ChangePassword(t.Context(), p, identity.Reauthentication{Password: password}, password, home)
	wantKind(t, "the other way", err, fault.RateLimited)
	wantKind(t, "the third", b.DeleteAccount(t.Context(), p, identity.Reauthentication{Password: password}, home), fault.RateLimited)
	if err := confirm(t.Context(), b.second, others, password); err != nil {
		t.Errorf("another sign-in: %v", err)
	}
	b.signIn(t, home) // which is counted apart
	b.age(t, "15 minutes")
	if err := confirm(t.Context(), b.Service, p, password); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
}
