package graph_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
)

// TestSomeoneElsesLink: a link works only for the user of its address, and attempts of other users
// do not use it up.
func TestSomeoneElsesLink(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, meant, other := signedIn(t, b), signedIn(t, b), signedIn(t, b)
	token := owner.invite(t, meant.account.Email, account.Owner).shown(t, "inviteMember")
	before := everything(t, b)
	b.accepts(t, other, token).want(t, "another user", http.StatusOK, "CONFLICT")
	b.accepts(t, owner, token).want(t, "the inviter", http.StatusOK, "CONFLICT")
	b.accepts(t, nil, token).want(t, "as a new user of a known address", http.StatusOK, "CONFLICT")
	b.do(t, call{query: accept, vars: vars{"input": vars{"token": token}}, token: "x.y.z"}).want(t, "a stale token", http.StatusUnauthorized, "UNAUTHENTICATED")
	b.do(t, call{query: preview, vars: vars{"token": token}, token: "x.y.z"}).want(t, "a stale token", http.StatusUnauthorized, "UNAUTHENTICATED")
	b.accepts(t, other, "x").wantFields(t, "no link", "token invalid_value")
	b.accepts(t, other, other.linkFor(t, notifications.VerifyAddress)).wantFields(t, "another link", "token invalid_value")
	b.exec(t, `DELETE FROM links WHERE purpose = 'VERIFY_ADDRESS'`)
	b.exec(t, `DELETE FROM outbox`)
	if everything(t, b) != before {
		t.Error("a refused try changed something")
	}
	b.accepts(t, meant, token).wantNone(t, "its user")
	meant.in(t, owner, `{ viewer { viewerRole } }`, nil).wantValues(t, "its user", map[string]any{"viewer.viewerRole": "OWNER"})
}

// TestAShownLinkProvesNoAddress: otherwise an owner could verify any address. A mailed link
// verifies it, for a new and a registered user, and then removes the access of an earlier holder.
func TestAShownLinkProvesNoAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	owner := signedIn(t, b)
	verified := func(u *user, want bool) {
		t.Helper()
		u.do(t, myAddress, nil).wantValues(t, "the address", map[string]any{"me.emailVerified": want})
	}
	for _, byMail := range []bool{false, true} {
		known := signedIn(t, b)
		squatting := known.again(t)
		b.exec(t, `UPDATE users SET second_factor_at = now(), second_factor_secret = 'x' WHERE id = $1`, known.account.OwnerID)
		address := uuid.NewString() + "@example.com"
		tokens := map[*user]string{known: owner.invite(t, known.account.Email, account.Viewer).shown(t, "inviteMember"),
			nil: owner.invite(t, address, account.Viewer).shown(t, "inviteMember")}
		if byMail {
			tokens[known], _ = b.posted(t, known.account.Email)
			tokens[nil], _ = b.posted(t, address)
		}
		for who, token := range tokens {
			b.accepts(t, who, token).wantNone(t, "joining")
		}
		verified(known, byMail)
		verified((&user{b: b, account: accounts.Owned{Email: address}}).again(t), byMail)
		known.do(t, `{ me { secondFactor } }`, nil).wantValues(t, "the factor", map[string]any{"me.secondFactor": !byMail})
		if gone := squatting.do(t, `{ me { id } }`, nil).code() == "UNAUTHENTICATED"; gone != byMail {
			t.Errorf("by mail %t, and the other sign-in has ended: %t", byMail, gone)
		}
	}
	proved := signedIn(t, b)
	b.exec(t, `UPDATE users SET email_verified_at = now(), second_factor_at = now(), second_factor_secret = 'x' WHERE id = $1`, proved.account.OwnerID)
	owner.invite(t, proved.account.Email, account.Viewer).wantNone(t, "inviting")
	token, err := b.posted(t, proved.account.Email)
	if err != nil {
		t.Fatal(err)
	}
	b.accepts(t, proved, token).wantNone(t, "a proved address")
	proved.do(t, `{ me { secondFactor } }`, nil).wantValues(t, "keeps its factor", map[string]any{"me.secondFactor": true})
}

// TestInvitationsOfFormerOwners: invitations and their mails become void when the inviter loses the
// ownership, in whatever way.
func TestInvitationsOfFormerOwners(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	owner := signedIn(t, b)
	for what, lose := range map[string]func(u *user){
		"demoted": func(u *user) {
			owner.do(t, setRole, vars{"id": u.account.OwnerID, "role": "EDITOR"}).wantNone(t, "demoting")
		},
		"removed":  func(u *user) { owner.do(t, removeMember, vars{"id": u.account.OwnerID}).wantNone(t, "removing") },
		"left":     func(u *user) { u.in(t, owner, leave, nil).wantNone(t, "leaving") },
		"by hand":  func(u *user) { u.join(t, owner, account.Viewer) },
		"silently": func(u *user) { b.exec(t, `DELETE FROM memberships WHERE user_id = $1`, u.account.OwnerID) },
	} {
		inviter, address := signedIn(t, b), uuid.NewString()+"@example.com"
		inviter.join(t, owner, account.Owner)
		token := inviter.in(t, owner, inviteMember, vars{"email": address, "role": "VIEWER"}).shown(t, "inviteMember")
		posted, err := b.posted(t, address)
		if err != nil {
			t.Fatal(err)
		}
		lose(inviter)
		for kind, token := range map[string]string{"shown": token, "mailed": posted} {
			b.do(t, call{query: preview, vars: vars{"token": token}}).wantValues(t, what, map[string]any{"invitation": nil})
			b.accepts(t, nil, token).wantFields(t, what+", "+kind, "token invalid_value")
		}
		if _, err := b.posted(t, address); err == nil {
			t.Errorf("%s: a mail is written still", what)
		}
	}
}

// TestOnesOwnRoleIsNotRaised: neither a former owner whose role was read earlier nor an invitation
// as an owner raises a role. The mutations require an owner: see TestAccess.
func TestOnesOwnRoleIsNotRaised(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	member.join(t, owner, account.Editor)
	change := accounts.MemberChange{AccountID: owner.account.ID, UserID: member.account.OwnerID, By: member.account.OwnerID}
	if _, err := accounts.On(b.store).SetMemberRole(t.Context(), change, account.Owner); err == nil {
		t.Error("a former owner becomes one again")
	}
	token := owner.invite(t, "grace@example.com", account.Owner).shown(t, "inviteMember")
	b.exec(t, `UPDATE users SET email = 'grace@example.com' WHERE id = $1`, member.account.OwnerID)
	b.accepts(t, member, token).want(t, "a member already", http.StatusOK, "CONFLICT")
	if role := owner.rolesIn(t)["grace@example.com"]; role != "EDITOR" {
		t.Errorf("the role is %s", role)
	}
}

// TestAnotherMembersThings: members are flat summaries, without access to their own objects.
func TestAnotherMembersThings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	member.join(t, owner, account.Viewer)
	member.again(t)
	event := owner.do(t, `{ me { events { nodes { id } } } }`, nil).text(t, "me.events.nodes.0.id")
	for what, id := range map[string]string{"the user": owner.account.OwnerID.String(), "an event": event} {
		member.in(t, owner, `query($id: ID!) { node(id: $id) { id } }`, vars{"id": id}).want(t, what, http.StatusOK, "NOT_FOUND")
	}
	a := owner.do(t, `{ viewer { members { userId } signIns { id } } me { memberships { account { accountId } } signIns { id } events { nodes { subject } } } }`, nil)
	if a.wantNone(t, "the owner"); a.list("viewer.signIns") != 1 || strings.Contains(a.body, member.account.ID.String()) {
		t.Errorf("an owner sees: %s", a.body)
	}
	end := `mutation($id: ID!) { endSignIn(input: {id: $id}) { endedSignInId } }`
	mine := member.do(t, `{ me { signIns { id } } }`, nil).text(t, "me.signIns.0.id")
	owner.do(t, end, vars{"id": mine}).want(t, "a member's sign-in", http.StatusOK, "NOT_FOUND")
}

// together runs n calls at once, and returns how many had no error.
func together(n int, do func(i int) bool) int {
	var done atomic.Int64
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if do(i) {
				done.Add(1)
			}
		})
	}
	all.Wait()
	return int(done.Load())
}

// TestLimitsOfMembersHoldInARace: 20 open invitations, and 50 members.
func TestLimitsOfMembersHoldInARace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := signedIn(t, b)
	var tokens []string
	const racing = 8
	for i := range account.MaxInvitations - racing/2 {
		tokens = append(tokens, owner.invite(t, "grace"+strconv.Itoa(i)+"@example.com", account.Viewer).shown(t, "inviteMember"))
	}
	invited := together(racing, func(i int) bool {
		a := owner.invite(t, "hopper"+strconv.Itoa(i)+"@example.com", account.Viewer)
		if a.code() != "" {
			a.want(t, "one too many", http.StatusOK, "CONFLICT")
		}
		return a.code() == ""
	})
	if n := owner.do(t, invitationsOf, nil).list("viewer.invitations"); invited != racing/2 || n != account.MaxInvitations {
		t.Errorf("%d were invited, %d are listed", invited, n)
	}
	for range account.MaxMembers - 3 {
		owner.colleague(t)
	}
	joined := together(racing, func(i int) bool {
		u := signedIn(t, b)
		b.exec(t, `UPDATE users SET email = $2 WHERE id = $1`, u.account.OwnerID, "grace"+strconv.Itoa(i)+"@example.com")
		return b.accepts(t, u, tokens[i]).code() == ""
	})
	if n := owner.do(t, membersOf, nil).list("viewer.members"); joined != 2 || n != account.MaxMembers {
		t.Errorf("%d joined, there are %d", joined, n)
	}
	owner.invite(t, "one-more@example.com", account.Viewer).want(t, "one more", http.StatusOK, "CONFLICT")
}

// TestOneLinkOnce: if several requests use one link at once, one of them joins.
func TestOneLinkOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := signedIn(t, b)
	token := owner.invite(t, "grace@example.com", account.Viewer).shown(t, "inviteMember")
	if n := together(4, func(int) bool { return b.accepts(t, nil, token).code() == "" }); n != 1 {
		t.Errorf("%d joined", n)
	}
}

// TestTwoOwnersRemoveEachOther: if two owners remove or demote each other, or leave, at once, one
// stays.
func TestTwoOwnersRemoveEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 5 {
		for what, do := range map[string]func(in, by, other *user) answer{
			"remove": func(in, by, other *user) answer { return by.in(t, in, removeMember, vars{"id": other.account.OwnerID}) },
			"demote": func(in, by, other *user) answer {
				return by.in(t, in, setRole, vars{"id": other.account.OwnerID, "role": "VIEWER"})
			},
			"leave": func(in, by, _ *user) answer { return by.in(t, in, leave, nil) },
		} {
			first, second := signedIn(t, b), signedIn(t, b)
			second.join(t, first, account.Owner)
			pair := [2]*user{first, second}
			n := together(2, func(i int) bool { return do(first, pair[i], pair[1-i]).code() == "" })
			var owners int
			row := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM memberships WHERE account_id = $1 AND role = 'OWNER'`, first.account.ID)
			if err := row.Scan(&owners); err != nil || n != 1 || owners != 1 {
				t.Errorf("%s: %d succeed, %d owners are left, %v", what, n, owners, err)
			}
		}
	}
}

// TestInvitationsByMailAreFew: an account sends at most 20 invitations a day, and 3 an hour to one
// address, renewals included.
func TestInvitationsByMailAreFew(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	owner := signedIn(t, b)
	id := owner.invite(t, "grace@example.com", account.Viewer).id(t, "inviteMember.invitation.id")
	for range 2 {
		owner.do(t, renewInvitation, vars{"id": id}).wantNone(t, "renewing")
	}
	owner.do(t, renewInvitation, vars{"id": id}).want(t, "the fourth to one address", http.StatusOK, "RATE_LIMITED")
	for i := range 17 {
		id := owner.invite(t, "hopper"+strconv.Itoa(i)+"@example.com", account.Viewer).id(t, "inviteMember.invitation.id")
		owner.do(t, revoke, vars{"id": id}).wantNone(t, "taking it back")
	}
	owner.invite(t, "hopper@example.com", account.Viewer).want(t, "the 21st of a day", http.StatusOK, "RATE_LIMITED")
	if n := len(b.mails(t, "hopper@example.com")); n != 0 {
		t.Errorf("%d mails of a refused invitation", n)
	}
}
