package graph_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/account"
)

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
	a := owner.do(t, `{ viewer { members { userId } signIns { id } } me { memberships { account {
		accountId } } signIns { id } events { nodes { subject } } } }`, nil)
	if a.wantNone(t, "the owner"); a.list("viewer.signIns") != 1 || strings.Contains(a.body, member.account.ID.String()) {
		t.Errorf("an owner sees: %s", a.body)
	}
	end := `mutation($id: ID!) { endSignIn(input: {id: $id}) { endedSignInId } }`
	mine := member.do(t, `{ me { signIns { id } } }`, nil).text(t, "me.signIns.0.id")
	owner.do(t, end, vars{"id": mine}).want(t, "a member's sign-in", http.StatusOK, "NOT_FOUND")
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
	if strings.Contains(rows(t, b, "outbox"), "hopper@example.com") {
		t.Error("a refused invitation is mailed")
	}
}
