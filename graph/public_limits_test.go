package graph_test

import (
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
