package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/graph"
	"agentchat/internal/account"
)

// forOneself are the operations about the user alone, and forOwners those that only owners may use, as ownersFields are the fields that only
// they may read, and ownersNodes the types that only they find as nodes. Viewers may use all other queries, and leave; editors everything else.
var (
	forOneself = []string{"me", "confirmPassword", "changePassword", "signOutEverywhere", "endSignIn",
		"startSecondFactor", "confirmSecondFactor", "removeSecondFactor", "renewRecoveryCodes",
		"requestEmailVerification", "changeEmail", "createAccount"}
	forOwners = []string{"updateAccount", "deleteAccount",
		"inviteMember", "renewInvitation", "revokeInvitation", "setMemberRole", "removeMember",
		"createAccountToken", "removeAccountToken"}
	ownersFields = []string{"invitations", "auditLog", "accountTokens"} // of Account
	ownersNodes  = []string{"AccountToken", "AuditEntry", "Invitation"}
)

// exec runs a statement.
func (b *bench) exec(t *testing.T, text string, args ...any) {
	t.Helper()
	if _, err := b.store.SQL().ExecContext(t.Context(), text, args...); err != nil {
		t.Fatal(err)
	}
}

// join makes a user a member of another one's account.
func (u *user) join(t *testing.T, of *user, role account.Role) {
	t.Helper()
	u.b.exec(t, `
		INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)
		ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`, of.account.ID, u.account.OwnerID, string(role))
}

// in sends a request in an account.
func (u *user) in(t *testing.T, of *user, query string, v vars) answer {
	t.Helper()
	return u.b.do(t, call{query: query, vars: v, token: u.token, header: map[string]string{"X-Account-Id": of.account.ID.String()}})
}

// TestEveryOperationByRole: each role may use what it is meant to, and a refused operation changes nothing.
func TestEveryOperationByRole(t *testing.T) {
	t.Parallel()
	for _, role := range []account.Role{account.Owner, account.Editor, account.Viewer, ""} {
		t.Run(string(role)+" member", func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			owner, member := signedIn(t, b), signedIn(t, b)
			owned := owner.world(t)
			join := func() {
				if role != "" {
					member.join(t, owner, role)
				}
			}
			join()
			walk(t, b, owned, func(o operation, query string, v vars) (a answer, want string, called bool) {
				name := o.field.Name
				if slices.Contains(forOneself, name) || name == "deleteAccount" && role == account.Owner {
					return answer{}, "", false
				}
				defer join() // also after leaving
				return member.in(t, owner, query, v), mayUse(role, o), true
			})
		})
	}
}

// TestFieldsOfOwners: for others they are null, with FORBIDDEN beside, and all else is answered.
func TestFieldsOfOwners(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	for _, role := range []account.Role{account.Owner, account.Editor, account.Viewer} {
		member.join(t, owner, role)
		for _, name := range ownersFields {
			inner := schema.Types["Account"].Fields.ForName(name).Type.Name()
			a := member.in(t, owner, `{ viewer { name `+name+selection(schema, inner, 1)+` } }`, nil)
			if got := a.get("viewer." + name); a.text(t, "viewer.name") != owner.account.Name || (got != nil) != (role == account.Owner) || (a.code() == "FORBIDDEN") == (role == account.Owner) {
				t.Errorf("%s as %s: %s", name, role, a.body)
			}
		}
	}
}

// TestNodeTypesByRole: a type that is found as a node is every member's only if it is listed as that.
func TestNodeTypesByRole(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	for _, def := range schema.GetPossibleTypes(schema.Types["Node"]) {
		want := account.Viewer
		if slices.Contains(ownersNodes, def.Name) {
			want = account.Owner
		}
		if got := graph.LeastRole(def.Name); got != want {
			t.Errorf("%s takes %s, want %s", def.Name, got, want)
		}
	}
	if got := graph.LeastRole("Novelty"); got != account.Owner {
		t.Errorf("a new type takes %s", got)
	}
}

// TestEveryOperationByToken: a token may do what a member of its role does, without what is a person's.
func TestEveryOperationByToken(t *testing.T) {
	t.Parallel()
	for _, role := range []account.Role{account.Editor, account.Viewer} {
		t.Run(string(role)+" token", func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			owner := signedIn(t, b)
			owned := owner.world(t)
			token := owner.newToken(t, role)
			walk(t, b, owned, func(o operation, query string, v vars) (a answer, want string, called bool) {
				name := o.field.Name
				want = mayUse(role, o)
				switch {
				case slices.Contains(forOneself, name) || slices.Contains([]string{"sendTestMessage", "testMessage", "leaveAccount"}, name):
					want = "FORBIDDEN"
				case want == "" && slices.Contains(guarded, name):
					want = "REAUTHENTICATION_REQUIRED"
				}
				return b.do(t, call{query: query, vars: v, token: token}), want, true
			})
		})
	}
}

// mayUse is the code with which a member of a role, if any, is refused an operation; empty if it is not.
func mayUse(role account.Role, o operation) string {
	if role == account.Owner || role == account.Editor && !slices.Contains(forOwners, o.field.Name) ||
		role == account.Viewer && (o.kind == "query" || o.field.Name == "leaveAccount") {
		return ""
	}
	return "FORBIDDEN"
}

// walk calls every operation that is not public with what an account owns. Those that are wanted to be refused have to be, with that code,
// and without having changed or told anything. What only owners see may be FORBIDDEN in an answer.
func walk(t *testing.T, b *bench, owned ids, send func(o operation, query string, v vars) (a answer, want string, called bool)) {
	t.Helper()
	schema := parsed(t)
	allowed := 0
	for _, o := range operations(schema) {
		if o.public() {
			continue
		}
		before := everything(t, b)
		f := &filler{t: t, schema: schema, owned: owned, found: map[string]string{}}
		a, want, called := send(o, o.document(schema), f.arguments(o))
		refused := len(a.Errors) > 0 && len(a.Errors[0].Path) == 1 && a.Errors[0].Path[0] == o.field.Name || a.Data == nil
		switch {
		case !called:
		case want == "" && refused && slices.Contains([]string{"FORBIDDEN", "REAUTHENTICATION_REQUIRED", "UNAUTHENTICATED"}, a.code()):
			t.Errorf("%s is refused: %s", o.field.Name, a.body)
		case want == "":
			allowed++
		case !refused || a.code() != want:
			t.Errorf("%s is not refused as %s: %s", o.field.Name, want, a.body)
		case everything(t, b) != before || strings.Contains(a.body, owned["agent"].String()):
			t.Errorf("%s was refused, and changed or told something", o.field.Name)
		}
	}
	t.Logf("%d operations are allowed", allowed)
}

// TestARoleCountsFromTheNextRequest: also one that was taken away.
func TestARoleCountsFromTheNextRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	input := vars{"input": vars{"name": "Shop"}}
	member.join(t, owner, account.Editor)
	member.in(t, owner, createAgent, input).wantNone(t, "an editor")
	member.join(t, owner, account.Viewer)
	member.in(t, owner, createAgent, input).want(t, "a viewer", http.StatusOK, "FORBIDDEN")
	if len(b.log.lines(`"code":"FORBIDDEN"`)) != 1 {
		t.Error("the log does not tell of the refused viewer")
	}
	b.exec(t, `DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, owner.account.ID, member.account.OwnerID)
	member.in(t, owner, `{ viewer { id } }`, nil).want(t, "who has left", http.StatusOK, "FORBIDDEN")
	member.do(t, `{ viewer { id } }`, nil).wantValues(t, "their own", map[string]any{"viewer.id": member.account.ID.String()})
}

// TestOneRequestOneAccount: a user of two accounts sees nothing of the one in a request about the other, through no field, node or cursor.
func TestOneRequestOneAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	first, second := signedIn(t, b), signedIn(t, b)
	mine, theirs := first.world(t), second.world(t)
	first.join(t, second, account.Owner)
	for _, o := range operations(schema) {
		if o.kind != "query" || o.public() || o.field.Name == "me" {
			continue
		}
		f := &filler{t: t, schema: schema, owned: mine, found: map[string]string{}}
		a := first.in(t, first, o.document(schema), f.arguments(o))
		b := first.in(t, second, o.document(schema), (&filler{t: t, schema: schema, owned: theirs, found: map[string]string{}}).arguments(o))
		a.wantNone(t, o.field.Name+" in the first account")
		b.wantNone(t, o.field.Name+" in the second account")
		for kind, id := range theirs {
			if kind != "signin" && kind != "actor" && (strings.Contains(a.body, id.String()) || strings.Contains(b.body, mine[kind].String())) {
				t.Errorf("%s shows the other account's %s", o.field.Name, kind)
			}
		}
	}
	for kind, id := range theirs {
		first.in(t, first, `query($id: ID!) { node(id: $id) { id } }`, vars{"id": id}).want(t, "a node: "+kind, http.StatusOK, "NOT_FOUND")
	}
	page := `query($after: String) { agents(first: 1, after: $after) { pageInfo { endCursor } } }`
	cursor := first.in(t, second, page, vars{}).text(t, "agents.pageInfo.endCursor")
	first.in(t, first, page, vars{"after": cursor}).want(t, "the other account's cursor", http.StatusOK, "BAD_USER_INPUT")
}

// TestAccountOfSeveral: users with several accounts have to name one to change something; without a name they read the first.
func TestAccountOfSeveral(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	u.join(t, other, account.Editor)
	u.do(t, `{ viewer { id viewerRole } }`, nil).wantValues(t, "the first", map[string]any{
		"viewer.id": u.account.ID.String(), "viewer.viewerRole": "OWNER"})
	u.in(t, other, `{ viewer { id viewerRole } }`, nil).wantValues(t, "the other", map[string]any{
		"viewer.id": other.account.ID.String(), "viewer.viewerRole": "EDITOR"})
	input := vars{"input": vars{"name": "Shop"}}
	u.do(t, createAgent, input).want(t, "a change of no account", http.StatusOK, "BAD_USER_INPUT")
	u.in(t, other, createAgent, input).wantNone(t, "a change of one account")
	u.do(t, `mutation { confirmPassword(input: {password: "`+password+`"}) { ok } }`, nil).wantNone(t, "what is one's own")
	u.do(t, verifyEmail, vars{"input": vars{"token": "x"}}).wantFields(t, "a link of one's own", "token invalid_value")
	u.do(t, `{ me { memberships { role since account { accountId name creditsAvailable } } } }`, nil).wantValues(t, "the accounts", map[string]any{
		"me.memberships.0.account.accountId": u.account.ID.String(), "me.memberships.0.role": "OWNER",
		"me.memberships.1.account.accountId": other.account.ID.String(), "me.memberships.1.role": "EDITOR",
		"me.memberships.1.account.creditsAvailable": float64(100)})
	for _, id := range []string{uuid.NewString(), "x"} {
		b.do(t, call{query: createAgent, vars: input, token: u.token, header: map[string]string{"X-Account-Id": id}}).
			want(t, "account "+id, http.StatusOK, "FORBIDDEN")
	}
}
