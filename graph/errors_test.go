package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A database error in the middle of a request is INTERNAL, without its cause, and is logged once.
func TestInternalErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	me := u.account.ID.String()
	for _, c := range []struct{ table, query, account string }{
		{"agents", listAgents, me},
		{"agents", `mutation { createAgent(input: {name: "x"}) { agent { id } } }`, me},
		{"sign_ins", viewer, ""}, // while the token is checked, which is then neither bad nor an outage
	} {
		b.exec(t, `ALTER TABLE IF EXISTS `+c.table+` RENAME TO `+c.table+`_marker`)
		a := u.do(t, c.query, nil)
		a.want(t, c.query, http.StatusOK, "INTERNAL")
		if strings.Contains(a.body, "marker") || strings.Contains(a.body, "exist") {
			t.Errorf("the cause shows: %s", a.body)
		}
		faults := slices.DeleteFunc(b.log.lines(a.header.Get("X-Request-Id")), func(line string) bool {
			return !strings.Contains(line, `"level":"ERROR"`)
		})
		if len(faults) != 1 || !strings.Contains(faults[0], "42P01") ||
			!strings.Contains(faults[0], c.account) {
			t.Errorf("not logged once with the cause and the account: %q", faults)
		}
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

// The log contains nothing that a client sent. A request has one access line.
func TestTheLogHoldsNothingOfTheInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const marker = "a_marker_in_the_input"
	u.do(t, createAgent, vars{"input": vars{"name": marker, "instructions": marker}})
	u.do(t, createAgent, vars{"input": vars{"name": marker, "temperature": 9}})
	in := vars{"email": marker + "@example.com", "password": marker}
	b.do(t, call{query: signInDocument, vars: in})
	for _, query := range []string{
		`{ agents(filter: {search: "` + marker + `"}) { nodes { id } } }`,
		`{ ` + marker + ` }`,
		`mutation { ` + marker + ` }`,
		marker,
	} {
		u.do(t, query, nil)
		b.send(t, form{method: "GET", path: asked(query, marker, marker), header: map[string]string{
			"Authorization": "Bearer " + u.token}})
	}
	b.log.wantNoSecrets(t, marker, u.token, password, u.account.Email, u.cookies[0].Value)
	lines := b.log.lines(`"route":"/graphql"`)
	for _, line := range lines {
		if !strings.Contains(line, `"status"`) || !strings.Contains(line, `"ms"`) {
			t.Errorf("an access line without status or time: %s", line)
		}
	}
	if len(lines) != 12 {
		t.Errorf("%d access lines for 12 requests", len(lines))
	}
}
