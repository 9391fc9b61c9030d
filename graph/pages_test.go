package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/credits"
)

const (
	history = `query($first: Int, $after: String, $filter: CreditFilter) { viewer {
		creditHistory(first: $first, after: $after, filter: $filter) {
		edges { cursor node { id } } nodes { id kind amount balanceAfter createdAt note agentName
		exportName agent { id name } export { id name state }
		turn { id message reply export { id } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
	allExports = `query($first: Int, $after: String, $filter: ExportFilter) { viewer { exports(first:
		$first, after: $after, filter: $filter) {
		totalCount edges { cursor node { id } } nodes { id name state removedAt agent { name } keys { hint state } }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
)

// nodes reads all pages of a list and returns a field of its nodes.
func (u *user) nodes(t *testing.T, query, path, field string, v vars) (out []any) {
	t.Helper()
	v["after"] = nil
	for {
		a := u.do(t, query, v).wantNone(t, path)
		n := a.list(path + ".nodes")
		for i := range n {
			out = append(out, a.get(fmt.Sprintf("%s.nodes.%d.%s", path, i, field)))
		}
		if back := a.get(path + ".pageInfo.hasPreviousPage"); back != (v["after"] != nil) {
			t.Errorf("%s: hasPreviousPage is %v after %v", path, back, v["after"])
		}
		if n > 0 && a.get(path+".pageInfo.endCursor") != a.get(fmt.Sprintf("%s.edges.%d.cursor", path, n-1)) {
			t.Errorf("%s: the end's cursor is not the last one's", path)
		}
		if a.get(path+".pageInfo.hasNextPage") == false {
			return out
		}
		v["after"] = a.text(t, path+".pageInfo.endCursor")
	}
}

func TestCreditHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := uuid.MustParse(u.live(t))
	export, key := u.exported(t, agent)
	answered := u.chat(t, key, "customer", "hello")
	u.try(t, agent, "playground", "hello")
	if _, err := credits.On(b.store).GrantCredits(t.Context(), credits.Grant{
		AccountID: u.account.ID, Amount: 50, Note: "Invoice 7", Reference: "7"}); err != nil {
		t.Fatal(err)
	}
	const nodes = "viewer.creditHistory.nodes."
	u.do(t, history, nil).wantValues(t, "all", map[string]any{
		nodes + "0.kind":         "GRANT",
		nodes + "0.balanceAfter": 148,
		nodes + "0.note":         "Invoice 7",
		nodes + "0.agentName":    nil,
		nodes + "0.exportName":   nil,
		nodes + "1.export":       nil,
		nodes + "2.amount":       -1,
		nodes + "2.note":         nil,
		nodes + "2.agent.id":     agent.String(),
		nodes + "2.export.id":    export.String(),
		nodes + "2.turn.id":      answered.Turn.String(),
	})
	since := vars{"from": "2020-01-01T00:00:00+02:00", "to": nil, "kind": "GRANT", "agentId": nil}
	grants := u.nodes(t, history, "viewer.creditHistory", "amount", vars{"filter": since, "first": 1})
	if !slices.Equal(grants, []any{50.0, 100.0}) {
		t.Errorf("the grants are %v", grants)
	}
	past := vars{"filter": vars{"to": "2020-01-01T00:00:00Z"}}
	if found := u.do(t, history, past).list("viewer.creditHistory.nodes"); found != 0 {
		t.Errorf("%d entries of the past", found)
	}
	// The names stay after the objects are deleted.
	u.do(t, deleteAgent, vars{"id": agent}).wantNone(t, "deleteAgent")
	u.do(t, history, nil).wantValues(t, "of a deleted agent", map[string]any{
		nodes + "2.agentName":  "Shop",
		nodes + "2.exportName": "Export",
		nodes + "2.agent":      nil,
		nodes + "2.export":     nil,
		nodes + "2.turn":       nil,
	})
}

func TestExportsOfTheAccount(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	mine := u.world(t)
	u.do(t, removeExport, vars{"id": mine["export"]}).wantNone(t, "remove")
	for _, c := range []struct {
		filter vars
		want   []any
	}{
		{vars{"state": "ACTIVE"}, []any{mine["keyed"].String()}},
		{vars{"inUse": false}, []any{mine["export"].String()}},
		{vars{"search": "nothing"}, nil},
	} {
		got := u.nodes(t, allExports, "viewer.exports", "id", vars{"filter": c.filter, "first": 1})
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.filter, got, c.want)
		}
	}
	u.do(t, allExports, nil).wantValues(t, "exports", map[string]any{
		"viewer.exports.totalCount":           2,
		"viewer.exports.nodes.0.removedAt":    nil,
		"viewer.exports.nodes.0.keys.0.state": "ACTIVE",
		"viewer.exports.nodes.1.keys.0.state": "REMOVED",
	})
}

// Every list refuses cursors of other lists and accounts, and text that is not a cursor.
func TestCursorsOfHistories(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	mine := u.world(t)
	other.byUser(t, other.world(t)["export"], "ada")
	u.byUser(t, mine["export"], "ada")
	u.do(t, rateTurn, vars{"input": vars{"turnId": mine["turn"], "value": "UP"}})
	turns := `query($after: String) { conversation(id: "` + mine["conversation"].String() +
		`") { turns(after: $after) { edges { cursor } } } }`
	lists := map[string]struct{ query, cursor string }{
		"credits":          {history, "viewer.creditHistory.edges.0.cursor"},
		"exports":          {allExports, "viewer.exports.edges.0.cursor"},
		"conversations":    {allConversations, "viewer.conversations.edges.0.cursor"},
		"an agent's":       {agentsConversations, "agent.conversations.edges.0.cursor"},
		"turns":            {turns, "conversation.turns.edges.0.cursor"},
		"turns before":     {strings.ReplaceAll(turns, "after", "before"), "conversation.turns.edges.0.cursor"},
		"another's agents": {listAgents, "agents.edges.0.cursor"},
		"versions":         {versionsPage, "agent.versions.edges.0.cursor"},
		"knowledge":        {known, "agent.knowledge.edges.0.cursor"},
		"requests":         {allRequests, "viewer.requests.edges.0.cursor"},
		"end users":        {endUsers, "viewer.endUsers.edges.0.cursor"},
		"ratings":          {agentsRatings, "agent.ratings.edges.0.cursor"},
		"audit log":        {auditLog, "viewer.auditLog.edges.0.cursor"},
		"events":           {ownEvents, "me.events.edges.0.cursor"},
	}
	own := map[string]string{}
	for what, list := range lists {
		own[what] = u.do(t, list.query, vars{"id": mine["agent"]}).wantNone(t, what).text(t, list.cursor)
	}
	kind := strings.NewReplacer("an agent's", "conversations", "turns before", "turns")
	for what, list := range lists {
		argument := "after"
		if what == "turns before" {
			argument = "before"
		}
		from := func(cursor string) answer {
			return u.do(t, list.query, vars{"id": mine["agent"], argument: cursor})
		}
		from("").wantFields(t, what+", empty", argument+" invalid_value")
		for source, cursor := range own {
			if kind.Replace(source) == kind.Replace(what) {
				from(cursor).wantNone(t, what+" of "+source)
			} else {
				from(cursor).wantFields(t, what+" of "+source, argument+" invalid_value")
			}
		}
		if foreign := other.do(t, list.query, vars{"id": mine["agent"]}); foreign.code() == "" {
			from(foreign.text(t, list.cursor)).
				wantFields(t, what+" of another account", argument+" invalid_value")
		}
	}
	second := u.try(t, mine["agent"], "another", "hello")
	another := strings.ReplaceAll(turns, mine["conversation"].String(), second.Conversation.String())
	cursor := u.do(t, another, nil).text(t, "conversation.turns.edges.0.cursor")
	u.do(t, turns, vars{"after": cursor}).wantFields(t, "another conversation's cursor", "after invalid_value")
}

// TestIDsBelowTheRoot: every field below the root that takes an id answers another account's id
// like a random one, and finds the account's own.
func TestIDsBelowTheRoot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	mine, theirs := u.world(t), other.world(t)
	_, key := u.exported(t, mine["agent"])
	u.chat(t, key, "customer", "hello")
	export := u.nodes(t, history, "viewer.creditHistory", "export.id", vars{"first": 1})[0]
	u.byUser(t, mine["export"], "ada")
	covered := map[string]struct {
		query, nodes string
		mine, theirs any
	}{
		"Account.auditLog.filter.actorId":       {auditLog, "viewer.auditLog.nodes", u.account.OwnerID, other.account.OwnerID},
		"Account.creditHistory.filter.agentId":  {history, "viewer.creditHistory.nodes", mine["agent"], theirs["agent"]},
		"Account.creditHistory.filter.exportId": {history, "viewer.creditHistory.nodes", export, theirs["export"]},
		"Account.conversations.filter.agentId":  {allConversations, "viewer.conversations.nodes", mine["agent"], theirs["agent"]},
		"Account.endUsers.filter.agentId":       {endUsers, "viewer.endUsers.nodes", mine["agent"], theirs["agent"]},
		"Account.endUsers.filter.exportId":      {endUsers, "viewer.endUsers.nodes", mine["export"], theirs["export"]},
		"Account.exports.filter.agentId":        {allExports, "viewer.exports.nodes", mine["agent"], theirs["agent"]},
		"Account.requests.filter.agentId":       {allRequests, "viewer.requests.nodes", mine["agent"], theirs["agent"]},
		"Account.requests.filter.exportId":      {allRequests, "viewer.requests.nodes", export, theirs["export"]},
		"Account.usage.filter.agentId":          {usageOf, "viewer.usage", mine["agent"], theirs["agent"]},
		"Account.usage.filter.exportId":         {usageOf, "viewer.usage", export, theirs["export"]},
		"Agent.conversations.filter.agentId": {agentsConversations, "agent.conversations.nodes",
			mine["agent"], theirs["agent"]},
	}
	schema := parsed(t)
	for _, def := range ours(schema) {
		if def == schema.Query || def == schema.Mutation || def == schema.Subscription || def.Kind != "OBJECT" {
			continue
		}
		for _, f := range def.Fields {
			for _, a := range f.Arguments {
				for _, inner := range schema.Types[a.Type.Name()].Fields {
					if path := def.Name + "." + f.Name + "." + a.Name + "." +
						inner.Name; inner.Type.Name() == "ID" && covered[path].query == "" {
						t.Errorf("%s is not covered by this test", path)
					}
				}
				if path := def.Name + "." + f.Name + "." + a.Name; a.Type.Name() == "ID" &&
					path != "TestRun.outcomes.against" { // see TestRunsOfAnAgent
					t.Errorf("%s is not covered by this test", path)
				}
			}
		}
	}
	for path, c := range covered {
		ask := func(id any) answer {
			filter := vars{path[strings.LastIndex(path, ".")+1:]: id}
			if c.query == usageOf {
				filter["from"], filter["to"] = "2026-01-01T00:00:00Z", "2100-01-01T00:00:00Z"
			}
			return u.do(t, c.query, vars{"id": mine["agent"], "filter": filter}).wantNone(t, path)
		}
		if n := ask(c.mine).list(c.nodes); n < 1 {
			t.Errorf("%s: one's own finds %d", path, n)
		}
		if foreign, random := ask(c.theirs), ask(uuid.Must(uuid.NewV7())); foreign.body != random.body ||
			foreign.list(c.nodes) != 0 {
			t.Errorf("%s: another account's id is distinguishable:\n%s\n%s", path, foreign.body, random.body)
		}
	}
}

// TestHistoriesBelowSignIn: below a sign-in, all lists are those of the account that signs in, even
// with the token of another one.
func TestHistoriesBelowSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	u.try(t, uuid.MustParse(u.live(t)), "mine", "hello")
	other.try(t, uuid.MustParse(other.live(t)), "theirs", "bonjour")
	const below = `account { id conversations { nodes { agent { name } turns { nodes { message } } } }
		creditHistory { nodes { agent { name } turn { message } } } } }`
	query := `mutation($email: String!, $password: String!) {
		signIn(input: {email: $email, password: $password}) { ` + below +
		` updateAccount(input: {}) { ` + below + ` }`
	both := call{query: query, token: other.token,
		vars: vars{"email": u.account.Email, "password": password}}
	a := b.do(t, both).wantNone(t, "both")
	for root, message := range map[string]string{"signIn": "hello", "updateAccount": "bonjour"} {
		at := root + ".account."
		a.wantValues(t, root, map[string]any{
			at + "conversations.nodes.0.agent.name":            "Shop",
			at + "conversations.nodes.0.turns.nodes.0.message": message,
			at + "creditHistory.nodes.0.turn.message":          message,
		})
	}
	const signUp = `mutation { signUp(input: {email: "new@example.com", name: "New",
		password: "` + password + `"}) { ` + below + ` }`
	b.do(t, call{query: signUp, token: other.token}).
		wantValues(t, "signing up", map[string]any{"signUp.account.conversations.nodes.0": nil})
}
