package graph_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/graph"
)

const information = `{"query":"{ serviceInfo { version } }"}`

// form is a request with any method, path, headers and body.
type form struct {
	method, path, contentType, body string
	header                          map[string]string
	status                          int
	code                            string
}

func (b *bench) send(t *testing.T, f form) answer {
	t.Helper()
	if f.method == "" {
		f.method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(t.Context(), f.method, b.URL+"/graphql"+f.path, strings.NewReader(f.body))
	if err != nil {
		t.Fatal(err)
	}
	if f.contentType != "" {
		req.Header.Set("Content-Type", f.contentType)
	}
	for name, value := range f.header {
		req.Header.Set(name, value)
	}
	return send(t, http.DefaultClient, req)
}

func TestForms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const json, form415 = "application/json", http.StatusUnsupportedMediaType
	get := "?query=%7BserviceInfo%7Bversion%7D%7D"
	websocket := map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "graphql-transport-ws"}
	const multipart = "--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n" + information + "\r\n--x--\r\n"
	for what, f := range map[string]form{
		"JSON": {contentType: json, body: information, status: 200},
		"a persisted query": {contentType: json,
			body: `{"extensions":{"persistedQuery":{"sha256Hash":"00"}}}`, status: 200,
			code: "PERSISTED_QUERY_NOT_SUPPORTED"},
		"persisted, with text": {contentType: json,
			body: `{"query":"{ __typename }","extensions":{"persistedQuery":{}}}`, status: 200},
		"extra members": {contentType: json,
			body: `{"query":"{ __typename }","extensions":{"a":1},"x":[1,{"y":null}]}`, status: 200},
		"variables of PHP": {contentType: json, body: `{"query":"{ __typename }","variables": [ ]}`, status: 200},
		"nulls": {contentType: json,
			body: `{"query":"{ __typename }","variables":null,"operationName":null}`, status: 200},
		"GET with a body": {method: "GET", path: get, contentType: json, body: information,
			status: 400, code: "BAD_USER_INPUT"},
		"HEAD":                {method: "HEAD", status: 405},
		"DELETE":              {method: "DELETE", status: 405, code: "BAD_USER_INPUT"},
		"OPTIONS":             {method: "OPTIONS", status: 405, code: "BAD_USER_INPUT"},
		"a websocket upgrade": {method: "GET", header: websocket, status: 400, code: "BAD_USER_INPUT"},
		"no type":             {body: information, status: form415, code: "BAD_USER_INPUT"},
		"a form": {contentType: "application/x-www-form-urlencoded", body: "query=" + get,
			status: form415, code: "BAD_USER_INPUT"},
		"multipart, no token": {contentType: "multipart/form-data; boundary=x", body: multipart,
			status: 401, code: "UNAUTHENTICATED"},
	} {
		a := b.send(t, f)
		if a.status != f.status || a.code() != f.code {
			t.Errorf("%s: %d %s, want %d %s: %.200s", what, a.status, a.code(), f.status, f.code, a.body)
		}
		if got := a.header.Get("Allow"); (f.status == 405) != (got == "GET, POST") {
			t.Errorf("%s: Allow %q", what, got)
		}
		if f.status != 200 && a.Data != nil {
			t.Errorf("%s: it was run: %s", what, a.body)
		}
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for what, body := range map[string]string{
		"nothing":                "",
		"a batch":                "[" + information + "," + information + "]",
		"null":                   "null",
		"no query":               "{}",
		"query null":             `{"query":null}`,
		"query blank":            `{"query":" "}`,
		"query a number":         `{"query":1}`,
		"not JSON":               "{ __typename }",
		"two objects":            information + information,
		"a name twice, deep":     `{"query":"{ __typename }","variables":{"a":{"b":[{"c":1,"c":1}]}}}`,
		"variables a list":       `{"query":"{ __typename }","variables":[1]}`,
		"operationName a number": `{"query":"{ __typename }","operationName":1}`,
		"not UTF-8":              "{\"query\":\"{ __typename } # \xff\"}",
		"a lone surrogate":       `{"query":"{ __typename } # \ud800"}`,
		"lists 20,000 deep": `{"query":"{ __typename }","variables":{"a":` +
			nest(20_000, "[", "", "]") + `}}`,
		"two operations":   `{"query":"query A { __typename } query B { __typename }"}`,
		"an unknown name":  `{"query":"query A { __typename }","operationName":"C"}`,
		"upper case names": `{"Query":"{ __typename }"}`,
	} {
		b.send(t, form{contentType: "application/json", body: body}).want(t, what, http.StatusBadRequest, "BAD_USER_INPUT")
	}
	a := b.send(t, form{contentType: "application/json",
		body: `{"query":"query A { a: __typename } query B { b: __typename }","operationName":"B"}`})
	a.wantValues(t, "the named one", map[string]any{"b": "Query", "a": nil})
	deep := `{"query":"query($a: Int) { agents(first: $a) { totalCount } }","variables":{"a":` +
		nest(5000, "[", "1", "]") + `}}`
	b.send(t, form{contentType: "application/json", body: deep}).want(t, "a list in a variable",
		http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED")
}

// TestLargeBodies: a request may have a body of 1 MiB with an access token, and of 256 KiB without
// one.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	body := func(size int) string { return information + strings.Repeat(" ", size-len(information)) }
	for what, c := range map[string]struct {
		token string
		size  int
		want  int
	}{
		"signed in":        {u.token, graph.MaxSignedInBody, http.StatusOK},
		"more":             {u.token, graph.MaxSignedInBody + 1, http.StatusRequestEntityTooLarge},
		"a stranger":       {"", graph.MaxBody, http.StatusOK},
		"a stranger, more": {"", graph.MaxBody + 1, http.StatusRequestEntityTooLarge},
		"a made-up token":  {u.token + "x", graph.MaxBody + 1, http.StatusRequestEntityTooLarge},
	} {
		if a := b.do(t, call{body: body(c.size), token: c.token}); a.status != c.want {
			t.Errorf("%s: %d, want %d: %.300s", what, a.status, c.want, a.body)
		}
	}
}

// TestABodyThatDoesNotArrive: the code for it is not that of a bad body.
func TestABodyThatDoesNotArrive(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *options) { o.bodyTimeout = 200 * time.Millisecond })
	body, never := io.Pipe()
	defer func() { _ = never.Close() }()
	u := user{b: b}
	u.sendBody(t, "", "application/json", body).
		want(t, "no body", http.StatusRequestTimeout, "BAD_USER_INPUT")
}

func TestDocumentsThatDoNotValidate(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	before := everything(t, u.b)
	const parse, validate = "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"
	for what, c := range map[string]struct {
		query string
		vars  vars
		code  string
	}{
		"no document":      {query: "{", code: parse},
		"odd characters":   {query: "{ viewer { id } } \x01", code: parse},
		"an unknown field": {query: "{ viewer { emial } }", code: validate},
		"a subscription":   {query: "subscription { viewer { id } }", code: validate},
		"accountId": {query: createAgent, code: validate,
			vars: vars{"input": vars{"name": "x", "accountId": id}}},
		"null in non-null":     {query: createAgent, vars: vars{"input": vars{"name": nil}}, code: validate},
		"introspection":        {query: "{ __schema { types { name } } }", code: validate},
		"introspection hidden": {query: "{ ...F } fragment F on Query { ... on Query { a: __schema { types { name } } } }", code: validate},
	} {
		a := u.do(t, c.query, c.vars)
		if a.status != http.StatusUnprocessableEntity || a.code() != c.code || a.Data != nil {
			t.Errorf("%s: %d %s, want 422 %s: %.300s", what, a.status, a.code(), c.code, a.body)
		}
		const where = "The schema is at /schema.graphql, and the command `agentchat schema` prints it."
		if strings.HasPrefix(what, "introspection") && !strings.Contains(a.body, where) {
			t.Errorf("%s does not name both ways to the schema: %s", what, a.body)
		}
		if strings.Contains(a.body, "Did you mean") || strings.Contains(a.body, "email") && what == "an unknown field" {
			t.Errorf("%s: a suggestion: %s", what, a.body)
		}
	}
	if everything(t, u.b) != before {
		t.Error("refused, and something changed")
	}
}
