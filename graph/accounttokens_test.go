package graph_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
)

const (
	tokenFields = `{ id name hint role createdBy` + actor + `createdAt lastUsedAt expiresAt }`
	createToken = `mutation($input: CreateAccountTokenInput!) { createAccountToken(input: $input) {
		secret accountToken ` + tokenFields + ` } }`
	removeToken = `mutation($id: ID!) { removeAccountToken(input: {id: $id}) { removedAccountTokenId } }`
	whose       = `{ viewer { id } }`
	listTokens  = `{ viewer { id accountTokens ` + tokenFields + ` } }`
)

// newToken makes a token in the user's account and returns it.
func (u *user) newToken(t *testing.T, role account.Role) string {
	t.Helper()
	return u.do(t, createToken, vars{"input": vars{"name": "Night job", "role": role}}).text(t, "createAccountToken.secret")
}

// by sends a request with a token.
func (b *bench) by(t *testing.T, token, query string, v vars) answer {
	t.Helper()
	return b.do(t, call{query: query, vars: v, token: token})
}

func TestAccountTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	create := func(name string, role account.Role, expiresAt any) answer {
		input := vars{"name": name, "role": role, "expiresAt": expiresAt}
		return u.do(t, createToken, vars{"input": input})
	}
	made := create(" Night job ", account.Editor, nil)
	secret := made.text(t, "createAccountToken.secret")
	if token, ok := apikey.ParseToken(secret); !ok ||
		token.Hint() != made.text(t, "createAccountToken.accountToken.hint") {
		t.Errorf("the token is %s", made.body)
	}
	const at = "createAccountToken.accountToken."
	made.wantValues(t, "a new token", map[string]any{at + "name": "Night job", at + "role": "EDITOR",
		at + "createdBy.actorId": u.account.OwnerID.String(), at + "createdBy.name": u.account.Email})
	end, err := time.Parse(time.RFC3339, made.text(t, at+"expiresAt"))
	if err != nil || end.Before(time.Now().AddDate(0, 0, 364)) || end.After(time.Now().AddDate(0, 0, 367)) {
		t.Errorf("without an end it ends at %v, %v", end, err)
	}
	create("Second", account.Viewer, time.Now().AddDate(0, 0, 364)).wantNone(t, "an end")
	u.do(t, listTokens, nil).wantValues(t, "the newest first", map[string]any{
		"viewer.accountTokens.0.name": "Second", "viewer.accountTokens.1.name": "Night job"})
	if n := u.statements(t, listTokens, nil); n != 3 { // the sign-in, the tokens, and who made them
		t.Errorf("a list of two takes %d statements", n)
	}
	create(" ", account.Owner, nil).wantFields(t, "two fields", "name blank", "role invalid_value")
	for _, end := range []time.Time{time.Now().Add(-time.Minute), time.Now().AddDate(0, 0, 367)} {
		create("A", account.Viewer, end).wantFields(t, end.String(), "expiresAt out_of_range")
	}
	remove := vars{"id": made.get(at + "id")}
	u.do(t, removeToken, remove).wantNone(t, "remove")
	u.do(t, removeToken, remove).want(t, "once more", http.StatusOK, "NOT_FOUND")
	if left := storetest.Traces(t, b.store, secret); len(left) > 0 || len(b.log.lines(secret)) > 0 {
		t.Errorf("the token is in %v, or in the log", left)
	}
}

// TestATokenIsOneAccounts: a token needs no X-Account-Id, and works in no other account.
func TestATokenIsOneAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	other.join(t, u, account.Owner)
	u.join(t, other, account.Owner)
	token := u.newTokenIn(t, u, account.Editor)
	before := b.statements.Load()
	a := b.by(t, token, `{ viewer { id viewerRole signIns { id } } }`, nil)
	a.wantJSON(t, "without a header", "viewer",
		`{"id": "`+u.account.ID.String()+`", "viewerRole": "EDITOR", "signIns": []}`)
	if n := b.statements.Load() - before; n != 2 || len(a.cookies) > 0 {
		t.Errorf("%d statements, cookies %v", n, a.cookies)
	}
	in := func(id string) answer {
		return b.do(t, call{query: createAgent, vars: vars{"input": vars{"name": "Shop"}}, token: token,
			header: map[string]string{"X-Account-Id": id}})
	}
	in(u.account.ID.String()).wantNone(t, "with its own account")
	for _, id := range []string{other.account.ID.String(), uuid.NewString(), "x"} {
		in(id).want(t, "with account "+id, http.StatusOK, "FORBIDDEN")
	}
	b.by(t, token, signOut, nil).wantNone(t, "signOut, which ends no sign-in")
	b.by(t, token, verifyEmail, vars{"input": vars{"token": "x"}}).want(t, "a link",
		http.StatusOK, "FORBIDDEN")
	b.by(t, token, whose, nil).wantNone(t, "afterwards")
}

// TestTokensThatDoNotWork: removed, expired and made-up tokens are UNAUTHENTICATED from the next
// request on.
func TestTokensThatDoNotWork(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	for what, end := range map[string]string{
		"removed":           `DELETE FROM account_tokens`,
		"expired":           `UPDATE account_tokens SET expires_at = now()`,
		"suspended account": `UPDATE accounts SET state = 'SUSPENDED'`,
	} {
		token := u.newToken(t, account.Editor)
		b.by(t, token, whose, nil).wantNone(t, "before it is "+what)
		b.exec(t, end)
		b.by(t, token, whose, nil).want(t, what, http.StatusUnauthorized, "UNAUTHENTICATED")
		b.by(t, token, `{ serviceInfo { version } }`, nil).wantNone(t, "what needs none")
		b.exec(t, `UPDATE accounts SET state = 'ACTIVE'`)
	}
	key := apikey.Mint().Reveal()
	for _, token := range []string{apikey.MintToken().Reveal(), "agt_", key, "agt_" + key[4:]} {
		before := b.statements.Load()
		b.by(t, token, whose, nil).want(t, token[:4], http.StatusUnauthorized, "UNAUTHENTICATED")
		if n := b.statements.Load() - before; n > 1 {
			t.Errorf("%.4s… takes %d statements", token, n)
		}
	}
	token := u.newToken(t, account.Editor)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	b.by(t, token, whose, nil).want(t, "without the database", http.StatusServiceUnavailable, "UNAVAILABLE")
}

// TestATokenStaysWhenItsMakerLeaves: it keeps working, and the account's rule on second factors
// does not apply to it.
func TestATokenStaysWhenItsMakerLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, maker := signedIn(t, b), signedIn(t, b)
	maker.join(t, owner, account.Owner)
	token := maker.newTokenIn(t, owner, account.Editor)
	b.exec(t, `DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, owner.account.ID, maker.account.OwnerID)
	b.exec(t, `UPDATE accounts SET require_second_factor = true WHERE id = $1`, owner.account.ID)
	b.by(t, token, createAgent, vars{"input": vars{"name": "Shop"}}).wantNone(t, "the token")
	b.exec(t, `UPDATE accounts SET require_second_factor = false WHERE id = $1`, owner.account.ID)
	owner.do(t, listTokens, nil).wantNone(t, "list").wantValues(t, "who made it", map[string]any{
		"viewer.accountTokens.0.createdBy.actorId": maker.account.OwnerID.String(),
		"viewer.accountTokens.0.createdBy.name":    "", "viewer.accountTokens.0.createdBy.kind": "USER"})
}

// TestWhatATokenMakes: versions name the token as their author.
func TestWhatATokenMakes(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	token := u.newToken(t, account.Editor)
	id := u.do(t, listTokens, nil).text(t, "viewer.accountTokens.0.id")
	agent := vars{"id": u.made(t, nil).get("createAgent.agent.id")}
	u.b.by(t, token, publish, agent).wantNone(t, "publish")
	const by = "agent.versions.nodes.0.publishedBy"
	u.do(t, readActors, agent).wantJSON(t, "a token's", by,
		`{"kind": "TOKEN", "actorId": "`+id+`", "name": "Night job"}`)
	u.do(t, removeToken, vars{"id": id}).wantNone(t, "remove")
	u.do(t, readActors, agent).wantJSON(t, "of a token that is gone", by, `null`)
}

// TestTokensSendLongDocuments: the limits of unknown callers do not apply to tokens, but apply to
// made-up ones.
func TestTokensSendLongDocuments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	token, madeUp := u.newToken(t, account.Editor), apikey.MintToken().Reveal()
	for what, c := range map[string]struct {
		query  string
		input  vars
		status int
		code   string
	}{
		"a document": {`{ viewer { id } ` + strings.Repeat(" ", 2<<10) + `}`, nil,
			http.StatusUnauthorized, "UNAUTHENTICATED"},
		"a text": {addText, vars{"name": "Long", "text": strings.Repeat("退貨", 45_000)},
			http.StatusRequestEntityTooLarge, "LIMIT_EXCEEDED"},
		"a file": {addFile, vars{"name": "a.txt", "file": fileContent("Returns are free.")},
			http.StatusUnauthorized, "UNAUTHENTICATED"},
	} {
		v := vars{}
		if c.input != nil {
			c.input["agentId"], v["input"] = agent, c.input
		}
		b.by(t, token, c.query, v).wantNone(t, what)
		b.by(t, madeUp, c.query, v).want(t, what+" with a made-up token", c.status, c.code)
	}
}

// newTokenIn is newToken in an account.
func (u *user) newTokenIn(t *testing.T, of *user, role account.Role) string {
	t.Helper()
	return u.in(t, of, createToken, vars{"input": vars{"name": "Night job", "role": role}}).text(t, "createAccountToken.secret")
}
