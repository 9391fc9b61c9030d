package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/mail"
	"agentchat/internal/store/accounts"
)

const (
	inviteMember = `mutation($email: String!, $role: Role!) { inviteMember(input: {email: $email, role: $role}) {
		invitation { id email role invitedBy { kind actorId name } createdAt expiresAt } link } }`
	renewInvitation = `mutation($id: ID!) { renewInvitation(input: {id: $id}) { invitation { id
		invitedBy { actorId } } link } }`
	revoke = `mutation($id: ID!) { revokeInvitation(input: {id: $id}) { revokedInvitationId } }`
	accept = `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) {
		account { accountId name creditsAvailable } } }`
	setRole = `mutation($id: ID!, $role: Role!) { setMemberRole(input: {userId: $id, role:
		$role}) { member { userId role } } }`
	removeMember  = `mutation($id: ID!) { removeMember(input: {userId: $id}) { userId } }`
	leave         = `mutation { leaveAccount { ok } }`
	openAccount   = `mutation { createAccount(input: {name: "Mine"}) { account { accountId name creditsAvailable } } }`
	membersOf     = `{ viewer { members { userId name email role since secondFactor lastSeenAt } } }`
	invitationsOf = `{ viewer { invitations { id email role invitedBy { name } } } }`
	preview       = `query($token: String!) { invitation(token: $token) { accountName email role
		invitedBy expiresAt known } }`
)

// colleague adds another owner to the account and returns the user's id.
func (u *user) colleague(t *testing.T) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	u.b.exec(t, `INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'Colleague', $3)`,
		id, id.String()+"@example.com", passwordHash)
	u.b.exec(t, `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'OWNER')`, u.account.ID, id)
	return id
}

// invited creates an invitation of the user to another account, and returns its token.
func (u *user) invited(t *testing.T) string {
	t.Helper()
	inviting, err := accounts.On(u.b.store).CreateAccount(t.Context(), accounts.NewAccount{
		Email: uuid.NewString() + "@example.com", Name: "Inviting", PasswordHash: passwordHash})
	if err != nil {
		t.Fatal(err)
	}
	text, hash := mail.NewToken()
	if _, err := accounts.On(u.b.store).Invite(t.Context(), accounts.NewInvitation{
		AccountID: inviting.ID, Email: u.account.Email, Role: account.Viewer,
		By: inviting.OwnerID, Shown: hash}); err != nil {
		t.Fatal(err)
	}
	return text
}

func (u *user) invite(t *testing.T, address string, role account.Role) answer {
	t.Helper()
	return u.in(t, u, inviteMember, vars{"email": address, "role": role})
}

// shown returns the token of the link in the response of an invitation.
func (a answer) shown(t *testing.T, mutation string) string {
	t.Helper()
	link := a.text(t, mutation+".link")
	token, ok := strings.CutPrefix(link, "http://localhost:8080/invitation#token=")
	if !ok {
		t.Fatalf("the link is %s", link)
	}
	return token
}

// accepts uses a link as the signed-in user or, for nil, as a new user.
func (b *bench) accepts(t *testing.T, u *user, token string) answer {
	t.Helper()
	if u == nil {
		return b.do(t, call{query: accept, vars: vars{"input": vars{"token": token, "name": "Grace", "password": password}}})
	}
	return b.do(t, call{query: accept, vars: vars{"input": vars{"token": token}}, token: u.token})
}

// TestANewUserJoins: a new user joins with the shown link.
func TestANewUserJoins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := signedIn(t, b)
	const address = "grace@example.com"
	invited := owner.invite(t, " Grace@Example.com ", account.Editor)
	invited.wantValues(t, "the invitation", map[string]any{
		"inviteMember.invitation.email":          address,
		"inviteMember.invitation.role":           "EDITOR",
		"inviteMember.invitation.invitedBy.kind": "USER",
		"inviteMember.invitation.invitedBy.name": owner.account.Email,
	})
	owner.do(t, invitationsOf, nil).
		wantValues(t, "the list", map[string]any{"viewer.invitations.0.email": address})
	owner.invite(t, address, account.Viewer).want(t, "once more", http.StatusOK, "CONFLICT")
	owner.invite(t, owner.account.Email, account.Viewer).want(t, "a member", http.StatusOK, "CONFLICT")
	owner.invite(t, "grace", account.Viewer).wantFields(t, "no address", "email invalid_value")

	token := invited.shown(t, "inviteMember")
	look := call{query: preview, vars: vars{"token": token}}
	b.do(t, look).wantValues(t, "the preview", map[string]any{
		"invitation.email":       address,
		"invitation.accountName": "Ada",
		"invitation.role":        "EDITOR",
		"invitation.invitedBy":   owner.account.Email,
		"invitation.known":       false,
	})
	b.do(t, call{query: accept, vars: vars{"input": vars{"token": token, "password": "short"}}}).
		wantFields(t, "a bad name and password", "name blank", "password too_short")
	for _, query := range []call{look, {query: accept, vars: vars{"input": vars{"token": token}}}} {
		query.token = "x.y.z"
		b.do(t, query).want(t, "with a stale token", http.StatusUnauthorized, "UNAUTHENTICATED")
	}
	b.accepts(t, owner, token).want(t, "another user's link", http.StatusOK, "CONFLICT")
	b.accepts(t, nil, token).wantValues(t, "joining", map[string]any{
		"acceptInvitation.account.accountId":        owner.account.ID.String(),
		"acceptInvitation.account.creditsAvailable": 100,
	})
	b.do(t, look).wantValues(t, "a used one", map[string]any{"invitation": nil})
	b.accepts(t, nil, token).wantFields(t, "again", "token invalid_value")
	owner.do(t, membersOf, nil).wantValues(t, "the members", map[string]any{
		"viewer.members.1.email": address,
		"viewer.members.1.role":  "EDITOR",
		"viewer.members.2":       nil,
	})
}

// TestInvitationPayloads: a renewal shows a new link, and what is revoked is gone.
func TestInvitationPayloads(t *testing.T) {
	t.Parallel()
	owner := signedIn(t, newBench(t))
	invited := owner.invite(t, "grace@example.com", account.Viewer)
	id := invited.id(t, "inviteMember.invitation.id")
	renewed := owner.do(t, renewInvitation, vars{"id": id})
	renewed.wantValues(t, "renewing", map[string]any{
		"renewInvitation.invitation.id":                id.String(),
		"renewInvitation.invitation.invitedBy.actorId": owner.account.OwnerID.String(),
	})
	if renewed.shown(t, "renewInvitation") == invited.shown(t, "inviteMember") {
		t.Error("the link is the same")
	}
	owner.do(t, revoke, vars{"id": id}).
		wantValues(t, "revoking", map[string]any{"revokeInvitation.revokedInvitationId": id.String()})
}

// TestInvitationsByMailAreFew: an account sends at most 20 invitations a day, and 3 an hour to one
// address, renewals included.
func TestInvitationsByMailAreFew(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	owner := signedIn(t, b)
	invite := func(address string) uuid.UUID {
		return owner.invite(t, address, account.Viewer).id(t, "inviteMember.invitation.id")
	}
	id := invite("grace@example.com")
	for range 2 {
		owner.do(t, renewInvitation, vars{"id": id}).wantNone(t, "renewing")
	}
	owner.do(t, renewInvitation, vars{"id": id}).
		want(t, "the fourth to one address", http.StatusOK, "RATE_LIMITED")
	for range 17 {
		id := invite(uuid.NewString() + "@example.com")
		owner.do(t, revoke, vars{"id": id}).wantNone(t, "taking it back")
	}
	owner.invite(t, "hopper@example.com", account.Viewer).
		want(t, "the 21st of a day", http.StatusOK, "RATE_LIMITED")
	if strings.Contains(rows(t, b, "outbox"), "hopper@example.com") {
		t.Error("a refused invitation is mailed")
	}
}

// TestRolesAndLeaving: an owner sets roles and removes members, and members leave. The refusal of
// the last owner says why.
func TestRolesAndLeaving(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	member.join(t, owner, account.Viewer)
	id := member.account.OwnerID
	last := owner.do(t, leave, nil)
	if last.want(t, "the last owner", http.StatusOK, "CONFLICT"); !strings.Contains(last.body, "needs at least one owner") {
		t.Errorf("the last owner: %s", last.body)
	}
	owner.do(t, setRole, vars{"id": id, "role": "EDITOR"}).
		wantValues(t, "a role", map[string]any{"setMemberRole.member.role": "EDITOR"})
	owner.do(t, removeMember, vars{"id": id}).
		wantValues(t, "removing", map[string]any{"removeMember.userId": id.String()})
	member.join(t, owner, account.Viewer)
	member.in(t, owner, leave, nil).wantNone(t, "leaving")
}

// TestAUserWithoutAnAccount: such a user signs in, reads the own profile and opens an account.
func TestAUserWithoutAnAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	member := signedIn(t, b)
	b.exec(t, `DELETE FROM memberships WHERE user_id = $1`, member.account.OwnerID)
	member = member.again(t)
	member.do(t, `{ me { email memberships { role } } viewer { id } }`, nil).wantValues(t, "oneself", map[string]any{
		"me.email": member.account.Email, "me.memberships.0": nil, "viewer": nil})
	opened := member.do(t, openAccount, nil)
	opened.wantValues(t, "an account", map[string]any{"createAccount.account.name": "Mine",
		"createAccount.account.creditsAvailable": 0})
	member.do(t, `{ viewer { id viewerRole } }`, nil).wantValues(t, "the new account", map[string]any{
		"viewer.id": opened.text(t, "createAccount.account.accountId"), "viewer.viewerRole": "OWNER"})

	closed := newBench(t, func(o *options) { o.identity.SignUpOpen = func() bool { return false } })
	signedIn(t, closed).do(t, openAccount, nil).want(t, "where sign-up is closed", http.StatusOK, "SIGN_UP_CLOSED")
}

// TestDeletingAnAccountWithMembers: users who are left without an account are deleted, and so are
// invitations. Other users stay.
func TestDeletingAnAccountWithMembers(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	owner, other := signedIn(t, b), signedIn(t, b)
	other.join(t, owner, account.Editor)
	colleague := owner.colleague(t)
	owner.invite(t, "grace@example.com", account.Viewer).wantNone(t, "inviting")
	owner.do(t, `mutation($p: String!) { deleteAccount(input: {password: $p}) { ok } }`,
		vars{"p": password}).wantNone(t, "deleting")
	left := rows(t, b, "users", "invitations", "outbox")
	if strings.Contains(left, colleague.String()) || strings.Contains(left, "grace@example.com") ||
		!strings.Contains(left, other.account.Email) {
		t.Errorf("left: %s", left)
	}
}
