package graph_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
)

const (
	conversationPage = `edges { cursor } nodes { id sessionId }
		pageInfo { hasNextPage hasPreviousPage endCursor }`
	allConversations = `query($first: Int, $after: String, $filter: ConversationFilter) { viewer {
		conversations(first: $first, after: $after, filter: $filter) { ` + conversationPage + ` } } }`
	agentsConversations = `query($id: ID!, $first: Int, $after: String,
		$filter: ConversationFilter) { agent(id: $id) {
		conversations(first: $first, after: $after, filter: $filter) { ` + conversationPage + ` } } }`
	oneConversation = `query($id: ID!, $first: Int, $last: Int, $before: String) {
		conversation(id: $id) { turns(first: $first, last: $last, before: $before) {
		edges { cursor } nodes { number } } } }`
	deleteOne = `mutation($id: ID!) { deleteConversation(input: {id: $id}) { deletedConversationId } }`
	deleteAll = `mutation($input: DeleteConversationsInput!) { deleteConversations(input: $input) { deletedCount } }`
)

// TestConversations: the filters of the account's and of an agent's list.
func TestConversations(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	shop, help := uuid.MustParse(u.live(t)), uuid.MustParse(u.live(t))
	_, shopKey := u.exported(t, shop)
	_, helpKey := u.exported(t, help)
	u.chat(t, shopKey, "one", "a")
	u.try(t, shop, "two", "b")
	u.chat(t, helpKey, "three", "c")
	u.chat(t, shopKey, "one", "d") // moves to the top
	for what, c := range map[string]struct {
		filter     vars
		want, shop []any
	}{
		"nulls": {vars{"agentId": nil, "search": nil, "source": nil, "from": nil},
			[]any{"one", "three", "two"}, []any{"one", "two"}},
		"agent":   {vars{"agentId": help}, []any{"three"}, nil},
		"session": {vars{"sessionId": "two"}, []any{"two"}, []any{"two"}},
		"search":  {vars{"search": " T"}, []any{"three", "two"}, []any{"two"}},
		"source":  {vars{"source": "API"}, []any{"one", "three"}, []any{"one"}},
		"from":    {vars{"from": "2999-01-01T00:00:00Z"}, nil, nil},
		"to":      {vars{"to": "2020-01-01T00:00:00Z"}, nil, nil},
	} {
		v := vars{"id": shop, "filter": c.filter, "first": 1}
		if got := u.nodes(t, allConversations, "viewer.conversations", "sessionId", v); !slices.Equal(
			got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
		if got := u.nodes(t, agentsConversations, "agent.conversations", "sessionId", v); !slices.Equal(
			got, c.shop) {
			t.Errorf("%s, of the shop: %v, want %v", what, got, c.shop)
		}
	}
	u.do(t, allConversations, vars{"filter": vars{"sessionId": ""}}).wantFields(t, "no session",
		"filter.sessionId empty")
	u.do(t, allConversations, vars{"filter": vars{"from": "now"}}).wantFields(t, "not a time",
		"from invalid_value")
}

// TestTurnsOfAConversation: a page from either end.
func TestTurnsOfAConversation(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	for range 3 {
		u.try(t, agent, "customer", "hello")
	}
	id := u.try(t, agent, "customer", "hello").Conversation
	const at = "conversation.turns."
	for what, want := range map[string]string{"first": "[1 2]", "last": "[3 4]"} {
		a := u.do(t, oneConversation, vars{"id": id, what: 2})
		got := fmt.Sprint([]any{a.get(at + "nodes.0.number"), a.get(at + "nodes.1.number")})
		if got != want || a.list(at+"nodes") != 2 {
			t.Errorf("%s: %s, want %s", what, a.body, want)
		}
	}
	second := u.do(t, oneConversation, vars{"id": id}).text(t, at+"edges.1.cursor")
	u.do(t, oneConversation, vars{"id": id, "last": 9, "before": second}).
		wantValues(t, "last, before", map[string]any{at + "nodes.0.number": 1, at + "nodes.1": nil})
	for field, v := range map[string]vars{
		"last not_supported": {"id": id, "first": 1, "last": 1},
		"first out_of_range": {"id": id, "first": 0},
		"last out_of_range":  {"id": id, "last": 101},
	} {
		u.do(t, oneConversation, v).wantFields(t, field, field)
	}
}

// TestDeletingConversations: those of a session, of one agent or of all, also by an id that messages
// can no longer have.
func TestDeletingConversations(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	shop, help := uuid.MustParse(u.live(t)), uuid.MustParse(u.live(t))
	u.try(t, shop, "undefined", "hello")
	u.try(t, help, "undefined", "hello")
	for _, agent := range []any{help, nil} {
		u.do(t, deleteAll, vars{"input": vars{"sessionId": "undefined", "agentId": agent}}).wantValues(t,
			fmt.Sprint("of agent ", agent), map[string]any{"deleteConversations.deletedCount": 1})
	}
	u.do(t, deleteAll, vars{"input": vars{"sessionId": ""}}).wantFields(t, "no session",
		"sessionId empty")
}

// TestUpdateAccount: an absent name stays.
func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const update = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { account {
		name } } }`
	for _, c := range []struct {
		input vars
		want  string
	}{{vars{}, "Ada"}, {vars{"name": " Grace "}, "Grace"}} {
		u.do(t, update, vars{"input": c.input}).wantValues(t, c.want, map[string]any{
			"updateAccount.account.name": c.want})
	}
	u.do(t, update, vars{"input": vars{"name": nil}}).wantFields(t, "null", "name missing")
	u.do(t, update, vars{"input": vars{"name": "a\nb"}}).wantFields(t, "two lines",
		"name invalid_character")
}

// TestDeleteAccount: the response clears the refresh cookie.
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const remove = `mutation($password: String!) { deleteAccount(input: {password: $password}) { ok } }`
	u.do(t, remove, vars{"password": ""}).wantFields(t, "no password", "password missing")
	u.do(t, remove, vars{"password": "wrong password"}).
		want(t, "a wrong password", http.StatusOK, "INVALID_CREDENTIALS")
	a := u.do(t, remove, vars{"password": password})
	a.wantValues(t, "deleting", map[string]any{"deleteAccount.ok": true})
	if len(a.cookies) != 1 || a.cookies[0].MaxAge >= 0 {
		t.Errorf("the refresh cookie stays: %v", a.cookies)
	}
	u.do(t, viewer, nil).want(t, "afterwards", http.StatusUnauthorized, "UNAUTHENTICATED")
}
