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
	made := u.do(t, createToken, vars{"input": vars{"name": " Night job ", "role": "EDITOR"}}).wantNone(t, "create")
	secret, id := made.text(t, "createAccountToken.secret"), made.id(t, "createAccountToken.accountToken.id")
	if token, ok := apikey.ParseToken(secret); !ok || token.Hint() != made.text(t, "createAccountToken.accountToken.hint") {
		t.Errorf("the token is %s", made.body)
	}
	made.wantValues(t, "a new token", map[string]any{"createAccountToken.accountToken.name": "Night job",
		"createAccountToken.accountToken.role": "EDITOR", "createAccountToken.accountToken.lastUsedAt": nil,
		"createAccountToken.accountToken.createdBy.actorId": u.account.OwnerID.String(),
		"createAccountToken.accountToken.createdBy.name":    u.account.Email})
	end, err := time.Parse(time.RFC3339, made.text(t, "createAccountToken.accountToken.expiresAt"))
	if err != nil || end.Before(time.Now().AddDate(0, 0, 364)) || end.After(time.Now().AddDate(0, 0, 367)) {
		t.Errorf("without an end it ends at %v, %v", end, err)
	}
	u.do(t, createToken, vars{"input": vars{"name": "Second", "role": "VIEWER",
		"expiresAt": time.Now().AddDate(0, 0, 364)}}).wantNone(t, "an end")
	before := b.statements.Load()
	list := u.do(t, listTokens, nil).wantNone(t, "list")
	list.wantValues(t, "the newest first", map[string]any{"viewer.accountTokens.0.name": "Second",
		"viewer.accountTokens.1.id": id.String()})
	if n := b.statements.Load() - before; n != 3 { // the sign-in, the tokens, and who made them
		t.Errorf("a list of two takes %d statements", n)
	}
	for field, input := range map[string]vars{
		"role invalid_value":      {"name": "A", "role": "OWNER"},
		"name blank":              {"name": " ", "role": "VIEWER"},
		"expiresAt out_of_range":  {"name": "A", "role": "VIEWER", "expiresAt": time.Now().Add(-time.Minute)},
		"expiresAt out_of_range ": {"name": "A", "role": "VIEWER", "expiresAt": time.Now().AddDate(0, 0, 367)},
	} {
		u.do(t, createToken, vars{"input": input}).wantFields(t, field, strings.TrimSpace(field))
	}
	u.do(t, removeToken, vars{"id": id}).wantNone(t, "remove")
	u.do(t, removeToken, vars{"id": id}).want(t, "once more", http.StatusOK, "NOT_FOUND")
	if left := u.do(t, listTokens, nil); left.list("viewer.accountTokens") != 1 {
		t.Errorf("left: %s", left.body)
	}
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
	a := b.by(t, token, `{ viewer { id viewerRole signIns { id } } }`, nil).wantNone(t, "without a header")
	a.wantValues(t, "without a header", map[string]any{"viewer.id": u.account.ID.String(), "viewer.viewerRole": "EDITOR"})
	if n := b.statements.Load() - before; n != 2 || a.list("viewer.signIns") != 0 || len(a.cookies) > 0 {
		t.Errorf("%d statements, %s %v", n, a.body, a.cookies)
	}
	in := func(id string) answer {
		return b.do(t, call{query: createAgent, vars: vars{"input": vars{"name": "Shop"}}, token: token,
			header: map[string]string{"X-Account-Id": id}})
	}
	in(u.account.ID.String()).wantNone(t, "with its own account")
	for _, id := range []string{other.account.ID.String(), uuid.NewString(), "x"} {
		in(id).want(t, "with account "+id, http.StatusOK, "FORBIDDEN")
	}
	b.do(t, call{query: signOut, token: token}).wantNone(t, "signOut, which ends no sign-in")
	b.do(t, call{query: verifyEmail, vars: vars{"input": vars{"token": "x"}}, token: token}).want(t,
		"a link", http.StatusOK, "FORBIDDEN")
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

// TestWhatATokenMakes: the audit trail and versions name the token as their author.
func TestWhatATokenMakes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	token := u.newToken(t, account.Editor)
	id := u.do(t, listTokens, nil).text(t, "viewer.accountTokens.0.id")
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	b.by(t, token, publish, vars{"id": agent}).wantNone(t, "publish")
	read := func() answer { return u.do(t, readActors, vars{"id": agent}).wantNone(t, "read") }
	const at = "agent.versions.nodes.0.publishedBy."
	read().wantValues(t, "a token's", map[string]any{at + "kind": "TOKEN", at + "actorId": id, at + "name": "Night job"})
	u.do(t, removeToken, vars{"id": id}).wantNone(t, "remove")
	if got := read(); got.get("agent.versions.nodes.0.publishedBy") != nil {
		t.Errorf("a token that is gone: %s", got.body)
	}
}

// TestTokensSendLongDocuments: the limits of unknown callers do not apply to tokens, but apply to
// made-up ones.
func TestTokensSendLongDocuments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	long := `{ viewer { id } ` + strings.Repeat(" ", 2<<10) + `}`
	token, madeUp := u.newToken(t, account.Editor), apikey.MintToken().Reveal()
	b.by(t, token, long, nil).wantNone(t, "a long document")
	b.by(t, madeUp, long, nil).want(t, "a made-up token", http.StatusUnauthorized, "UNAUTHENTICATED")
	text := vars{"input": vars{"agentId": agent, "name": "Long", "text": strings.Repeat("退貨", 45_000)}}
	b.by(t, token, addText, text).wantNone(t, "a long text")
	b.by(t, madeUp, addText, text).want(t, "a long text with a made-up token",
		http.StatusRequestEntityTooLarge, "LIMIT_EXCEEDED")
	file := vars{"input": vars{"agentId": agent, "name": "a.txt", "file": fileContent("Returns are free.")}}
	b.by(t, token, addFile, file).wantNone(t, "a file")
	b.by(t, madeUp, addFile, file).want(t, "a file with a made-up token", http.StatusUnauthorized, "UNAUTHENTICATED")
}

// newTokenIn is newToken in an account.
func (u *user) newTokenIn(t *testing.T, of *user, role account.Role) string {
	t.Helper()
	return u.in(t, of, createToken, vars{"input": vars{"name": "Night job", "role": role}}).text(t, "createAccountToken.secret")
}
