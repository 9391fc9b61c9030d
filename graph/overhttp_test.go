package graph_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/graph"
)

// TestResponseMediaType: responses and errors have the media type of GraphQL over HTTP if the
// client accepts it, otherwise that of JSON.
func TestResponseMediaType(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const modern = "application/graphql-response+json"
	for accept, want := range map[string]string{
		"":                                    "application/json",
		"*/*":                                 "application/json",
		modern + ";q=0":                       "application/json",
		modern:                                modern,
		"application/json, " + modern:         modern,
		modern + ";q=0.5, application/json, ": "application/json",
	} {
		a := b.do(t, call{query: `{ viewer { id } }`, header: map[string]string{"Accept": accept}})
		if got := a.header.Get("Content-Type"); got != want || a.status != http.StatusUnauthorized {
			t.Errorf("Accept %q: %d %q, want %q", accept, a.status, got, want)
		}
	}
}

// TestQueriesAndMutationsAsEvents: a client that accepts only events gets the response of any
// operation as one event. A missing object leaves the rest of the response.
func TestQueriesAndMutationsAsEvents(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	events := map[string]string{"Accept": "text/event-stream"}
	const create = `mutation { createAgent(input: {name: "A"}) { agent { id } } }`
	made := u.b.do(t, call{query: create, token: u.token, header: events}).wantNone(t, "a mutation")
	missing := `{ viewer { id } agent(id: "` + uuid.NewString() + `") { id } }`
	a := u.b.do(t, call{query: missing, token: u.token, header: events})
	a.want(t, "a query", http.StatusOK, "NOT_FOUND")
	if len(made.events) != 1 || made.get("createAgent") == nil ||
		len(a.events) != 1 || a.get("viewer") == nil {
		t.Errorf("%s\n%s", made.body, a.body)
	}
	u.b.do(t, call{query: create, header: events}).
		want(t, "no token", http.StatusUnauthorized, "UNAUTHENTICATED")
}

// TestSchemaDocument: the schema is public, as text.
func TestSchemaDocument(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	graph.NewSchema("0.2.0").ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/schema.graphql", nil))
	text := w.Body.String()
	if w.Code != http.StatusOK || text != graph.Schema("0.2.0") ||
		!strings.HasPrefix(text, "# Agent Chat 0.2.0\n") || !strings.Contains(text, "type Query") ||
		w.Header().Get("Content-Type") != "application/graphql; charset=utf-8" {
		t.Errorf("%d %v %.80s", w.Code, w.Header(), w.Body)
	}
}
