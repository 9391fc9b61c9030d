package identity_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/operator"
)

// TestMembersAlone: members of every role sign in, and so does a user who is a member of no account, who has none and no role.
func TestMembersAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	session := b.signUp(t)
	for _, role := range []account.Role{account.Viewer, account.Editor, account.Owner} {
		b.exec(t, `UPDATE memberships SET role = $1`, string(role))
		p, _, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
		if err != nil || p.Role != role || p.Several {
			t.Errorf("a member as %s: %+v %v", role, p, err)
		}
		if again := b.signIn(t, home); again.Principal.Role != role {
			t.Errorf("signed in as %s: %+v", role, again.Principal)
		}
	}
	b.exec(t, `DELETE FROM memberships`)
	p, none, err := b.Authenticate(t.Context(), session.AccessToken, session.Account.ID, home)
	if err != nil || none.ID != uuid.Nil || p.AccountID != uuid.Nil || p.Role != "" || p.Several || p.UserID != session.Principal.UserID {
		t.Errorf("a user without an account: %+v %+v %v", p, none, err)
	}
	if again := b.signIn(t, home); again.Account.ID != uuid.Nil || again.Principal.Role != "" {
		t.Errorf("a user without an account signs in: %+v", again)
	}
	if renewed, err := b.Renew(t.Context(), holding(session.RefreshToken)); err != nil || renewed.Account.ID != uuid.Nil {
		t.Errorf("a user without an account renews: %+v %v", renewed, err)
	}
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
	p, seen, err := b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home)
	if err != nil || seen.ID != session.Account.ID || p.AccountID != session.Account.ID || !p.Several {
		t.Errorf("%+v %+v %v", p, seen, err)
	}
	if p, seen, err := b.Authenticate(t.Context(), session.AccessToken, second, home); err != nil || seen.ID != second || p.AccountID != second {
		t.Errorf("the second by its ID: %+v %+v %v", p, seen, err)
	}
	_, err = operator.On(b.store).AccountByEmail(t.Context(), email)
	wantKind(t, "by address", err, fault.Conflict)
	if text := fault.ClientMessage(err); !strings.Contains(text, second.String()) || !strings.Contains(text, session.Account.ID.String()) {
		t.Errorf("the message names no ids: %s", text)
	}
	// The user stays for the second account when the first is deleted.
	if err := b.DeleteAccount(t.Context(), p, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	if _, seen, err = b.Authenticate(t.Context(), session.AccessToken, uuid.Nil, home); err != nil || seen.ID != second {
		t.Errorf("after the deletion: %+v %v", seen, err)
	}
	b.signIn(t, home)
}
