package accounts_test

import (
	"crypto/sha256"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
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
