package graph_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"agentchat/graph"
)

// asked returns the query string of a query.
func asked(query string, more ...string) string {
	values := url.Values{"query": {query}}
	for i := 0; i < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return "?" + values.Encode()
}

// TestGET: GET answers queries as POST does, and authenticates only by the header.
func TestGET(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	before := everything(t, b)
	cookies := ""
	for _, c := range u.cookies {
		cookies += c.Name + "=" + c.Value + "; "
	}
	with := func(more ...string) map[string]string {
		h := map[string]string{"Authorization": "Bearer " + u.token}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	const id, first, bad = `{ viewer { id } }`, `query($n: Int!) { agents(first: $n) { totalCount } }`, "BAD_USER_INPUT"
	const reset, hash = `passwordReset(token: "x")`, `{"persistedQuery":{"version":1,"sha256Hash":"00"}}`
	const two = `query A { viewer { id } } query B { ` + reset + ` }`
	const input = `{"input":{"agentId":"x","message":"x"}}`
	long := asked(id, "extensions", `{"a":""}`)
	long = strings.Replace(long, "%22%22", "%22"+strings.Repeat("x", graph.MaxURLQuery+1-len(long))+"%22", 1)
	for what, c := range map[string]struct {
		path   string
		header map[string]string
		status int
		code   string
		allow  string
	}{
		"a query":                   {asked(id), with(), 200, "", ""},
		"with a cookie as well":     {asked(id), with("Cookie", cookies), 200, "", ""},
		"the Accept of urql":        {asked(id), with("Accept", "application/json, text/event-stream"), 200, "", ""},
		"with a cookie alone":       {asked(id), map[string]string{"Cookie": cookies}, 401, "UNAUTHENTICATED", ""},
		"without a sign-in":         {asked(id), nil, 401, "UNAUTHENTICATED", ""},
		"a public field":            {asked("{ serviceInfo { version } }"), nil, 200, "", ""},
		"variables":                 {asked(first, "variables", `{"n":1}`), with(), 200, "", ""},
		"variables of a wrong type": {asked(first, "variables", `{"n":"x"}`), with(), 422, "GRAPHQL_VALIDATION_FAILED", ""},
		"no JSON in variables":      {asked(first, "variables", `{`), with(), 400, bad, ""},
		"a name twice in variables": {asked(first, "variables", `{"n":1,"n":1}`), with(), 400, bad, ""},
		"extensions":                {asked(id, "extensions", hash), with(), 200, "", ""},
		"a name":                    {asked(two, "operationName", "A"), with(), 200, "", ""},
		"two operations, no name":   {asked(two), with(), 400, bad, ""},
		"a persisted query":         {"?extensions=" + url.QueryEscape(hash), nil, 200, "PERSISTED_QUERY_NOT_SUPPORTED", ""},
		"no query":                  {"", nil, 400, bad, ""},
		"a semicolon":               {"?query={__typename};x", nil, 400, bad, ""},
		"a broken escape":           {"?query=%zz", nil, 400, bad, ""},
		"query twice":               {asked("{__typename}") + "&query=%7B__typename%7D", nil, 400, bad, ""},
		"extensions twice":          {asked("{__typename}") + "&extensions=&extensions=", nil, 400, bad, ""},
		"a syntax error":            {asked("{"), nil, 422, "GRAPHQL_PARSE_FAILED", ""},
		"a large public document":   {asked(padded(graph.MaxPublicBytes + 1)), nil, 401, "UNAUTHENTICATED", ""},
		"8 KiB":                     {long, with(), 200, "", ""},
		"8 KiB and a byte":          {long + "&", with(), 414, "LIMIT_EXCEEDED", ""},
		"a mutation":                {asked(everyEnd), with("Cookie", cookies), 405, bad, "POST"},
		"a public mutation":         {asked(renew), map[string]string{"Cookie": cookies}, 405, bad, "POST"},
		"a subscription":            {asked(followTest, "variables", input), with(), 405, bad, "POST"},
		"a stream of events":        {asked(id), with("Accept", "text/event-stream"), 405, bad, "POST"},
		"passwordReset":             {asked("{ " + reset + " }"), nil, 405, bad, "POST"},
		"it in fragments": {asked("{ ...F } fragment F on Query { ... on Query { " + reset +
			" } }"), nil, 405, bad, "POST"},
		"it skipped":          {asked("{ a: __typename " + reset + " @skip(if: true) }"), with(), 405, bad, "POST"},
		"invitation":          {asked(preview, "variables", `{"token":"x"}`), with(), 405, bad, "POST"},
		"from another site":   {asked(id), with("Sec-Fetch-Site", "cross-site"), 403, "FORBIDDEN", ""},
		"from another origin": {asked(id), with("Origin", "https://evil.example"), 403, "FORBIDDEN", ""},
	} {
		a := b.send(t, form{method: http.MethodGet, path: c.path, header: c.header})
		allow := a.header.Get("Allow")
		if a.status != c.status || a.code() != c.code || allow != c.allow || (c.code == "") != (a.Data != nil) {
			t.Errorf("%s: %d %s, Allow %q, want %d %s: %.200s", what, a.status, a.code(), allow, c.status, c.code, a.body)
		}
		if len(a.cookies) > 0 {
			t.Errorf("%s sets cookies: %v", what, a.cookies)
		}
		if c.status == 414 && !strings.Contains(a.body, "Send it by POST.") {
			t.Errorf("%s: %s", what, a.body)
		}
	}
	if everything(t, b) != before {
		t.Error("a GET changed something")
	}
}
