package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
)

const (
	requestFields = `{ id requestId at outcome status code detail preview agent { id } export { id }
		keyHint clientAddress sessionId userId model streamed replayed background
		credits durationMs waitedMs modelMs conversation { id } turn { id message } }`
	allRequests = `query($first: Int, $after: String, $filter: RequestFilter) { viewer {
		requests(first: $first, after: $after, filter: $filter) {
		edges { cursor } nodes ` + requestFields + ` pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
	oneRequest = `query($id: ID!) { request(id: $id) ` + requestFields + ` }`
)

// refuse records a rejected request with a key.
func (u *user) refuse(t *testing.T, key *apikey.Key, change func(*conversations.RejectedRequest)) {
	t.Helper()
	session, person := "s", "ada"
	request := conversations.RejectedRequest{Key: key.Hash(), At: time.Now(),
		RequestID: uuid.NewString(), Status: 402, Code: "insufficient_credits",
		Detail: "There are not enough credits.", ClientAddress: "192.0.2.1", SessionID: &session,
		UserID: &person, Duration: 3 * time.Millisecond}
	change(&request)
	if err := conversations.On(u.b.store).RecordRejected(t.Context(), []conversations.RejectedRequest{request}); err != nil {
		t.Fatal(err)
	}
}

// TestRequests: the log of requests with the account's keys. Several may share a request id.
func TestRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	agent := uuid.MustParse(u.live(t))
	_, key := u.exported(t, agent)
	answered := u.chat(t, key, "customer", "hello")
	failed := u.begin(t, uuid.Nil, key, "customer", "again")
	u.settle(t, failed.Turn, conversation.Failed)
	u.begin(t, uuid.Nil, key, "customer", "is not settled, so it is no request yet")
	u.refuse(t, key, func(c *conversations.RejectedRequest) { c.RequestID = "refused" })
	u.refuse(t, key, func(c *conversations.RejectedRequest) {
		c.RequestID, c.Code, c.Detail, c.Status, c.Turn = "replayed", "", "", http.StatusOK, answered.Turn
	})
	u.refuse(t, key, func(c *conversations.RejectedRequest) { c.RequestID, c.Turn = "began after all", failed.Turn })
	tried := u.try(t, agent, "playground", "is no request of the API")
	u.do(t, oneRequest, vars{"id": "refused"}).wantValues(t, "refused", map[string]any{
		"request.outcome":       "REFUSED",
		"request.status":        402,
		"request.code":          "insufficient_credits",
		"request.detail":        "There are not enough credits.",
		"request.keyHint":       key.Hint(),
		"request.clientAddress": "192.0.2.1",
		"request.durationMs":    3,
	})
	u.do(t, oneRequest, vars{"id": "replayed"}).wantValues(t, "replayed", map[string]any{
		"request.status":          200,
		"request.replayed":        true,
		"request.code":            nil,
		"request.turn.id":         answered.Turn.String(),
		"request.conversation.id": answered.Conversation.String(),
	})
	// The newest of two with one id.
	u.do(t, oneRequest, vars{"id": "request-1"}).wantValues(t, "failed", map[string]any{
		"request.outcome":    "FAILED",
		"request.background": false,
		"request.status":     504,
		"request.code":       "model_timeout",
		"request.turn.id":    failed.Turn.String(),
	})
	for _, id := range []string{"unknown", "began after all", "customer", ""} {
		u.do(t, oneRequest, vars{"id": id}).want(t, id, http.StatusOK, "NOT_FOUND")
	}
	other.do(t, oneRequest, vars{"id": "refused"}).
		want(t, "another account's", http.StatusOK, "NOT_FOUND")
	for what, c := range map[string]struct {
		filter vars
		want   []any
	}{
		"all":        {vars{}, []any{"replayed", "refused", "request-1", "request-1"}},
		"answered":   {vars{"outcome": "ANSWERED"}, []any{"replayed", "request-1"}},
		"a code":     {vars{"code": "model_timeout"}, []any{"request-1"}},
		"402":        {vars{"status": 402}, []any{"refused"}},
		"user":       {vars{"userId": "ada"}, []any{"replayed", "refused"}},
		"request id": {vars{"search": "request-1"}, []any{"request-1", "request-1"}},
		"the future": {vars{"from": "2100-01-01T00:00:00Z"}, nil},
		"the past":   {vars{"to": "2020-01-01T00:00:00Z"}, nil},
		"a text":     {vars{"text": " HELLO "}, []any{"replayed", "request-1"}},
		"of refused": {vars{"text": "hello", "outcome": "REFUSED"}, nil},
	} {
		got := u.nodes(t, allRequests, "viewer.requests", "requestId", vars{"filter": c.filter, "first": 1})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	const turns = `query($id: ID!) { conversation(id: $id) {
		turns { nodes { request { turn { id } } } } } }`
	u.do(t, turns, vars{"id": answered.Conversation}).wantValues(t, "turns", map[string]any{
		"conversation.turns.nodes.0.request.turn.id": answered.Turn.String(),
		"conversation.turns.nodes.1.request.turn.id": failed.Turn.String(),
		"conversation.turns.nodes.2.request":         nil,
	})
	u.do(t, turns, vars{"id": tried.Conversation}).
		wantValues(t, "playground", map[string]any{"conversation.turns.nodes.0.request": nil})
}

// TestRequestPreviews: a request shows the first 200 characters of its message until that is
// deleted. A rejected request has no preview. A page needs as many statements as one request.
func TestRequestPreviews(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	_, key := u.exported(t, uuid.MustParse(u.live(t)))
	long := u.chat(t, key, "long", strings.Repeat("é😀", 100)+"and more")
	u.refuse(t, key, func(c *conversations.RejectedRequest) { c.RequestID = "refused" })
	u.chat(t, key, "short", "hello")
	previews := func() []any {
		return u.nodes(t, allRequests, "viewer.requests", "preview", vars{"first": 20})
	}
	cut := strings.Repeat("é😀", 100)
	if got := previews(); !slices.Equal(got, []any{"hello", nil, cut}) {
		t.Errorf("previews: %q", got)
	}
	count := func(first int) int64 {
		before := b.statements.Load()
		u.do(t, allRequests, vars{"first": first}).wantNone(t, "a page")
		return b.statements.Load() - before
	}
	if one, all := count(1), count(3); one != all || all > 7 {
		t.Errorf("%d statements for one request, %d for three", one, all)
	}
	u.do(t, deleteOne, vars{"id": long.Conversation}).wantNone(t, "delete")
	if got := previews(); !slices.Equal(got, []any{"hello", nil}) {
		t.Errorf("previews of what is deleted: %q", got)
	}
}
