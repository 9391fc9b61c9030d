package graph_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

const (
	conversationPage = `edges { cursor node { id } } nodes { id sessionId source turnCount createdAt lastTurnAt agent { id name } }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`
	allConversations = `query($first: Int, $after: String, $filter: ConversationFilter) { viewer {
		conversations(first: $first, after: $after, filter: $filter) { ` + conversationPage + ` } } }`
	agentsConversations = `query($id: ID!, $first: Int, $after: String, $filter: ConversationFilter) { agent(id: $id) {
		conversations(first: $first, after: $after, filter: $filter) { ` + conversationPage + ` } } }`
	turnFields = `{ id conversationId number message reply state errorCode finishReason requestId model
		credits inputTokens outputTokens source
		export { id } createdAt durationMs }`
	oneConversation = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
		conversation(id: $id) { id sessionId source turnCount
		agent { id } turns(first: $first, after: $after, last: $last, before: $before) { edges { cursor
		node { number } } nodes ` + turnFields + `
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
	deleteOne = `mutation($id: ID!) { deleteConversation(input: {id: $id}) { deletedConversationId } }`
	deleteAll = `mutation($input: DeleteConversationsInput!) { deleteConversations(input: $input) { deletedCount } }`
)

func TestConversations(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	shop, help := uuid.MustParse(u.live(t)), uuid.MustParse(u.live(t))
	_, shopKey := u.exported(t, shop)
	_, helpKey := u.exported(t, help)
	u.chat(t, shopKey, "customer 1", "a")
	u.chat(t, helpKey, "customer 2", "b")
	u.chat(t, shopKey, "100% sure", "c")
	u.try(t, shop, "customer 1", "d")
	u.chat(t, helpKey, "customer 3", "e")
	u.chat(t, shopKey, "customer 1", "f") // moves to the top
	for what, c := range map[string]struct {
		filter vars
		want   []any
	}{
		"nulls": {vars{"agentId": nil, "sessionId": nil, "search": nil, "source": nil, "from": nil,
			"to": nil}, []any{"customer 1", "customer 3", "customer 1", "100% sure", "customer 2"}},
		"agent":      {vars{"agentId": help}, []any{"customer 3", "customer 2"}},
		"session":    {vars{"sessionId": "customer 1"}, []any{"customer 1", "customer 1"}},
		"search":     {vars{"search": " CUSTOMER "}, []any{"customer 1", "customer 3", "customer 1", "customer 2"}},
		"source":     {vars{"source": "PLAYGROUND"}, []any{"customer 1"}},
		"since then": {vars{"from": "2020-01-01T00:00:00Z", "source": "API", "agentId": shop}, []any{"customer 1", "100% sure"}},
	} {
		got := u.nodes(t, allConversations, "viewer.conversations", "sessionId", vars{"filter": c.filter, "first": 2})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	if got := u.nodes(t, agentsConversations, "agent.conversations", "sessionId", vars{
		"id": shop, "first": 2}); !slices.Equal(got,
		[]any{"customer 1", "customer 1", "100% sure"}) {
		t.Errorf("the shop's: %v", got)
	}
	if got := u.nodes(t, agentsConversations, "agent.conversations", "sessionId", vars{
		"id": shop, "filter": vars{"agentId": help}}); got != nil {
		t.Errorf("the shop's of another agent: %v", got)
	}
	u.do(t, allConversations, vars{"first": 1}).wantValues(t, "the first", map[string]any{
		"viewer.conversations.nodes.0.turnCount": 2,
		"viewer.conversations.nodes.0.source":    "API", "viewer.conversations.nodes.0.agent.id": shop.String()})
	u.do(t, allConversations, vars{"filter": vars{"sessionId": ""}}).wantFields(t, "no session", "filter.sessionId empty")
	u.do(t, allConversations, vars{"filter": vars{"from": "now"}}).wantFields(t, "not a time", "from invalid_value")
}

func TestConversationWithItsTurns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	shop := uuid.MustParse(u.live(t))
	export, key := u.exported(t, shop)
	var first begun
	for i := range 3 {
		first = u.chat(t, key, "customer", fmt.Sprint("message ", i+1))
	}
	u.settle(t, u.begin(t, uuid.Nil, key, "customer", "message 4").Turn, conversation.Failed)
	pending := u.begin(t, uuid.Nil, key, "customer", "message 5")
	id := first.Conversation
	const at = "conversation.turns."
	u.do(t, oneConversation, vars{"id": id}).wantValues(t, "all", map[string]any{
		"conversation.sessionId": "customer", "conversation.turnCount": 5, "conversation.source": "API",
		"conversation.agent.id": shop.String(),
		at + "nodes.0.message":  "message 1", at + "nodes.0.reply": "the reply",
		at + "nodes.0.state": "ANSWERED", at + "nodes.0.errorCode": nil,
		at + "nodes.0.finishReason": "stop", at + "nodes.0.requestId": "request-1",
		at + "nodes.0.model": "sandbox/assistant", at + "nodes.0.credits": 1,
		at + "nodes.0.inputTokens": 12, at + "nodes.0.outputTokens": 3, at + "nodes.0.source": "API",
		at + "nodes.0.export.id":      export.String(),
		at + "nodes.0.conversationId": id.String(), at + "nodes.0.number": 1,
		at + "nodes.3.state": "FAILED", at + "nodes.3.credits": 0,
		at + "nodes.3.errorCode": "model_timeout", at + "nodes.3.reply": nil,
		at + "nodes.4.state": "PENDING", at + "nodes.4.credits": 0,
		at + "nodes.4.durationMs": nil, at + "nodes.4.id": pending.Turn.String(), at + "nodes.5": nil,
		at + "pageInfo.hasNextPage": false, at + "pageInfo.hasPreviousPage": false})
	all := u.do(t, oneConversation, vars{"id": id})
	if ms, ok := all.get(at + "nodes.0.durationMs").(float64); !ok || ms < 0 {
		t.Errorf("took %v ms", all.get(at+"nodes.0.durationMs"))
	}
	cursor := func(n int) string { return all.text(t, fmt.Sprintf(at+"edges.%d.cursor", n-1)) }
	for what, c := range map[string]struct {
		v              vars
		want           []any
		next, previous bool
	}{
		"last, before": {vars{"last": 2, "before": cursor(3)}, []any{1.0, 2.0}, true, false},
		"nulls": {vars{"first": nil, "last": nil, "after": nil, "before": nil}, []any{
			1.0, 2.0, 3.0, 4.0, 5.0}, false, false},
	} {
		c.v["id"] = id
		a := u.do(t, oneConversation, c.v).wantNone(t, what)
		var got []any
		for i := range a.list(at + "nodes") {
			got = append(got, a.get(fmt.Sprintf(at+"nodes.%d.number", i)))
		}
		if !slices.Equal(got, c.want) || a.get(at+"pageInfo.hasNextPage") != c.next ||
			a.get(at+"pageInfo.hasPreviousPage") != c.previous {
			t.Errorf("%s: %v, %v, want %+v", what, got, a.get(at+"pageInfo"), c)
		}
	}
	for what, c := range map[string]struct {
		v    vars
		want string
	}{"both": {vars{"first": 1, "last": 1}, "last not_supported"}, "first 0": {vars{"first": 0}, "first out_of_range"},
		"last 0": {vars{"last": 0}, "last out_of_range"}, "last 101": {vars{"last": 101}, "last out_of_range"}} {
		c.v["id"] = id
		u.do(t, oneConversation, c.v).wantFields(t, what, c.want)
	}
	u.do(t, oneConversation, vars{"id": uuid.Max}).want(t, "unknown", http.StatusOK, "NOT_FOUND")
}

// TestDeletingConversations: one by its id, or those of a session, of one agent or of all.
func TestDeletingConversations(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	shop, help := uuid.MustParse(u.live(t)), uuid.MustParse(u.live(t))
	theirs := other.world(t) // has a conversation with the session customer too
	one := u.try(t, shop, "one", "hello").Conversation
	u.try(t, shop, "customer", "hello")
	u.try(t, help, "customer", "hello")
	u.do(t, deleteOne, vars{"id": one}).wantValues(t, "one", map[string]any{
		"deleteConversation.deletedConversationId": one.String()})
	u.do(t, oneConversation, vars{"id": one}).want(t, "reading it", http.StatusOK, "NOT_FOUND")
	for _, c := range []struct {
		input vars
		want  int
	}{{vars{"sessionId": "customer", "agentId": help}, 1}, {vars{"sessionId": "customer",
		"agentId": nil}, 1}, {vars{"sessionId": "customer"}, 0}} {
		u.do(t, deleteAll, vars{"input": c.input}).wantValues(t, fmt.Sprint(c.input), map[string]any{
			"deleteConversations.deletedCount": c.want})
	}
	u.do(t, deleteAll, vars{"input": vars{"sessionId": ""}}).wantFields(t, "no session", "sessionId empty")
	other.do(t, oneConversation, vars{"id": theirs["conversation"]}).wantNone(t, "the other account's")
}

func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const update = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { account { id
		name creditBalance } } }`
	u.do(t, update, vars{"input": vars{}}).wantValues(t, "nothing", map[string]any{"updateAccount.account.name": "Ada"})
	u.do(t, update, vars{"input": vars{"name": "  Grace  "}}).wantValues(t, "a name", map[string]any{
		"updateAccount.account.name": "Grace",
		"updateAccount.account.id":   u.account.ID.String(), "updateAccount.account.creditBalance": 100})
	u.do(t, `{ viewer { name } }`, nil).wantValues(t, "it lasts", map[string]any{"viewer.name": "Grace"})
	for what, c := range map[string]struct {
		name any
		want string
	}{"null": {nil, "name missing"}, "blank": {" ", "name blank"}, "long": {strings.Repeat("x", 101), "name too_long"},
		"two lines": {"a\nb", "name invalid_character"}} {
		u.do(t, update, vars{"input": vars{"name": c.name}}).wantFields(t, what, c.want)
	}
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
