package identity_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
)

// TestOwnersAlone: a user who owns no account can neither sign in nor use an access token, from the next request on.
func TestOwnersAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	for _, role := range []string{"EDITOR", "VIEWER"} {
		b.exec(t, `UPDATE memberships SET role = $1`, role)
		if b.authentic(t, session.AccessToken) {
			t.Errorf("the token of an %s is taken", role)
		}
		_, err := b.SignIn(t.Context(), identity.SignInInput{Email: email, Password: password}, home)
		wantKind(t, "an "+role+" signs in", err, fault.InvalidCredentials)
		_, err = b.Renew(t.Context(), holding(session.RefreshToken))
		wantKind(t, "an "+role+" renews", err, fault.Unauthorized)
	}
	b.exec(t, `UPDATE memberships SET role = 'OWNER'`)
	if !b.authentic(t, session.AccessToken) {
		t.Error("the owner's token is refused")
	}
	b.signIn(t, home)
}

// TestTwoAccountsOfAUser: the user sees the first of several accounts, and the operator has to name one by its ID.
func TestTwoAccountsOfAUser(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	second := uuid.Must(uuid.NewV7())
	b.exec(t, `INSERT INTO accounts (id, name) VALUES ($1, 'Second')`, second)
	b.exec(t, `INSERT INTO memberships (account_id, user_id, role, created_at) VALUES ($1, $2, 'OWNER', now() + interval '1 hour')`,
		second, session.Principal.UserID)
	p, seen, err := b.Authenticate(t.Context(), session.AccessToken)
	if err != nil || seen.ID != session.Account.ID || p.AccountID != session.Account.ID {
		t.Errorf("%+v %+v %v", p, seen, err)
	}
	_, err = b.store.AccountByEmail(t.Context(), email)
	wantKind(t, "by address", err, fault.Conflict)
	if text := fault.ClientMessage(err); !strings.Contains(text, second.String()) || !strings.Contains(text, session.Account.ID.String()) {
		t.Errorf("the message names no ids: %s", text)
	}
	// The user stays for the second account when the first is deleted.
	if err := b.DeleteAccount(t.Context(), p, identity.Proof{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if _, seen, err = b.Authenticate(t.Context(), session.AccessToken); err != nil || seen.ID != second {
		t.Errorf("after the deletion: %+v %v", seen, err)
	}
	b.signIn(t, home)
}
