package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for given, kept := range map[string]bool{"abc-1.2_3": true, strings.Repeat("a", 128): true,
		"": false, strings.Repeat("a", 129): false,
		"a b": false, "<script>": false, "a;b": false, "\u00e9": false} {
		a := b.do(t, call{query: viewer, header: map[string]string{"X-Request-Id": given}})
		id := a.header.Get("X-Request-Id")
		if _, err := uuid.Parse(id); kept != (id == given) || !kept && err != nil {
			t.Errorf("given %q: answered with %q", given, id)
		}
		if len(b.log.lines(`"request_id":"`+id+`"`)) != 1 {
			t.Errorf("not exactly one access line for %q", id)
		}
	}
}

// A database error in the middle of a request is INTERNAL, without its cause, and is logged once.
func TestInternalErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := u.made(t, nil).id(t, "createAgent.agent.id")
	if _, err := b.store.SQL().ExecContext(t.Context(), `ALTER TABLE agents RENAME TO agents_marker`); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		query string
		vars  vars
	}{
		"one": {oneAgent, vars{"id": id}}, "list": {listAgents, nil}, "update": {
			updateAgent, vars{"input": vars{"id": id, "name": "x"}}},
		"create": {createAgent, vars{"input": vars{"name": "x"}}}, "delete": {deleteAgent, vars{"id": id}},
		"export": {createExport, vars{"input": vars{"agentId": id}}},
	} {
		a := u.do(t, c.query, c.vars)
		a.want(t, what, http.StatusOK, "INTERNAL")
		if strings.Contains(a.body, "marker") || strings.Contains(strings.ToLower(a.body), "exist") {
			t.Errorf("%s: the cause shows: %s", what, a.body)
		}
		request := a.header.Get("X-Request-Id")
		var faults int
		for _, line := range b.log.lines(request) {
			if strings.Contains(line, `"level":"ERROR"`) {
				faults++
				if !strings.Contains(line, "42P01") || !strings.Contains(line, u.account.ID.String()) {
					t.Errorf("%s: the log lacks the cause or the account: %s", what, line)
				}
			}
		}
		if faults != 1 {
			t.Errorf("%s: logged %d times", what, faults)
		}
	}
}

// An internal error while verifying the token is neither a bad token nor an outage.
func TestInternalErrorInAccess(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	if _, err := b.store.SQL().ExecContext(t.Context(), `ALTER TABLE sign_ins RENAME TO sign_ins_marker`); err != nil {
		t.Fatal(err)
	}
	a := u.do(t, viewer, nil)
	a.want(t, "access", http.StatusOK, "INTERNAL")
	if n := len(b.log.lines(`"level":"ERROR"`)); n != 1 {
		t.Errorf("logged %d times", n)
	}
}

// Without a catalogue every resolver that asks it panics.
func TestPanicInAResolver(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.graph.Catalogue = nil })
	u := signedIn(t, b)
	a := u.do(t, `{ viewer { id } models { name } }`, nil)
	a.want(t, "a panic", http.StatusOK, "INTERNAL")
	lines := b.log.lines(`"level":"ERROR"`)
	if len(lines) != 1 || !strings.Contains(lines[0], a.header.Get("X-Request-Id")) ||
		!strings.Contains(lines[0], "goroutine") {
		t.Errorf("logged %d times, or without request id or stack", len(lines))
	}
	u.do(t, viewer, nil).wantNone(t, "the next request")
}

// The log contains nothing that a client sent.
func TestTheLogHoldsNothingOfTheInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const marker = "a-marker-in-the-input"
	u.do(t, createAgent, vars{"input": vars{"name": marker, "instructions": marker}}).wantNone(t, "create")
	u.do(t, `{ agents(filter: {search: "`+marker+`"}) { nodes { id } } }`, nil)
	u.do(t, `{ `+strings.ReplaceAll(marker, "-", "_")+` }`, nil)
	u.do(t, createAgent, vars{"input": vars{"name": marker, "temperature": 9}})
	for _, query := range []string{`{ agents(filter: {search: "` + marker + `"}) { nodes { id } } }`,
		`mutation { ` + marker + ` }`, marker} {
		b.send(t, form{method: "GET", path: asked(query, marker, marker), header: map[string]string{
			"Authorization": "Bearer " + u.token}})
	}
	b.do(t, call{query: signIn, vars: vars{"input": vars{"email": marker + "@example.com", "password": marker}}})
	b.log.wantNoSecrets(t, marker, strings.ReplaceAll(marker, "-", "_"), u.token, password, u.account.Email,
		u.cookies[0].Value)
	for _, line := range b.log.lines(`"route":"/graphql"`) {
		if !strings.Contains(line, `"status"`) || !strings.Contains(line, `"ms"`) {
			t.Errorf("an access line without status or time: %s", line)
		}
	}
}
