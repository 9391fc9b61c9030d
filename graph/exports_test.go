package graph_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
)

const exportFields = `{ id name state createdAt removedAt lastUsedAt rateLimitPerMinute version
	dailyCreditLimit monthlyCreditLimit
	userDailyMessageLimit requireUserId keys { id hint state createdAt lastUsedAt stopsAt }
	agent { id name } }`

const (
	createExport = `mutation($input: CreateApiExportInput!) { createApiExport(input: $input) { apiKey
		export ` + exportFields + ` } }`
	updateExport = `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export ` + exportFields + ` } }`
	replaceKey   = `mutation($input: ReplaceApiKeyInput!) { replaceApiKey(input: $input) { apiKey
		export ` + exportFields + ` } }`
	removeExport = `mutation($id: ID!) { removeApiExport(input: {id: $id}) { export ` + exportFields + ` } }`
)

// live creates a live agent.
func (u *user) live(t *testing.T) string {
	t.Helper()
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": id}).wantNone(t, "publish")
	return id
}

func TestAPIKeyIsInOneAnswerOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	made := u.do(t, createExport, vars{"input": vars{"agentId": u.live(t)}})
	key, export := made.text(t, "createApiExport.apiKey"), made.text(t, "createApiExport.export.id")
	if parsed, ok := apikey.Parse(key); !ok ||
		parsed.Hint() != made.get("createApiExport.export.keys.0.hint") {
		t.Errorf("not a valid key, or another key's hint: %s", made.body)
	}
	replaced := u.do(t, replaceKey, vars{"input": vars{"exportId": export}})
	second := replaced.text(t, "replaceApiKey.apiKey")
	for secret, a := range map[string]answer{key: made, second: replaced} {
		if strings.Count(a.body, secret) != 1 || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("the key is not exactly once in an uncacheable answer: %v", a.header)
		}
		b.log.wantNoSecrets(t, secret)
	}
	for _, a := range []answer{
		u.do(t, `{ agents { nodes { exports(includeRemoved: true) `+exportFields+` } } }`, nil),
		u.do(t, updateExport, vars{"input": vars{"id": export, "name": "x"}}),
		u.do(t, removeExport, vars{"id": export}),
	} {
		if len(a.Errors) > 0 || apikey.HasShape(a.body) {
			t.Errorf("a key, or an error: %.300s", a.body)
		}
	}
	if strings.Contains(replaced.body, key) {
		t.Error("the former key is in the answer with the new one")
	}
}

func TestUpdateExport(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	const until, later = "2999-01-02T03:04:05.678Z", "2999-02-03T04:05:06Z"
	create := vars{
		"agentId":               agent,
		"rateLimitPerMinute":    7,
		"version":               1,
		"expiresAt":             until,
		"dailyCreditLimit":      5,
		"monthlyCreditLimit":    50,
		"requireUserId":         true,
		"userDailyMessageLimit": 3,
	}
	made := u.do(t, createExport, vars{"input": create}).text(t, "createApiExport.export.id")
	for _, s := range []setting{
		{"rateLimitPerMinute", 7, 600, 1_000_000},
		{"version", 1, nil, 1},
		{"expiresAt", until, nil, later},
		{"dailyCreditLimit", 5, nil, 6},
		{"monthlyCreditLimit", 50, nil, 60},
		{"userDailyMessageLimit", 3, nil, 4},
		{"requireUserId", true, false, true},
	} {
		u.tellsApart(t, `mutation($input: UpdateApiExportInput!) {
			update: updateApiExport(input: $input) { object: export { %s } } }`, made, s)
	}
	refused := vars{
		"id":                    made,
		"name":                  nil,
		"rateLimitPerMinute":    0,
		"dailyCreditLimit":      0,
		"monthlyCreditLimit":    -1,
		"userDailyMessageLimit": 1_000_001,
	}
	u.do(t, updateExport, vars{"input": refused}).wantFields(t, "all invalid", "name missing",
		"rateLimitPerMinute out_of_range", "dailyCreditLimit out_of_range",
		"monthlyCreditLimit out_of_range", "userDailyMessageLimit out_of_range")
}

// TestRemovedExports: an agent's removed exports are listed only on request.
func TestRemovedExports(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	for range 2 {
		made := u.do(t, createExport, vars{"input": vars{"agentId": agent}})
		u.do(t, removeExport, vars{"id": made.get("createApiExport.export.id")}).wantNone(t, "remove")
	}
	u.do(t, createExport, vars{"input": vars{"agentId": agent}}).wantNone(t, "another")
	const active, removed = `{"state": "ACTIVE"}`, `{"state": "REMOVED"}`
	u.do(t, `query($id: ID!) { agent(id: $id) { exports { state }
		all: exports(includeRemoved: true) { state } no: exports(includeRemoved: false) { state }
		null: exports(includeRemoved: null) { state } } }`, vars{"id": agent}).
		wantJSON(t, "lists", "agent", `{"exports": [`+active+`], "null": [`+active+`],
			"no": [`+active+`], "all": [`+active+`, `+removed+`, `+removed+`]}`)
}

// TestReplaceKey: the times at which keys stop are passed on, and a stopped key is no longer
// listed.
func TestReplaceKey(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	export := u.do(t, createExport, vars{"input": vars{"agentId": u.live(t)}}).
		text(t, "createApiExport.export.id")
	in := func(d time.Duration) string {
		return time.Now().Add(d).UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
	}
	first, later := in(time.Hour), in(2*time.Hour)
	replaced := u.do(t, replaceKey, vars{"input": vars{"exportId": export, "oldKeyStopsAt": first}})
	replaced.wantValues(t, "replace", map[string]any{
		"replaceApiKey.export.keys.0.stopsAt": nil,
		"replaceApiKey.export.keys.1.stopsAt": first,
	})
	newer := replaced.text(t, "replaceApiKey.export.keys.0.id")
	older := vars{"id": replaced.text(t, "replaceApiKey.export.keys.1.id"), "at": later}
	u.do(t, `mutation($id: ID!, $at: DateTime!) { setApiKeyStop(input: {keyId: $id, stopsAt: $at}) {
		export { keys { stopsAt } } } }`, older).wantValues(t, "later", map[string]any{
		"setApiKeyStop.export.keys.1.stopsAt": later})
	u.do(t, `mutation($id: ID!) { stopApiKey(input: {keyId: $id}) {
		export { keys { id } } } }`, older).wantJSON(t, "stop", "stopApiKey.export.keys", `[{"id": "`+newer+`"}]`)
}

// A mutation of a request sees the changes of the mutations before it.
func TestMutationsOfOneRequestSeeEachOther(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const create = `createApiExport(input: {agentId: $id}) { export {
		agent { name exports { name } } } }`
	a := u.do(t, `mutation($id: ID!) { a: `+create+`
		updateAgent(input: {id: $id, name: "Renamed"}) { agent { exports { id } } }
		b: `+create+` }`, vars{"id": u.live(t)})
	a.wantJSON(t, "before", "a.export.agent", `{"name": "Shop", "exports": [{"name": "API export"}]}`)
	a.wantJSON(t, "after", "b.export.agent", `{"name": "Renamed",
		"exports": [{"name": "API export"}, {"name": "API export"}]}`)
}
