package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/graph"
	"agentchat/internal/auth"
)

// padded returns a valid public document of a size in bytes.
func padded(bytes int) string {
	const query = "{ serviceInfo { version } }"
	return query + " #" + strings.Repeat("x", bytes-len(query)-2)
}

func TestPublicDocumentsAreSmall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	expired, _ := b.tokens.IssueAccess(u.account.ID, uuid.New(), time.Now().Add(-time.Hour))
	others, err := auth.NewTokens([]byte("another secret of thirty-two bytes"))
	if err != nil {
		t.Fatal(err)
	}
	foreign, _ := others.IssueAccess(u.account.ID, uuid.New(), time.Now())
	fields := func(n int) string { return "{ serviceInfo { " + strings.Repeat("version ", n-1) + "} }" }
	for what, c := range map[string]struct {
		query, token, code string
		statements         int64
	}{
		"2 KiB":                  {query: padded(graph.MaxPublicBytes)},
		"2 KiB and a byte":       {padded(graph.MaxPublicBytes + 1), "", "UNAUTHENTICATED", 0},
		"not a token":            {padded(graph.MaxPublicBytes + 1), "x", "UNAUTHENTICATED", 0},
		"another secret's token": {padded(graph.MaxPublicBytes + 1), foreign, "UNAUTHENTICATED", 0},
		"an expired token":       {padded(graph.MaxPublicBytes + 1), expired, "UNAUTHENTICATED", 1},
		"a valid token":          {padded(graph.MaxPublicBytes + 1), u.token, "", 1},
		"200 fields":             {query: fields(graph.MaxPublicFields)},
		"201 fields":             {fields(graph.MaxPublicFields + 1), "", "UNAUTHENTICATED", 0},
		"201 with a valid token": {fields(graph.MaxPublicFields + 1), u.token, "", 1},
		"201 in another operation": {"query A { serviceInfo { version } } query B " +
			fields(graph.MaxPublicFields), "", "UNAUTHENTICATED", 0},
		"too large for anybody":      {padded(32<<10 + 1), u.token, "LIMIT_EXCEEDED", 0},
		"public, with a stale token": {padded(graph.MaxPublicBytes), expired, "", 0},
	} {
		operation := ""
		if strings.HasPrefix(c.query, "query A") {
			operation = "A"
		}
		before := b.statements.Load()
		a := b.do(t, call{query: c.query, token: c.token, operation: operation})
		if statements := b.statements.Load() - before; a.code() != c.code || statements != c.statements {
			t.Errorf("%s: %s, %d statements, want %d: %.300s", what, a.code(), statements, c.statements, a.body)
		}
		if unauthorized := a.status == http.StatusUnauthorized; unauthorized != (c.code == "UNAUTHENTICATED") {
			t.Errorf("%s: status %d", what, a.status)
		}
	}
}

// worst holds the most expensive documents within all limits, each with a number that makes it
// unique. The library's rule for overlapping fields took 25 ms to 2 s for each.
var worst = map[string]func(n int) string{
	"one field 900 times": func(n int) string {
		return fmt.Sprintf("query Q%d { viewer { %s} }", n,
			strings.Repeat("id ", 900))
	},
	"20 objects of 45 fields": func(n int) string {
		return fmt.Sprintf("query Q%d { %s}", n, strings.Repeat("viewer { "+strings.Repeat("id ", 45)+"} ", 20))
	},
	"900 fields in 10 inline fragments": func(n int) string {
		return fmt.Sprintf("query Q%d { viewer %s }", n, nest(10, "{ ... on Account ", "{ "+strings.Repeat("id ", 900)+"}", "}"))
	},
	"objects in lists in lists": func(n int) string {
		return fmt.Sprintf("query Q%d { agents { %s} }", n,
			strings.Repeat("nodes { "+strings.Repeat("exports { "+strings.Repeat("agent { id } ", 10)+"} ", 9)+"} ", 5))
	},
	"30 fragments of 15 objects": func(n int) string {
		return fmt.Sprintf("query Q%d { agents { nodes { %s} } } %s", n, numbered(30, "...F#"),
			numbered(30, "fragment F# on Agent { exports { "+strings.Repeat("agent { id } ", 15)+"} }"))
	},
	"150 fragments of two fields": func(n int) string {
		return fmt.Sprintf("query Q%d { viewer { %s} } %s", n, numbered(150, "...F#"),
			numbered(150, "fragment F# on Account { id id }"))
	},
	"many conflicts": func(n int) string {
		return fmt.Sprintf("query Q%d { viewer { %s%s} }", n, strings.Repeat("a: id a: name ", 25), strings.Repeat("id ", 400))
	},
}

// Not parallel: it compares the CPU time with that of a small document in the same run, client
// included.
//
//nolint:paralleltest // see above
func TestWorstDocumentsCostLittle(t *testing.T) {
	b := newBench(t)
	u := signedIn(t, b)
	const times, most = 20, 25
	for _, token := range []string{"", u.token} {
		cost := func(query func(int) string) time.Duration {
			b.do(t, call{query: query(times), token: token})
			before := cpu(t)
			for n := range times {
				b.do(t, call{query: query(n), token: token})
			}
			return (cpu(t) - before) / times
		}
		small := cost(func(n int) string { return fmt.Sprintf("query Q%d { viewer { id } }", n) })
		for what, query := range worst {
			spent := cost(query)
			t.Logf("token %-5t %-34s %d bytes: %.1f ms of CPU, a small document %.2f ms", token != "", what, len(query(0)),
				spent.Seconds()*1000, small.Seconds()*1000)
			if spent > most*max(small, 200*time.Microsecond) {
				t.Errorf("%s: %s of CPU, more than %d times the %s of a small document", what, spent, most, small)
			}
		}
	}
}

func TestOneTestMessagePerRequest(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	draft := u.made(t, nil).text(t, "createAgent.agent.id")
	send := fmt.Sprintf(`sendTestMessage(input: {agentId: %q, message: "hello"}) { turn { id } }`, draft)
	for what, c := range map[string]struct{ query, operation, code string }{
		"one":              {query: "mutation { " + send + " }"},
		"two":              {query: "mutation { a: " + send + " b: " + send + " }", code: "LIMIT_EXCEEDED"},
		"one in fragments": {query: "mutation { ...F ...F } fragment F on Mutation { ... { " + send + " } }"},
		"two in fragments": {query: "mutation { ...F a: " + send +
			" } fragment F on Mutation { ... { b: " + send + " } }", code: "LIMIT_EXCEEDED"},
		"one of two operations": {query: "mutation A { " + send + " } mutation B { " + send + " }", operation: "A"},
		"two streams": {query: "subscription { " + strings.ReplaceAll("a: "+send+" b: "+send,
			"sendTestMessage", "testMessage") + " }",
			code: "LIMIT_EXCEEDED"},
	} {
		if a := u.b.do(t, call{query: c.query, token: u.token, operation: c.operation}); a.code() != c.code {
			t.Errorf("%s: %.300s", what, a.body)
		}
	}
	var sent int
	if err := u.b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns`).Scan(&sent); err != nil || sent != 3 {
		t.Errorf("%d messages were sent, want 3: %v", sent, err)
	}
}
