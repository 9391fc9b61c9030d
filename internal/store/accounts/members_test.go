package accounts_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// team is an account and its store.
type team struct {
	s *store.DB
	accounts.Owned
}

func newTeam(t *testing.T) team {
	t.Helper()
	s := storetest.New(t)
	return team{s, storetest.Seed(t, s, storetest.Options{}).Account}
}

// user inserts a user and returns the id. With a role, the user joins the account.
func (m team) user(t *testing.T, address string, role account.Role) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	storetest.Exec(t, m.s, `
		INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'Grace', 'none')`, id, address)
	if role != "" {
		storetest.Exec(t, m.s, `
			INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)`, m.ID, id, string(role))
	}
	return id
}

// address returns an unused address.
func address() string { return uuid.NewString() + "@example.com" }

// token returns the hash of a new token.
func token() [32]byte { return sha256.Sum256([]byte(uuid.NewString())) }

// invite invites an address and returns the token of the link that is shown.
func (m team) invite(t *testing.T, by uuid.UUID, to string, role account.Role,
) (account.Invitation, [32]byte) {
	t.Helper()
	shown := token()
	in := accounts.NewInvitation{
		AccountID: m.ID,
		Email:     to,
		Role:      role,
		By:        by,
		Shown:     shown,
		Mail:      true,
	}
	invited, err := accounts.On(m.s).Invite(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return invited, shown
}

// mailed returns the token in the last mail of an invitation, or the error of preparing that mail.
func (m team) mailed(t *testing.T, to string) ([32]byte, error) {
	t.Helper()
	mail := notifications.Outgoing{Message: notifications.InvitationLink, Address: to}
	row := m.s.SQL().QueryRowContext(t.Context(), `
		SELECT id FROM outbox WHERE message = 'INVITATION' AND address = $1 ORDER BY id DESC`, to)
	if err := row.Scan(&mail.ID); err != nil {
		t.Fatal(err)
	}
	hash := token()
	_, err := accounts.On(m.s).InvitationForMail(t.Context(), mail, hash)
	return hash, err
}

// accept accepts an invitation as a user, or as a new one if user is uuid.Nil.
func (m team) accept(t *testing.T, link [32]byte, user, signIn uuid.UUID) error {
	t.Helper()
	_, err := accounts.On(m.s).AcceptInvitation(t.Context(), accounts.Acceptance{
		Token:        link,
		UserID:       user,
		SignInID:     signIn,
		Name:         "Grace",
		PasswordHash: "none",
		By:           storetest.ByUser,
	})
	return err
}

// roles returns the roles of the account's members.
func (m team) roles(t *testing.T) map[uuid.UUID]account.Role {
	t.Helper()
	out := map[uuid.UUID]account.Role{}
	list, err := accounts.On(m.s).Members(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range list {
		out[member.UserID] = member.Role
	}
	return out
}

// changes are the ways in which an owner can lose ownership.
var changes = map[string]func(t *testing.T, m team, by, of uuid.UUID) error{
	"remove": func(t *testing.T, m team, by, of uuid.UUID) error {
		t.Helper()
		change := accounts.MemberChange{AccountID: m.ID, UserID: of, By: by}
		return accounts.On(m.s).RemoveMember(t.Context(), change, false)
	},
	"demote": func(t *testing.T, m team, by, of uuid.UUID) error {
		t.Helper()
		change := accounts.MemberChange{AccountID: m.ID, UserID: of, By: by}
		return storetest.ErrOnly(accounts.On(m.s).SetMemberRole(t.Context(), change, account.Viewer))
	},
	"leave": func(t *testing.T, m team, _, of uuid.UUID) error {
		t.Helper()
		change := accounts.MemberChange{AccountID: m.ID, UserID: of, By: of}
		return accounts.On(m.s).RemoveMember(t.Context(), change, false)
	},
}

func wantKind(t *testing.T, what string, err error, want fault.Kind) {
	t.Helper()
	if !fault.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

// TestTheLastOwnerStays: the last owner can neither leave nor be removed or demoted. If two owners
// do that to each other at once, one of them stays.
func TestTheLastOwnerStays(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	for what, change := range changes {
		for range 5 {
			storetest.Exec(t, m.s, `
				DELETE FROM memberships WHERE account_id = $1 AND user_id <> $2`, m.ID, m.OwnerID)
			storetest.Exec(t, m.s, `
				INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')
				ON CONFLICT (account_id, user_id) DO UPDATE SET role = 'OWNER'`, m.ID, m.OwnerID)
			wantKind(t, what, change(t, m, m.OwnerID, m.OwnerID), fault.Conflict)
			pair := make(chan [2]uuid.UUID, 2)
			second := m.user(t, address(), account.Owner)
			pair <- [2]uuid.UUID{m.OwnerID, second}
			pair <- [2]uuid.UUID{second, m.OwnerID}
			n := storetest.AtOnce(t, 2, fault.Conflict, func() error {
				p := <-pair
				return change(t, m, p[0], p[1])
			})
			owners := storetest.CountRows(t, m.s, `
				SELECT count(*) FROM memberships WHERE account_id = $1 AND role = 'OWNER'`, m.ID)
			if n != 1 || owners != 1 {
				t.Errorf("%s: %d succeed, %d owners are left", what, n, owners)
			}
		}
	}
}

// TestMembersCannotPromoteThemselves: neither a former owner, whose role a request read earlier,
// nor an invitation raises a member's role.
func TestMembersCannotPromoteThemselves(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	to := address()
	former := m.user(t, address(), account.Editor)
	change := accounts.MemberChange{AccountID: m.ID, UserID: former, By: former}
	_, err := accounts.On(m.s).SetMemberRole(t.Context(), change, account.Owner)
	wantKind(t, "a former owner", err, fault.Conflict)
	_, shown := m.invite(t, m.OwnerID, to, account.Owner)
	storetest.Exec(t, m.s, `UPDATE users SET email = $2 WHERE id = $1`, former, to)
	wantKind(t, "a member's invitation", m.accept(t, shown, former, uuid.Nil), fault.Conflict)
	if role := m.roles(t)[former]; role != account.Editor {
		t.Errorf("the role is %s", role)
	}
}

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

// TestLimitsOfMembers: at most 20 invitations are open and 50 users are members, even if requests
// run concurrently.
func TestLimitsOfMembers(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	const racing = 8
	invitations := make(chan func() error, racing)
	for i := range account.MaxInvitations - racing/2 {
		to := address()
		_, shown := m.invite(t, m.OwnerID, to, account.Viewer)
		if i < racing {
			user := m.user(t, to, "")
			invitations <- func() error { return m.accept(t, shown, user, uuid.Nil) }
		}
	}
	invite := func() error {
		in := accounts.NewInvitation{
			AccountID: m.ID,
			Email:     address(),
			Role:      account.Viewer,
			By:        m.OwnerID,
			Shown:     token(),
		}
		return storetest.ErrOnly(accounts.On(m.s).Invite(t.Context(), in))
	}
	invited := storetest.AtOnce(t, racing, fault.Conflict, invite)
	open, err := accounts.On(m.s).Invitations(t.Context(), m.ID)
	if err != nil || invited != racing/2 || len(open) != account.MaxInvitations {
		t.Errorf("%d were invited, %d are open, %v", invited, len(open), err)
	}
	for range account.MaxMembers - 3 {
		m.user(t, address(), account.Viewer)
	}
	joined := storetest.AtOnce(t, racing, fault.Conflict, func() error { return (<-invitations)() })
	if n := len(m.roles(t)); joined != 2 || n != account.MaxMembers {
		t.Errorf("%d joined, there are %d members", joined, n)
	}
	wantKind(t, "one more", invite(), fault.Conflict)
}
