package identity_test

import (
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
)

// TestDeleteAccount: only with the password, which is throttled; both replicas refuse its tokens at once, and the address can
// sign up anew, without the starting credits.
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	other := b.signIn(t, home)
	if err := b.DeleteAccount(t.Context(), session.Principal, identity.Reauthentication{Password: ""}, home); !fault.Is(err, fault.InvalidInput) {
		t.Errorf("no password: %v", err)
	}
	for range identity.MaxGuesses {
		wantKind(t, "a wrong password", b.DeleteAccount(t.Context(), session.Principal, identity.Reauthentication{Password: "wrong password"}, home), fault.InvalidCredentials)
	}
	wantKind(t, "one guess more", b.second.DeleteAccount(t.Context(), session.Principal, identity.Reauthentication{Password: password}, home), fault.RateLimited)
	if !b.authentic(t, session.AccessToken) {
		t.Error("guesses ended the sign-in")
	}
	b.age(t, "15 minutes")
	if err := b.second.DeleteAccount(t.Context(), session.Principal, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if b.authentic(t, session.AccessToken) || b.authentic(t, other.AccessToken) {
		t.Error("a token of the deleted account is taken")
	}
	_, err := b.Renew(t.Context(), holding(other.RefreshToken))
	wantKind(t, "renewing", err, fault.Unauthorized)
	_, err = b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
	wantKind(t, "signing in", err, fault.InvalidCredentials)
	wantKind(t, "twice", b.DeleteAccount(t.Context(), session.Principal, identity.Reauthentication{Password: password}, home), fault.Unauthorized)
	again := b.signUp(t)
	if again.Account.ID == session.Account.ID || again.Account.CreditBalance != 0 {
		t.Errorf("the address anew: %+v", again.Account)
	}
}
