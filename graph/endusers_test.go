package graph_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
)

const (
	endUsers = `query($first: Int, $after: String, $filter: EndUserFilter) { viewer { endUsers(first:
		$first, after: $after, filter: $filter) {
		nodes { userId firstSeenAt lastSeenAt messages credits conversations } edges { cursor } pageInfo {
		hasNextPage hasPreviousPage startCursor endCursor } } } }`
	deleteEndUser = `mutation($input: DeleteEndUserInput!) { deleteEndUser(input: $input) { deletedCount } }`
)

// byUser sends and answers one message of an end user through an export, in its own conversation.
func (u *user) byUser(t *testing.T, export uuid.UUID, name string) {
	t.Helper()
	key := apikey.Mint()
	hash := key.Hash()
	u.b.exec(t, `INSERT INTO api_keys (id, account_id, export_id, hash, hint)
		VALUES (gen_random_uuid(), $1, $2, $3, '')`, u.account.ID, export, hash[:])
	storetest.AnswerTurn(t, u.b.store, key, storetest.InOwnSession(name))
}

// TestEndUsers: the filters by end user, and the use of their export. An id that messages can no
// longer have is found and erased like all others.
func TestEndUsers(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	export := u.world(t)["export"]
	for _, name := range []string{"undefined", "bob", "undefined"} {
		u.byUser(t, export, name)
	}
	u.do(t, endUsers, vars{"filter": vars{"search": "B"}}).wantValues(t, "a search", map[string]any{
		"viewer.endUsers.nodes.0.userId": "bob", "viewer.endUsers.nodes.1": nil})
	found := u.do(t, allConversations, vars{"filter": vars{"userId": "undefined"}})
	if n := found.list("viewer.conversations.nodes"); n != 2 {
		t.Errorf("%d conversations of an end user, want 2", n)
	}
	u.do(t, `query($id: ID!) { node(id: $id) { ... on ApiExport {
		creditsUsedToday creditsUsedThisMonth } } }`, vars{"id": export}).
		wantJSON(t, "use", "node", `{"creditsUsedToday": 3, "creditsUsedThisMonth": 3}`)
	u.do(t, deleteEndUser, vars{"input": vars{"userId": ""}}).wantFields(t, "nobody", "userId empty")
	u.do(t, deleteEndUser, vars{"input": vars{"userId": "undefined"}}).wantValues(t, "erase",
		map[string]any{"deleteEndUser.deletedCount": 2})
}

// TestEndUsersOwnRules: a block and an individual limit. An absent limit stays.
func TestEndUsersOwnRules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	export := u.world(t)["export"]
	u.byUser(t, export, "ada")
	change := func(mutation, input string) answer {
		return u.do(t, `mutation { change: `+mutation+`(input: {`+input+`}) { endUser {
			blocked dailyMessageLimit messagesToday } } }`, nil)
	}
	for _, c := range []struct {
		mutation, input string
		blocked         bool
		limit           any
	}{
		{"setEndUserLimit", `, dailyMessageLimit: 5`, false, 5},
		{"blockEndUser", ``, true, 5},
		{"setEndUserLimit", ``, true, 5},
		{"unblockEndUser", ``, false, 5},
		{"setEndUserLimit", `, dailyMessageLimit: null`, false, nil},
	} {
		change(c.mutation, `userId: "ada"`+c.input).wantValues(t, c.mutation+c.input, map[string]any{
			"change.endUser.blocked":           c.blocked,
			"change.endUser.dailyMessageLimit": c.limit,
			"change.endUser.messagesToday":     1,
		})
		change(c.mutation, `userId: ""`).wantFields(t, c.mutation+" of nobody", "userId empty")
	}
	change("setEndUserLimit", `userId: "ada", dailyMessageLimit: 0`).wantFields(t, "none at all",
		"dailyMessageLimit out_of_range")
	u.do(t, updateExport, vars{"input": vars{"id": export, "userDailyMessageLimit": 7}}).
		wantNone(t, "the export's limit")
	u.byUser(t, export, "ada")
	const look = `{ viewer { endUser(userId: "ada") { nearestExportLimit { export { id }
		dailyMessageLimit messagesToday } } } }`
	u.do(t, look, nil).wantJSON(t, "the export's limit", "viewer.endUser.nearestExportLimit",
		`{"export": {"id": "`+export.String()+`"}, "dailyMessageLimit": 7, "messagesToday": 1}`)
	other.do(t, look, nil).wantValues(t, "another account", map[string]any{"viewer.endUser": nil})
}
