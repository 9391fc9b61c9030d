package graph_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
)

var requestIDs = regexp.MustCompile(`"requestId":"[^"]*"`)

// anonymous is an answer without its request id.
func (a answer) anonymous() string { return requestIDs.ReplaceAllString(a.body, `"requestId":""`) }

// Every operation is called with another account's id and with a random one, for each of its ID arguments.
func TestAnotherAccountsIDsAreAsGoodAsRandomOnes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	victim := signedIn(t, b)
	theirs := victim.world(t)
	random := ids{"request": uuid.Must(uuid.NewV7()), "agent": uuid.Must(uuid.NewV7()), "export": uuid.Must(uuid.NewV7()), "signin": uuid.Must(uuid.NewV7()),
		"conversation": uuid.Must(uuid.NewV7()), "turn": uuid.Must(uuid.NewV7()), "knowledgesource": uuid.Must(uuid.NewV7()), "key": uuid.Must(uuid.NewV7()),
		"member": uuid.Must(uuid.NewV7()), "invitation": uuid.Must(uuid.NewV7()), "accounttoken": uuid.Must(uuid.NewV7())}
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
		foreign, made := reader.do(t, readNode, vars{"id": id}), reader.do(t, readNode, vars{"id": uuid.Must(uuid.NewV7())})
		if foreign.anonymous() != made.anonymous() || foreign.code() != "NOT_FOUND" {
			t.Errorf("node, %s: another account's id is distinguishable, or found: %s", kind, foreign.body)
		}
	}
	if withID == 0 || covered < withID {
		t.Errorf("%d operations, %d ids", withID, covered)
	}
	t.Logf("of %d operations %d take ids; %d ids were covered", len(operations(schema)), withID, covered)
}

// No account sees what another does.
func TestListsShowOnlyTheOwnAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	u, other := signedIn(t, b), signedIn(t, b)
	theirs := other.world(t)
	for _, o := range operations(schema) {
		if o.kind != "query" || o.public() || len(o.field.Arguments) > 0 && o.field.Arguments.ForName("id") != nil {
			continue
		}
		f := &filler{t: t, schema: schema, owned: u.world(t), found: map[string]string{}}
		a := u.do(t, o.document(schema), f.arguments(o)).wantNone(t, o.field.Name)
		for kind, id := range theirs {
			if regexp.MustCompile(id.String()).MatchString(a.body) {
				t.Errorf("%s shows another account's %s", o.field.Name, kind)
			}
		}
	}
}

func TestOperationsWithoutAccountAndWithoutStore(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	schema := parsed(t)
	u := signedIn(t, b)
	f := &filler{t: t, schema: schema, owned: u.world(t), found: map[string]string{}}
	before := everything(t, b)
	all := operations(schema)
	for _, o := range all {
		if o.public() {
			continue
		}
		for what, token := range map[string]string{"anonymous": "", "a stale token": "x.y.z"} {
			a := b.do(t, call{query: o.document(schema), vars: f.arguments(o), token: token})
			a.want(t, o.field.Name+" as "+what, http.StatusUnauthorized, "UNAUTHENTICATED")
			if a.Data != nil {
				t.Errorf("%s as %s: data %s", o.field.Name, what, a.body)
			}
		}
		// A private field next to public ones, in a fragment, or under an alias is denied all the same.
		if o.kind == "query" {
			b.do(t, call{query: `{ __typename serviceInfo { version } ...F } fragment F on Query { x: agents { totalCount } }`}).
				want(t, "in a fragment", http.StatusUnauthorized, "UNAUTHENTICATED")
		}
	}
	if everything(t, b) != before {
		t.Error("an anonymous request changed something")
	}
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		a := b.do(t, call{query: o.document(schema), vars: f.arguments(o), token: u.token})
		// renewAccess has no cookie to look up here.
		if o.field.Name == "serviceInfo" || o.field.Name == "renewAccess" {
			if a.status != http.StatusOK {
				t.Errorf("%s needs no store: %d %s", o.field.Name, a.status, a.body)
			}
			continue
		}
		a.want(t, o.field.Name+" with the store unavailable", http.StatusServiceUnavailable, "UNAVAILABLE")
		if a.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", o.field.Name)
		}
	}
	t.Logf("%d operations, %d of them public", len(all), len(public))
}
