package graph_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/graph"
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

// documents are documents at and above each limit, with the code that refuses them.
var documents = []struct{ what, query, code string }{
	{"50 aliases", "{ viewer { " + numbered(50, "a#: id") + "} }", ""},
	{"51 aliases", "{ viewer { " + numbered(51, "a#: id") + "} }", "LIMIT_EXCEEDED"},
	{"900 fields", "{ viewer { " + strings.Repeat("id ", 900) + "} }", ""},
	{"one field 2,400 times", "{ viewer { " + strings.Repeat("id ", 2400) + "} }", "LIMIT_EXCEEDED"},
	{"one field 2,400 times in a fragment that nothing spreads",
		"{ viewer { id } } fragment F on Account { " + strings.Repeat("id ", 2400) + "}",
		"LIMIT_EXCEEDED"},
	{"fragments in a circle with 2,000 fields",
		"{ viewer { ...F } } fragment F on Account { ...G " + strings.Repeat("id ", 1000) +
			"} fragment G on Account { ...F " + strings.Repeat("id ", 1000) + "}",
		"LIMIT_EXCEEDED"},
	{"fragments in a circle",
		"{ viewer { ...F } } fragment F on Account { ...G } fragment G on Account { ...F }",
		"GRAPHQL_VALIDATION_FAILED"},
	{"doubling fragments, 6 levels", doubling(6), ""},
	{"doubling fragments, 22 levels", doubling(22), "LIMIT_EXCEEDED"},
	{"depth 12", "{ viewer " + nest(10, "{ ... on Account ", "{ id }", "}") + " }", ""},
	{"depth 13", "{ viewer " + nest(12, "{ ... on Account ", "{ id }", "}") + " }", "LIMIT_EXCEEDED"},
	{"a chain of fragments", "{ viewer { ...F0 } } " + fragmentChain(13), "LIMIT_EXCEEDED"},
	{"a chain of fragments that nothing spreads", "{ viewer { id } } " + fragmentChain(13),
		"LIMIT_EXCEEDED"},
	{"50 directives", "{ viewer { " + strings.Repeat("id @skip(if: false) ", 50) + "} }", ""},
	{"51 directives", "{ viewer { " + strings.Repeat("id @skip(if: false) ", 51) + "} }",
		"LIMIT_EXCEEDED"},
	{"a list 11 deep", "{ agents(first: " + nest(11, "[", "1", "]") + ") { totalCount } }",
		"LIMIT_EXCEEDED"},
	{"a list 10,000 deep", "{ agents(first: " + nest(10_000, "[", "1", "]") + ") { totalCount } }",
		"LIMIT_EXCEEDED"},
	{"an object 11 deep",
		"{ agents(filter: " + nest(11, "{search: ", `"x"`, "}") + ") { totalCount } }",
		"LIMIT_EXCEEDED"},
	{"a default value 11 deep", "query($a: [Int] = " + nest(11, "[", "1", "]") + ") { viewer { id } }",
		"LIMIT_EXCEEDED"},
	{"a type 10,000 deep", "query($a: " + nest(10_000, "[", "Int", "]") + ") { viewer { id } }",
		"LIMIT_EXCEEDED"},
	{"20 fields at the root", "{ " + strings.Repeat("viewer { id } ", 20) + "}", ""},
	{"21 fields at the root", "{ " + strings.Repeat("viewer { id } ", 21) + "}", "LIMIT_EXCEEDED"},
	{"100,000 braces", strings.Repeat("{", 100_000), "LIMIT_EXCEEDED"},
	{"a long comment", "{ viewer { id } } # " + strings.Repeat("x", 40_000), "LIMIT_EXCEEDED"},
	{"a test message, spread twice",
		"mutation { ...F ...F } fragment F on Mutation { sendTestMessage { turn { id } } }", ""},
	{"two test messages",
		"mutation { a: sendTestMessage { turn { id } } b: sendTestMessage { turn { id } } }",
		"LIMIT_EXCEEDED"},
	{"two streams", "subscription { a: testMessage { id } b: testMessage { id } }", "LIMIT_EXCEEDED"},
	{"two passwords, one in a fragment",
		"mutation { ...F confirmPassword { ok } } fragment F on Mutation { ... { signIn { id } } }",
		"LIMIT_EXCEEDED"},
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

// TestExpensiveDocumentsAreRefusedCheaply measures the CPU time of the process, so it is not
// parallel. Without limits, the executor takes seconds for some of the documents.
//
//nolint:paralleltest // see above
func TestExpensiveDocumentsAreRefusedCheaply(t *testing.T) {
	for _, c := range documents {
		before := cpu(t)
		refusal := graph.Refused(c.query)
		spent := cpu(t) - before
		code := ""
		if refusal != nil {
			code, _ = refusal.Extensions["code"].(string)
		}
		if code != c.code {
			t.Errorf("%s: %q, want %q", c.what, code, c.code)
		}
		if spent > 100*time.Millisecond {
			t.Errorf("%s: %s of CPU", c.what, spent)
		}
	}
}
