package identity_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
)

// TestPasswordGuessesOfASession checks that the guesses through a stolen token are limited over all
// operations, and do not affect the user's other sign-ins. Only right passwords reauthenticate, and
// they do not count.
func TestPasswordGuessesOfASession(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	p, others := session.Principal, b.signIn(t, home).Principal
	b.exec(t, `UPDATE sign_ins SET reauthenticated_at = reauthenticated_at - interval '10 minutes'`)
	reauthenticated := func() bool {
		p, _, err := b.second.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
		if err != nil {
			t.Fatal(err)
		}
		return p.Reauthenticated
	}
	wrong := identity.Reauthentication{Password: "wrong password"}
	guess := func() error { return confirm(t.Context(), b.Service, p, wrong.Password) }
	for range (identity.MaxGuesses - 1) / 3 {
		wantKind(t, "a guess", guess(), fault.InvalidCredentials)
		err := b.second.ChangePassword(t.Context(), p, wrong, password, home)
		wantKind(t, "a guess by a change", err, fault.InvalidCredentials)
		err = b.DeleteAccount(t.Context(), p, wrong, home)
		wantKind(t, "a guess by a deletion", err, fault.InvalidCredentials)
	}
	wantKind(t, "no password", confirm(t.Context(), b.Service, p, ""), fault.InvalidInput)
	renewed, err := b.Renew(t.Context(), holding(session.RefreshToken))
	if err != nil || reauthenticated() {
		t.Errorf("a wrong password or a renewal reauthenticates: %v", err)
	}
	if renewed.KnownBrowser != session.KnownBrowser || renewed.Account != session.Account {
		t.Errorf("a renewal changed the browser or the account: %+v, was %+v", renewed, session)
	}
	for range 2 {
		if err := confirm(t.Context(), b.Service, p, password); err != nil || !reauthenticated() {
			t.Fatalf("the right one: %v", err)
		}
	}
	wantKind(t, "the last guess", guess(), fault.InvalidCredentials)
	for what, err := range map[string]error{
		"one more":   confirm(t.Context(), b.second, p, password),
		"a change":   b.ChangePassword(t.Context(), p, given, password, home),
		"a deletion": b.DeleteAccount(t.Context(), p, given, home),
	} {
		wantKind(t, what, err, fault.RateLimited)
	}
	if err := confirm(t.Context(), b.second, others, password); err != nil {
		t.Errorf("another sign-in: %v", err)
	}
	b.signIn(t, home) // signing in is counted apart
	b.age(t, "15 minutes")
	if err := confirm(t.Context(), b.Service, p, password); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
	nobody := auth.Principal{AccountID: uuid.New(), SignInID: p.SignInID}
	wantKind(t, "of no user", confirm(t.Context(), b.Service, nobody, password), fault.Unauthorized)
}
