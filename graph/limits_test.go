package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nest writes open and close around the middle n times.
func nest(n int, open, middle, end string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// doubling returns fragments that each spread the next one twice.
func doubling(levels int) string {
	var out strings.Builder
	out.WriteString("{ agents { nodes { ...F0 } } }")
	for i := range levels {
		fmt.Fprintf(&out, " fragment F%d on Agent { ...F%d ...F%d }", i, i+1, i+1)
	}
	fmt.Fprintf(&out, " fragment F%d on Agent { id }", levels)
	return out.String()
}

func numbered(n int, format string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)) + " ")
	}
	return out.String()
}

// fragmentChain returns fragments that each add one level through the next one.
func fragmentChain(levels int) string {
	var out strings.Builder
	for i := range levels {
		fmt.Fprintf(&out, "fragment F%d on Account { ... on Account { ...F%d } } ", i, i+1)
	}
	fmt.Fprintf(&out, "fragment F%d on Account { id }", levels)
	return out.String()
}

// expensive holds the documents of the cases, with their errors.
var expensive = []struct{ what, query, code string }{
	{"51 aliases", "{ viewer { " + numbered(51, "a#: id") + "} }", "LIMIT_EXCEEDED"},
	{"aliases in a fragment spread often", "{ viewer { " + strings.Repeat("...F ", 20) +
		"} } fragment F on Account { a: id b: id c: id }",
		"LIMIT_EXCEEDED"},
	{"one field 2,400 times", "{ viewer { " + strings.Repeat("id ", 2400) + "} }", "LIMIT_EXCEEDED"},
	{"one field 2,400 times in a fragment that nothing spreads",
		"{ viewer { id } } fragment F on Account { " + strings.Repeat("id ", 2400) + "}", "LIMIT_EXCEEDED"},
	{"one fragment of 900 fields spread by 150 operations", numbered(150, "query Q# { viewer { ...F } }") +
		" fragment F on Account { " + strings.Repeat("id ", 900) + "}", "LIMIT_EXCEEDED"},
	{"fragments in a circle with 2,000 fields", "{ viewer { ...F } } fragment F on Account { ...G " +
		strings.Repeat("id ", 1000) +
		"} fragment G on Account { ...F " + strings.Repeat("id ", 1000) + "}", "LIMIT_EXCEEDED"},
	{"fragments in a circle",
		"{ viewer { ...F } } fragment F on Account { ...G } fragment G on Account { ...F }",
		"GRAPHQL_VALIDATION_FAILED"},
	{"doubling fragments, 22 levels", doubling(22), "LIMIT_EXCEEDED"},
	{"depth 200", "{ agents { nodes " + nest(200, "{ exports { agent ", "{ id }", "} }") + " } }", "LIMIT_EXCEEDED"},
	{"depth 13", "{ viewer " + nest(12, "{ ... on Account ", "{ id }", "}") + " }", "LIMIT_EXCEEDED"},
	{"depth by a chain of fragments", "{ viewer { ...F0 } } " + fragmentChain(13), "LIMIT_EXCEEDED"},
	{"a chain of fragments that nothing spreads", "{ viewer { id } } " + fragmentChain(13), "LIMIT_EXCEEDED"},
	{"51 directives", "{ viewer { " + strings.Repeat("id @include(if: true) ", 51) + "} }", "LIMIT_EXCEEDED"},
	{"a list 10,000 deep", "{ agents(first: " + nest(10_000, "[", "1", "]") + ") { totalCount } }", "LIMIT_EXCEEDED"},
	{"a list 11 deep", "{ agents(first: " + nest(11, "[", "1", "]") + ") { totalCount } }", "LIMIT_EXCEEDED"},
	{"an object 11 deep", "{ agents(filter: " + nest(11, "{search: ", `"x"`, "}") + ") { totalCount } }", "LIMIT_EXCEEDED"},
	{"a default value 11 deep", "query($a: [Int] = " + nest(11, "[", "1", "]") + ") { viewer { id } }", "LIMIT_EXCEEDED"},
	{"a type 10,000 deep", "query($a: " + nest(10_000, "[", "Int", "]") + ") { viewer { id } }", "LIMIT_EXCEEDED"},
	{"inline fragments 100 by 100", "{ viewer { " + strings.Repeat(nest(100, "... on Account { ", "id",
		" }")+" ", 100) + "} }", "LIMIT_EXCEEDED"},
	{"21 fields at the root", "{ " + strings.Repeat("viewer { id } ", 21) + "}", "LIMIT_EXCEEDED"},
	{"100,000 braces", strings.Repeat("{", 100_000), "LIMIT_EXCEEDED"},
	{"a long comment", "{ viewer { id } } # " + strings.Repeat("x", 40_000), "LIMIT_EXCEEDED"},
	{"a long text", `{ agents(filter: {search: "` + strings.Repeat("x", 40_000) + `"}) { totalCount } }`, "LIMIT_EXCEEDED"},
	{"first of 2^31-1, three deep", `{ agents(first: 2147483647) { nodes { exports { agent { exports {
		agent { id } } } } } } }`, "BAD_USER_INPUT"},
	{"first 0", `{ agents(first: 0) { nodes { id } } }`, "BAD_USER_INPUT"},
	{"first -1", `{ agents(first: -1) { nodes { id } } }`, "BAD_USER_INPUT"},
}

// cpu returns the processor time of this process.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Not parallel: it compares the CPU time with that of a small query in the same run.
//
//nolint:paralleltest // see above
func TestExpensiveDocumentsAreRefusedCheaply(t *testing.T) {
	b := newBench(t)
	u := signedIn(t, b)
	const times = 5
	cost := func(query string) (a answer, each time.Duration) {
		request := call{query: query, token: u.token}
		if strings.Contains(query, "query Q0") {
			request.operation = "Q0"
		}
		b.do(t, request) // whatever is done once only
		before := cpu(t)
		for range times {
			a = b.do(t, request)
		}
		return a, (cpu(t) - before) / times
	}
	_, cheap := cost("{ viewer { id } }")
	t.Logf("a small query: %s of CPU, client and server", cheap)
	for _, c := range expensive {
		statements := b.statements.Load()
		a, spent := cost(c.query)
		statements = b.statements.Load() - statements
		if a.code() != c.code || len(a.Errors) < 1 {
			t.Errorf("%s: %.300s", c.what, a.body)
		}
		if want := int64(0); c.code == "LIMIT_EXCEEDED" && (statements != want || a.status != http.StatusOK) {
			t.Errorf("%s: status %d, %d statements before the refusal", c.what, a.status, statements)
		}
		t.Logf("%-58s %-26s %s", c.what, a.code(), spent)
		// A small query takes well under a millisecond: a hundred times that is far below what an
		// unlimited document takes.
		if limit := 100 * max(cheap, time.Millisecond); spent > limit {
			t.Errorf("%s: %s of CPU for the refusal, against %s for a small query", c.what, spent, cheap)
		}
	}
}

func TestDocumentsWithinTheLimitsPass(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	for what, query := range map[string]string{
		"50 aliases":         "{ viewer { " + numbered(50, "a#: id") + "} }",
		"900 fields":         "{ viewer { " + strings.Repeat("id ", 900) + "} }",
		"20 at the root":     "{ " + strings.Repeat("viewer { id } ", 20) + "}",
		"50 directives":      "{ viewer { " + strings.Repeat("id @skip(if: false) ", 50) + "} }",
		"depth 12":           "{ viewer " + nest(10, "{ ... on Account ", "{ id }", "}") + " }",
		"two operations":     "query A { viewer { id } } query B { viewer { name } }",
		"doubling, 6 levels": doubling(6),
	} {
		a := u.b.do(t, call{query: query, token: u.token, operation: map[bool]string{true: "A"}[what == "two operations"]})
		if len(a.Errors) > 0 {
			t.Errorf("%s: %.300s", what, a.body)
		}
	}
}
