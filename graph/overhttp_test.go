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
// operation as one event.
func TestQueriesAndMutationsAsEvents(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	events := map[string]string{"Accept": "text/event-stream"}
	const create = `mutation { createAgent(input: {name: "A"}) { agent { id } } }`
	made := u.b.do(t, call{query: create, token: u.token, header: events}).wantNone(t, "a mutation")
	missing := `{ viewer { id } agent(id: "` + uuid.NewString() + `") { id } }`
	a := u.b.do(t, call{query: missing, token: u.token, header: events})
	a.want(t, "a query", http.StatusOK, "NOT_FOUND")
	if len(made.events) != 1 || made.get("createAgent") == nil || len(a.events) != 1 {
		t.Errorf("%s\n%s", made.body, a.body)
	}
	u.b.do(t, call{query: create, header: events}).
		want(t, "no token", http.StatusUnauthorized, "UNAUTHENTICATED")
}

// TestSchemaDocument: the schema is public, as text.
func TestSchemaDocument(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	graph.NewSchema().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/schema.graphql", nil))
	text := w.Body.String()
	if w.Code != http.StatusOK || text != graph.Schema() || !strings.Contains(text, "type Query") ||
		w.Header().Get("Content-Type") != "application/graphql; charset=utf-8" {
		t.Errorf("%d %v %.80s", w.Code, w.Header(), w.Body)
	}
}

// TestWhatIsMissingIsNull: a missing object is null with an error, and the rest of the document is
// answered.
func TestWhatIsMissingIsNull(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	a := u.do(t, `query($id: ID!) { agent(id: $id) { id } conversation(id: $id) { id }
		request(id: $id) { id } node(id: $id) { id } viewer { name } }`, vars{"id": uuid.New()})
	if len(a.Errors) != 4 || a.code() != "NOT_FOUND" || a.get("viewer.name") != "Ada" {
		t.Errorf("%d %s", a.status, a.body)
	}
	for _, name := range []string{"agent", "conversation", "request", "node"} {
		if a.get(name) != nil {
			t.Errorf("%s is not null: %s", name, a.body)
		}
	}
}

// TestLinksToWhatIsGone: a reference to a deleted object is null, and the rest of the document is
// answered.
func TestLinksToWhatIsGone(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	for _, remove := range []func(agent, conversation uuid.UUID) answer{
		func(_, conversation uuid.UUID) answer { return u.do(t, deleteOne, vars{"id": conversation}) },
		func(agent, _ uuid.UUID) answer { return u.do(t, deleteAgent, vars{"id": agent}) },
	} {
		agent := uuid.MustParse(u.live(t))
		_, key := u.exported(t, agent)
		chat := u.chat(t, key, "customer", "hello")
		remove(agent, chat.Conversation).wantNone(t, "a deletion")
	}
	a := u.do(t, `{ viewer {
		creditHistory(first: 50) { nodes { id agent { id } export { id agent { id } } turn { ...turn } } }
		requests { nodes { id agent { id } export { id agent { id } } conversation { id agent { id } } turn { ...turn } } }
		exports(first: 50) { nodes { id agent { id } pinnedVersion { id agent { id } } } }
		conversations { nodes { id agent { id } turns { nodes { ...turn } } } }
		usage(filter: {from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z"}, groupBy: [AGENT,
		EXPORT]) { agent { id } export { id agent { id } } }
	} }
	fragment turn on Turn { id agent { id } conversation { id } export { id agent { id } } agentVersion
	{ id agent { id } } }`, nil)
	a.wantNone(t, "all links")
	if entries, _ := a.get("viewer.creditHistory.nodes").([]any); len(entries) != 3 {
		t.Errorf("the credit history has %d entries, want 3: starting credits and two charges", len(entries))
	}
}
