package accounts_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestSomeoneElsesInvitation: an invitation works only for the user of its address, and attempts by
// other users do not use it up.
func TestSomeoneElsesInvitation(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	to := address()
	meant, other := m.user(t, to, ""), m.user(t, address(), "")
	_, shown := m.invite(t, m.OwnerID, to, account.Owner)
	for who, id := range map[string]uuid.UUID{
		"another user":                  other,
		"the inviter":                   m.OwnerID,
		"a new user of a known address": uuid.Nil,
	} {
		wantKind(t, who, m.accept(t, shown, id, uuid.Nil), fault.Conflict)
	}
	verify := token()
	link := users.Link{Purpose: notifications.VerifyAddress, UserID: other, Email: to}
	if err := users.InsertLink(t.Context(), m.s, link, verify, users.LinkLifetime); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "a link of another purpose", m.accept(t, verify, other, uuid.Nil), fault.NotFound)
	wantKind(t, "no link", m.accept(t, token(), meant, uuid.Nil), fault.NotFound)
	if n := len(m.roles(t)); n != 1 {
		t.Errorf("%d members", n)
	}
	if err := m.accept(t, shown, meant, uuid.Nil); err != nil || m.roles(t)[meant] != account.Owner {
		t.Errorf("its user: %v %v", err, m.roles(t))
	}
}

// TestAMailedInvitationProvesTheAddress: a mailed link verifies the address of a new and of a known
// user. It ends access that was set up before: the second factor and other sign-ins. A shown link
// does neither, because an owner could then verify any address. A user who had verified the address
// keeps the second factor.
func TestAMailedInvitationProvesTheAddress(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	const state = `
		SELECT concat_ws(' ', email_verified_at IS NOT NULL, second_factor_at IS NOT NULL)
		FROM users WHERE email = $1`
	for _, c := range []struct {
		what             string
		known, verified  bool
		byMail, squatted bool
		want             string
	}{
		{what: "new, shown", want: "f f"},
		{what: "new, mailed", byMail: true, want: "t f"},
		{what: "known, shown", known: true, squatted: true, want: "f t"},
		{what: "known, mailed", known: true, byMail: true, want: "t f"},
		{what: "verified", known: true, verified: true, byMail: true, squatted: true, want: "t t"},
	} {
		to := address()
		var user, own, earlier uuid.UUID
		if c.known {
			user = storetest.Seed(t, m.s, storetest.Options{}).Account.OwnerID
			own, earlier = storetest.SignIn(t, m.s, user), storetest.SignIn(t, m.s, user)
			storetest.Exec(t, m.s, `
				UPDATE users SET email = $3, second_factor_at = now(), second_factor_secret = 'x',
					email_verified_at = CASE WHEN $2 THEN now() END
				WHERE id = $1`, user, c.verified, to)
		}
		_, link := m.invite(t, m.OwnerID, to, account.Viewer)
		if c.byMail {
			var err error
			if link, err = m.mailed(t, to); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.accept(t, link, user, own); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		var got string
		err := m.s.SQL().QueryRowContext(t.Context(), state, to).Scan(&got)
		if err != nil || got != c.want {
			t.Errorf("%s: verified and with a factor: %s, %v, want %s", c.what, got, err, c.want)
		}
		if c.known && (!storetest.SignInWorks(t, m.s, user, own) ||
			storetest.SignInWorks(t, m.s, user, earlier) != c.squatted) {
			t.Errorf("%s: the wrong sign-ins ended", c.what)
		}
	}
}

// TestInvitationsOfFormerOwners: shown and mailed invitations become void when their inviter loses
// ownership in any way.
func TestInvitationsOfFormerOwners(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	for what, statement := range map[string]string{
		"remove":   "",
		"demote":   "",
		"leave":    "",
		"by hand":  `UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1`,
		"silently": `DELETE FROM memberships WHERE user_id = $1`,
	} {
		to := address()
		inviter := m.user(t, address(), account.Owner)
		_, shown := m.invite(t, inviter, to, account.Viewer)
		mailed, err := m.mailed(t, to)
		if err != nil {
			t.Fatal(err)
		}
		if statement != "" {
			storetest.Exec(t, m.s, statement, inviter)
		} else if err := changes[what](t, m, m.OwnerID, inviter); err != nil {
			t.Fatal(err)
		}
		for kind, link := range map[string][32]byte{"shown": shown, "mailed": mailed} {
			_, err := accounts.On(m.s).Invitation(t.Context(), link)
			wantKind(t, what+", preview, "+kind, err, fault.NotFound)
			wantKind(t, what+", "+kind, m.accept(t, link, uuid.Nil, uuid.Nil), fault.NotFound)
		}
		_, err = m.mailed(t, to)
		wantKind(t, what+", a mail that is sent again", err, fault.NotFound)
	}
}

// TestVoidInvitations: a renewal voids the earlier links; a revocation or seven days void all.
func TestVoidInvitations(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	to := address()
	invited, first := m.invite(t, m.OwnerID, to, account.Viewer)
	renewal := accounts.NewInvitation{AccountID: m.ID, By: m.OwnerID, Shown: token()}
	renew := func(id uuid.UUID) error {
		return storetest.ErrOnly(accounts.On(m.s).RenewInvitation(t.Context(), id, renewal))
	}
	if err := renew(invited.ID); err != nil {
		t.Fatal(err)
	}
	wantKind(t, "the earlier link", m.accept(t, first, uuid.Nil, uuid.Nil), fault.NotFound)
	if _, err := accounts.On(m.s).Invitation(t.Context(), renewal.Shown); err != nil {
		t.Errorf("the new link: %v", err)
	}
	err := accounts.On(m.s).RevokeInvitation(t.Context(), m.ID, invited.ID, m.OwnerID)
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, "revoked", m.accept(t, renewal.Shown, uuid.Nil, uuid.Nil), fault.NotFound)
	wantKind(t, "renewing a revoked one", renew(invited.ID), fault.NotFound)

	late, shown := m.invite(t, m.OwnerID, to, account.Viewer)
	storetest.Exec(t, m.s, `UPDATE links SET expires_at = now()`)
	storetest.Exec(t, m.s, `UPDATE invitations SET expires_at = now()`)
	wantKind(t, "after seven days", m.accept(t, shown, uuid.Nil, uuid.Nil), fault.NotFound)
	_, err = accounts.On(m.s).Invitation(t.Context(), shown)
	wantKind(t, "its preview", err, fault.NotFound)
	wantKind(t, "renewing it then", renew(late.ID), fault.NotFound)
	m.invite(t, m.OwnerID, to, account.Viewer) // removes the expired one
	storetest.Exec(t, m.s, `UPDATE invitations SET expires_at = now() + interval '1 hour'`)
	if _, err := m.mailed(t, to); err != nil { // the seven days begin when the mail is sent
		t.Fatal(err)
	}
	open, err := accounts.On(m.s).Invitations(t.Context(), m.ID)
	if err != nil || len(open) != 1 || time.Until(open[0].ExpiresAt) < 6*24*time.Hour {
		t.Errorf("open after the mail was sent: %+v %v", open, err)
	}
	if n, err := accounts.On(m.s).PurgeInvitations(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
}

// TestAnInvitationIsUsedOnce: if several requests use a link at once, one of them joins.
func TestAnInvitationIsUsedOnce(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	_, shown := m.invite(t, m.OwnerID, address(), account.Viewer)
	n := storetest.AtOnce(t, 4, fault.NotFound, func() error {
		err := m.accept(t, shown, uuid.Nil, uuid.Nil)
		if fault.Is(err, fault.Conflict) { // the first one has the address
			err = fault.Wrap(fault.NotFound, err)
		}
		return err
	})
	if n != 1 || len(m.roles(t)) != 2 {
		t.Errorf("%d joined, there are %d members", n, len(m.roles(t)))
	}
}
