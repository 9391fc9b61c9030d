package graph_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
)

var requestIDs = regexp.MustCompile(`"requestId":"[^"]*"`)

// anonymous returns the body without its request id.
func (a answer) anonymous() string { return requestIDs.ReplaceAllString(a.body, `"requestId":""`) }

// Every operation is called with another account's id and with a random one, for each of its ID
// arguments.
func TestAnotherAccountsIDsAreAsGoodAsRandomOnes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	victim := signedIn(t, b)
	theirs := victim.world(t)
	random := ids{}
	for kind := range theirs {
		random[kind] = uuid.Must(uuid.NewV7())
	}
	withID, covered := 0, 0
	reader := signedIn(t, b)
	readers := reader.world(t)
	for _, o := range operations(schema) {
		probe := &filler{t: t, schema: schema, owned: readers, found: map[string]string{}}
		if probe.arguments(o); len(probe.found) == 0 {
			continue
		}
		withID++
		attacker, mine := reader, readers
		if o.kind != "query" { // which may use up what the account has
			attacker = signedIn(t, b)
			mine = attacker.world(t)
		}
		f := &filler{t: t, schema: schema, owned: mine, found: map[string]string{}}
		f.arguments(o)
		for _, path := range sorted(f.found) {
			covered++
			f.at = path
			before := everything(t, b)
			f.target = theirs
			foreign := attacker.do(t, o.document(schema), f.arguments(o))
			f.target = random
			made := attacker.do(t, o.document(schema), f.arguments(o))
			if foreign.anonymous() != made.anonymous() || foreign.status != made.status || foreign.code() != "NOT_FOUND" ||
				strings.Contains(foreign.body, f.target[f.found[path]].String()) {
				t.Errorf("%s, %s: another account's id is distinguishable, or found:\n%d %s\n%d %s", o.field.Name, path,
					foreign.status, foreign.anonymous(), made.status, made.anonymous())
			}
			if everything(t, b) != before {
				t.Errorf("%s, %s: something changed", o.field.Name, path)
			}
		}
		// The same arguments with the attacker's own ids work, or the test above would show nothing.
		f.at = ""
		if o.field.Name == "publishAgent" || o.field.Name == "createApiExport" {
			attacker.do(t, publish, vars{"id": mine["agent"]})
		}
		if o.field.Name == "retryKnowledgeSource" {
			b.failSource(t, mine["knowledgesource"])
		}
		attacker.do(t, o.document(schema), f.arguments(o)).wantNone(t, o.field.Name+" with one's own ids")
	}
	for kind, id := range theirs {
		foreign := reader.do(t, readNode, vars{"id": id})
		made := reader.do(t, readNode, vars{"id": random[kind]})
		if foreign.anonymous() != made.anonymous() || foreign.code() != "NOT_FOUND" {
			t.Errorf("node, %s: another account's id is distinguishable, or found: %s", kind, foreign.body)
		}
	}
	if withID == 0 || covered < withID {
		t.Errorf("%d operations, %d ids", withID, covered)
	}
	t.Logf("of %d operations %d take ids; %d ids were covered", len(operations(schema)), withID, covered)
}

// TestOneRequestOneAccount: a request of a user of two accounts shows nothing of the other account,
// through any field, node or cursor.
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
		b := first.in(t, second, o.document(schema), (&filler{t: t, schema: schema, owned: theirs,
			found: map[string]string{}}).arguments(o))
		a.wantNone(t, o.field.Name+" in the first account")
		b.wantNone(t, o.field.Name+" in the second account")
		for kind, id := range theirs {
			if kind != "signin" && kind != "actor" && (strings.Contains(a.body, id.String()) ||
				strings.Contains(b.body, mine[kind].String())) {
				t.Errorf("%s shows the other account's %s", o.field.Name, kind)
			}
		}
	}
	for kind, id := range theirs {
		first.in(t, first, `query($id: ID!) { node(id: $id) { id } }`, vars{"id": id}).want(t,
			"a node: "+kind, http.StatusOK, "NOT_FOUND")
	}
	page := `query($after: String) { agents(first: 1, after: $after) { pageInfo { endCursor } } }`
	cursor := first.in(t, second, page, vars{}).text(t, "agents.pageInfo.endCursor")
	first.in(t, first, page, vars{"after": cursor}).want(t, "the other account's cursor", http.StatusOK, "BAD_USER_INPUT")
}

// TestWithoutTheStore: what needs the database is answered with UNAVAILABLE and Retry-After, already
// when the token is checked.
func TestWithoutTheStore(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	u := signedIn(t, b)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	reset := `mutation { requestPasswordReset(input: {email: "ada@example.com"}) { ok } }`
	for what, a := range map[string]answer{
		"signed in":  u.do(t, viewer, nil),
		"signing in": b.do(t, call{query: signInDocument, vars: vars{"email": "a@b.c", "password": "x"}}),
		"a reset":    b.do(t, call{query: reset}),
	} {
		a.want(t, what, http.StatusServiceUnavailable, "UNAVAILABLE")
		if a.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", what)
		}
	}
	b.do(t, call{query: `{ serviceInfo { version } }`}).wantNone(t, "what needs no store")
}
