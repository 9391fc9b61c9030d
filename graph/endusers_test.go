package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const (
	endUsers = `query($first: Int, $after: String, $filter: EndUserFilter) { viewer { endUsers(first:
		$first, after: $after, filter: $filter) {
		nodes { userId firstSeenAt lastSeenAt messages credits conversations } edges { cursor } pageInfo {
		hasNextPage hasPreviousPage startCursor endCursor } } } }`
	deleteEndUser = `mutation($input: DeleteEndUserInput!) { deleteEndUser(input: $input) { deletedCount } }`
	exportUse     = `query($filter: ExportFilter) { viewer { exports(filter: $filter) { nodes { id
		creditsUsedToday creditsUsedThisMonth dailyCreditLimit monthlyCreditLimit
		requireUserId userDailyMessageLimit } } } }`
)

// byUser sends and answers one message of an end user through an export, in its own conversation.
func (u *user) byUser(t *testing.T, export uuid.UUID, name string) {
	t.Helper()
	exports, err := exports.On(u.b.store).ExportsByIDs(t.Context(), u.account.ID, []uuid.UUID{export})
	if err != nil {
		t.Fatal(err)
	}
	_, _, key := storetest.SeedExport(t, u.b.store, u.account.ID, exports[export].AgentID, agent.MaxRatePerMinute)
	if _, err := u.b.store.SQL().ExecContext(t.Context(),
		`UPDATE api_keys SET export_id = $1 WHERE hint = $2 AND account_id = $3`, export,
		key.Hint(), u.account.ID); err != nil {
		t.Fatal(err)
	}
	id := uuid.Must(uuid.NewV7())
	out, err := turns.On(u.b.store).BeginTurn(t.Context(), turns.Begin{Key: key.Hash(), SpendRate: true,
		Models: []string{storetest.SandboxModel}, Prices: []int64{1}, UserID: &name, Session: id.String(),
		Message: "hello", TurnID: id,
		ConversationID: id, HoldFor: 60e9, RequestID: "r", MaxContextBytes: 1000})
	if err != nil || out.Outcome != turns.Begun {
		t.Fatalf("begin: %s, %v", out.Outcome, err)
	}
	u.settle(t, id, conversation.Answered)
}

func TestEndUsers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	mine := u.world(t)
	for _, name := range []string{"ada", "bob", "ada", "chloe"} {
		u.byUser(t, mine["export"], name)
	}
	if got := u.nodes(t, endUsers, "viewer.endUsers", "userId", vars{"first": 2}); !slices.Equal(got,
		[]any{"ada", "bob", "chloe"}) {
		t.Errorf("page by page: %v", got)
	}
	a := u.do(t, endUsers, nil)
	a.wantValues(t, "the use", map[string]any{"viewer.endUsers.nodes.0.userId": "ada", "viewer.endUsers.nodes.0.messages": 2,
		"viewer.endUsers.nodes.0.credits": 2, "viewer.endUsers.nodes.0.conversations": 2, "viewer.endUsers.nodes.2.messages": 1})
	u.do(t, endUsers, vars{"filter": vars{"search": strings.Repeat("x", 256)}}).wantFields(t,
		"a long search", "filter.search too_long")
	found := u.do(t, allConversations, vars{"filter": vars{"userId": "ada"}}).wantNone(t, "by end user")
	if found.list("viewer.conversations.nodes") != 2 {
		t.Errorf("conversations of ada: %s", found.body)
	}
	u.do(t, allConversations, vars{"filter": vars{"userId": ""}}).wantFields(t, "no end user", "filter.userId empty")

	u.do(t, deleteEndUser, vars{"input": vars{"userId": ""}}).wantFields(t, "erase nobody", "userId empty")
	u.do(t, deleteEndUser, vars{"input": vars{"userId": "ada"}}).wantValues(t, "erase", map[string]any{
		"deleteEndUser.deletedCount": 2})
	if got := u.nodes(t, endUsers, "viewer.endUsers", "userId", vars{}); !slices.Equal(got, []any{"bob", "chloe"}) {
		t.Errorf("after erasing: %v", got)
	}
	storetest.Audit(t, b.store)
}

// TestUnsetIDsCanBeErased: conversations with ids that messages can no longer have are found and
// erased like all others.
func TestUnsetIDsCanBeErased(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := uuid.MustParse(u.live(t))
	export, key := u.exported(t, agent)
	for _, id := range []string{"undefined", "<nil>", "[object Object]", "{{ $json.chatId }}", ":id"} {
		u.byUser(t, export, id)
		u.chat(t, key, id, "hello")
		for _, filter := range []vars{{"userId": id}, {"sessionId": id}, {"search": id}} {
			if found := u.do(t, allConversations, vars{"filter": filter}).wantNone(t,
				id); found.list("viewer.conversations.nodes") != 1 {
				t.Errorf("%v: %s", filter, found.body)
			}
		}
		if found := u.do(t, allRequests, vars{"filter": vars{"userId": id}}).wantNone(t,
			id); found.list("viewer.requests.nodes") != 1 {
			t.Errorf("requests of %s: %s", id, found.body)
		}
		u.do(t, deleteEndUser, vars{"input": vars{"userId": id}}).wantValues(t, id, map[string]any{
			"deleteEndUser.deletedCount": 1})
		u.do(t, deleteAll, vars{"input": vars{"sessionId": id}}).wantValues(t, id, map[string]any{
			"deleteConversations.deletedCount": 1})
	}
	storetest.Audit(t, b.store)
}

// TestEndUsersOwnRules: a block and an individual limit, which other accounts neither see nor
// change.
func TestEndUsersOwnRules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	mine := u.world(t)
	u.byUser(t, mine["export"], "ada")
	const fields = `{ endUser { userId blocked dailyMessageLimit messagesToday messages } } }`
	set := `mutation($input: SetEndUserLimitInput!) { setEndUserLimit(input: $input) ` + fields
	block := `mutation($input: BlockEndUserInput!) { blockEndUser(input: $input) ` + fields
	unblock := `mutation($input: UnblockEndUserInput!) { unblockEndUser(input: $input) ` + fields
	look := `query($id: String!) { viewer { endUser(userId: $id) { userId blocked dailyMessageLimit messagesToday
		nearestExportLimit { export { id } dailyMessageLimit messagesToday } } } }`
	ada := vars{"input": vars{"userId": "ada"}}
	limited := func(limit any) vars { return vars{"input": vars{"userId": "ada", "dailyMessageLimit": limit}} }

	u.do(t, set, limited(0)).wantFields(t, "none at all", "dailyMessageLimit out_of_range")
	for name, query := range map[string]string{"limit": set, "block": block, "unblock": unblock} {
		u.do(t, query, vars{"input": vars{"userId": ""}}).wantFields(t, name+" without an id", "userId empty")
	}
	u.do(t, set, limited(5)).wantValues(t, "limit", map[string]any{"setEndUserLimit.endUser.dailyMessageLimit": 5,
		"setEndUserLimit.endUser.messagesToday": 1, "setEndUserLimit.endUser.messages": 1})
	u.do(t, block, ada).wantValues(t, "block", map[string]any{"blockEndUser.endUser.blocked": true})
	u.do(t, set, ada).wantValues(t, "an absent limit", map[string]any{"setEndUserLimit.endUser.dailyMessageLimit": 5})
	other.do(t, look, vars{"id": "ada"}).wantValues(t, "another account looks", map[string]any{"viewer.endUser": nil})
	u.do(t, unblock, ada).wantValues(t, "unblock", map[string]any{"unblockEndUser.endUser.blocked": false})
	u.do(t, set, limited(nil)).wantValues(t, "no limit", map[string]any{"setEndUserLimit.endUser.dailyMessageLimit": nil})
	u.do(t, updateExport, vars{"input": vars{"id": mine["export"],
		"userDailyMessageLimit": 7}}).wantNone(t, "the export's limit")
	u.byUser(t, mine["export"], "ada")
	u.do(t, look, vars{"id": "ada"}).wantValues(t, "the export's limit", map[string]any{
		"viewer.endUser.nearestExportLimit.export.id":         mine["export"].String(),
		"viewer.endUser.nearestExportLimit.dailyMessageLimit": 7, "viewer.endUser.nearestExportLimit.messagesToday": 1})
}

func TestLimitsOfExports(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	mine := u.world(t)
	update := func(more vars) answer {
		more["id"] = mine["export"]
		return u.do(t, updateExport, vars{"input": more})
	}
	update(vars{"dailyCreditLimit": 0, "monthlyCreditLimit": -1,
		"userDailyMessageLimit": 1_000_001}).wantFields(t, "out of range",
		"dailyCreditLimit out_of_range", "monthlyCreditLimit out_of_range", "userDailyMessageLimit out_of_range")
	u.byUser(t, mine["export"], "ada")
	update(vars{"dailyCreditLimit": 5, "userDailyMessageLimit": 7}).wantNone(t, "limits")
	u.byUser(t, mine["export"], "ada")
	use := func(what string, want map[string]any) {
		t.Helper()
		a := u.do(t, exportUse, vars{"filter": vars{"agentId": mine["agent"]}}).wantNone(t, what)
		oldest := fmt.Sprintf("viewer.exports.nodes.%d.", a.list("viewer.exports.nodes")-1)
		full := map[string]any{oldest + "id": mine["export"].String()}
		for k, v := range want {
			full[oldest+k] = v
		}
		a.wantValues(t, what, full)
	}
	use("with limits", map[string]any{"creditsUsedToday": 2, "creditsUsedThisMonth": 2,
		"dailyCreditLimit": 5, "monthlyCreditLimit": nil,
		"requireUserId": false, "userDailyMessageLimit": 7})
	update(vars{"dailyCreditLimit": nil, "userDailyMessageLimit": nil, "requireUserId": true}).wantNone(t, "no limits")
	use("without limits", map[string]any{"creditsUsedToday": 2, "creditsUsedThisMonth": 2,
		"dailyCreditLimit": nil, "requireUserId": true,
		"userDailyMessageLimit": nil})
	storetest.Audit(t, b.store)
}
