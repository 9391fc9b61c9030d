package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/graph"
	"agentchat/internal/identity"
)

// guarded are the mutations that ask for a proof.
var guarded = []string{"createApiExport", "removeApiExport", "replaceApiKey", "stopApiKey", "setApiKeyStop", "endSignIn", "signOutEverywhere",
	"startSecondFactor", "confirmSecondFactor", "createAccountToken", "removeAccountToken",
	"inviteMember", "renewInvitation", "revokeInvitation", "setMemberRole", "removeMember", "leaveAccount"}

// unproven makes the last proof of every sign-in ten minutes old.
func unproven(t *testing.T, b *bench) {
	t.Helper()
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE sign_ins SET confirmed_at = confirmed_at - interval '10 minutes'`); err != nil {
		t.Fatal(err)
	}
}

// Every mutation of the schema is public, asks for a proof, or is listed as one that does not. Guarded ones are refused whatever their
// input, and change nothing; the others answer as ever.
func TestMutationsThatAskForAProof(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	met := 0
	for _, o := range operations(schema) {
		name := o.field.Name
		if o.kind != "mutation" || o.public() {
			continue
		}
		met++
		if slices.Contains(guarded, name) == graph.Unguarded[name] {
			t.Errorf("%s: it has to be in one list, of guarded mutations here or of unguarded ones in graph/proof.go", name)
		}
		u := signedIn(t, b)
		unknown := ids{"agent": uuid.New(), "export": uuid.New(), "signin": uuid.New(), "conversation": uuid.New(), "turn": uuid.New(), "key": uuid.New(),
			"knowledgesource": uuid.New(), "member": uuid.New(), "invitation": uuid.New(), "accounttoken": uuid.New()}
		f := &filler{t: t, schema: schema, owned: unknown, found: map[string]string{}}
		unproven(t, b)
		before := everything(t, b)
		a := u.do(t, o.document(schema), f.arguments(o))
		if !slices.Contains(guarded, name) {
			if a.status != http.StatusOK || a.code() == "REAUTHENTICATION_REQUIRED" {
				t.Errorf("%s without a proof: %d %s", name, a.status, a.body)
			}
			continue
		}
		a.want(t, name+" with unknown ids", http.StatusOK, "REAUTHENTICATION_REQUIRED")
		if len(a.Errors) != 1 || len(a.Errors[0].Path) != 1 || a.Errors[0].Path[0] != name {
			t.Errorf("%s: %s", name, a.body)
		}
		if everything(t, b) != before {
			t.Errorf("%s is refused, and something changed", name)
		}
		u.do(t, confirm, vars{"password": password}).wantNone(t, "confirm")
		f.owned = u.world(t)
		unproven(t, b)
		u.do(t, o.document(schema), f.arguments(o)).want(t, name+" with ids of its own", http.StatusOK, "REAUTHENTICATION_REQUIRED")
		u.do(t, confirm, vars{"password": password}).wantNone(t, "confirm")
		f.code = u.codeFor(t, name)
		u.do(t, o.document(schema), f.arguments(o)).wantNone(t, name+" with a proof")
	}
	if want := len(guarded) + len(graph.Unguarded); met != want {
		t.Errorf("the schema has %d mutations, and the lists %d", met, want)
	}
}

// A proof is of one sign-in. A password that is checked for anything counts as one, also later in the same document; renewing does not.
func TestWhatProves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	mine := u.world(t)
	other := u.again(t)
	create := func(what string, u *user, code string) {
		t.Helper()
		a := u.do(t, createExport, vars{"input": vars{"agentId": mine["agent"]}})
		if a.status != http.StatusOK || a.code() != code {
			t.Errorf("%s: %d %s, want the code %q", what, a.status, a.body, code)
		}
	}
	create("after signing in", other, "")
	unproven(t, b)
	renewed := b.do(t, call{query: renew, cookies: u.cookies}).wantNone(t, "renew")
	create("after renewing", &user{b: b, token: renewed.text(t, "renewAccess.accessToken")}, "REAUTHENTICATION_REQUIRED")
	u.do(t, confirm, vars{"password": "wrong password"}).want(t, "confirm", http.StatusOK, "INVALID_CREDENTIALS")
	create("after a wrong password", u, "REAUTHENTICATION_REQUIRED")
	u.do(t, confirm, vars{"password": password}).wantNone(t, "confirm")
	create("after confirming", u, "")
	create("elsewhere", other, "REAUTHENTICATION_REQUIRED")
	other.do(t, changePassword, vars{"old": password, "new": password}).wantNone(t, "change the password")
	create("after changing the password", other, "")
	unproven(t, b)
	other.do(t, `mutation($id: ID!) { confirmPassword(input: {password: "`+password+`"}) { ok } removeApiExport(input: {id: $id}) { export { state } } }`,
		vars{"id": mine["export"]}).wantNone(t, "in one document")
	unproven(t, b)
	own := other.do(t, `{ viewer { signIns { id } } }`, nil).text(t, "viewer.signIns.0.id")
	other.do(t, endSignIn, vars{"id": strings.ToUpper(own)}).want(t, "an id in another form", http.StatusOK, "REAUTHENTICATION_REQUIRED")
	other.do(t, endSignIn, vars{"id": own}).wantNone(t, "one's own sign-in")
	other.do(t, viewer, nil).want(t, "after its end", http.StatusUnauthorized, "UNAUTHENTICATED")
}

// Guesses through a stolen token are limited by its sign-in, and keep the owner from nothing: not from confirming, nor from signing in.
func TestGuessesThroughAStolenToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner := signedIn(t, b)
	stolen := owner.again(t)
	for range identity.MaxGuesses {
		stolen.do(t, confirm, vars{"password": "wrong password"}).want(t, "a guess", http.StatusOK, "INVALID_CREDENTIALS")
	}
	limited := stolen.do(t, confirm, vars{"password": password})
	limited.want(t, "one more", http.StatusOK, "RATE_LIMITED")
	if seconds, _ := limited.Errors[0].Extensions["retryAfterSeconds"].(float64); seconds < 1 || seconds > identity.GuessWindow.Seconds() {
		t.Errorf("retryAfterSeconds: %s", limited.body)
	}
	owner.do(t, confirm, vars{"password": password}).wantNone(t, "the owner confirms")
	owner.again(t)
	owner.do(t, everyEnd, nil).wantNone(t, "the owner ends every sign-in")
	stolen.do(t, confirm, vars{"password": password}).want(t, "the thief", http.StatusUnauthorized, "UNAUTHENTICATED")
}
