package graph_test

import (
	"net/http"
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
	stopKey      = `mutation($id: ID!) { stopApiKey(input: {keyId: $id}) { export ` + exportFields + ` } }`
	removeExport = `mutation($id: ID!) { removeApiExport(input: {id: $id}) { export ` + exportFields + ` } }`
)

// live creates a live agent.
func (u *user) live(t *testing.T) string {
	t.Helper()
	id := u.made(t, nil).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": id}).wantNone(t, "publish")
	return id
}

// TestCreateExport: defaults, values and every invalid field at once; the key and its hint belong
// together.
func TestCreateExport(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	draft, id := u.made(t, nil).text(t, "createAgent.agent.id"), u.live(t)
	u.do(t, createExport, vars{"input": vars{"agentId": draft}}).want(t, "a draft", http.StatusOK, "CONFLICT")
	u.do(t, createExport, vars{"input": vars{"agentId": "x"}}).wantFields(t, "no id", "agentId invalid_value")
	u.do(t, createExport, vars{"input": vars{"agentId": id, "name": " ", "rateLimitPerMinute": 0}}).
		wantFields(t, "both invalid", "name blank", "rateLimitPerMinute out_of_range")
	for what, c := range map[string]struct {
		input vars
		name  string
		rate  int
	}{
		"defaults": {vars{}, "API export", 600},
		"nulls":    {vars{"name": nil, "rateLimitPerMinute": nil}, "API export", 600},
		"values":   {vars{"name": " Till ", "rateLimitPerMinute": 1_000_000}, "Till", 1_000_000},
	} {
		c.input["agentId"] = id
		a := u.do(t, createExport, vars{"input": c.input})
		a.wantValues(t, what, map[string]any{
			"createApiExport.export.name":               c.name,
			"createApiExport.export.rateLimitPerMinute": c.rate,
			"createApiExport.export.state":              "ACTIVE",
			"createApiExport.export.removedAt":          nil,
			"createApiExport.export.agent.id":           id,
			"createApiExport.export.keys.0.state":       "ACTIVE",
			"createApiExport.export.keys.0.lastUsedAt":  nil,
		})
		key, ok := apikey.Parse(a.text(t, "createApiExport.apiKey"))
		if !ok || a.get("createApiExport.export.keys.0.hint") != key.Hint() {
			t.Errorf("%s: not a valid key, or another key's hint", what)
		}
	}
}

func TestAPIKeyIsInOneAnswerOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := u.live(t)
	input := vars{"input": vars{"agentId": id}}
	first := u.do(t, createExport, input).wantNone(t, "create")
	again := u.do(t, createExport, input).wantNone(t, "the same request again")
	key := first.text(t, "createApiExport.apiKey")
	if strings.Count(first.body, key) != 1 || first.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the key is not exactly once in an uncacheable answer: %v", first.header)
	}
	if again.text(t, "createApiExport.apiKey") == key ||
		again.get("createApiExport.export.id") == first.get("createApiExport.export.id") {
		t.Error("a retried creation gave the same key or export")
	}
	export := first.text(t, "createApiExport.export.id")
	replaced := u.do(t, replaceKey, vars{"input": vars{"exportId": export}})
	if second := replaced.text(t, "replaceApiKey.apiKey"); second == key || strings.Count(replaced.body, second) != 1 ||
		strings.Contains(replaced.body, key) || replaced.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the new key is not exactly once in an uncacheable answer: %v", replaced.header)
	}
	for _, a := range []answer{
		u.do(t, `{ agents { nodes { exports(includeRemoved: true) `+exportFields+` } } }`, nil),
		u.do(t, updateExport, vars{"input": vars{"id": export, "name": "x"}}), u.do(t, removeExport, vars{"id": export}),
	} {
		if len(a.Errors) > 0 || apikey.HasShape(a.body) {
			t.Errorf("a key, or an error: %.300s", a.body)
		}
	}
	if dump := rows(t, b, "api_keys", "api_exports", "agents", "accounts"); strings.Contains(dump, key) {
		t.Error("the key is in the database")
	}
	if found := b.log.lines(key); found != nil {
		t.Error("the key is in the log")
	}
}

func TestUpdateExport(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	a := u.do(t, createExport, vars{"input": vars{"agentId": u.live(t), "name": "Till", "rateLimitPerMinute": 7}})
	id := a.text(t, "createApiExport.export.id")
	for _, step := range []struct {
		what   string
		input  vars
		name   string
		rate   int
		fields []string
	}{
		{"absent", vars{}, "Till", 7, nil},
		{"name", vars{"name": " New "}, "New", 7, nil},
		{"name null", vars{"name": nil}, "", 0, []string{"name missing"}},
		{"rate", vars{"rateLimitPerMinute": 9}, "New", 9, nil},
		{"rate null", vars{"rateLimitPerMinute": nil}, "New", 600, nil},
		{"both bad", vars{"name": "", "rateLimitPerMinute": 0}, "", 0, []string{"name blank", "rateLimitPerMinute out_of_range"}},
	} {
		step.input["id"] = id
		a := u.do(t, updateExport, vars{"input": step.input})
		if step.fields != nil {
			a.wantFields(t, step.what, step.fields...)
			continue
		}
		a.wantValues(t, step.what, map[string]any{"updateApiExport.export.name": step.name,
			"updateApiExport.export.rateLimitPerMinute": step.rate, "updateApiExport.export.id": id})
	}
}

// TestRemoveExport: a removed export shows its state, and is listed only if the query includes
// removed exports.
func TestRemoveExport(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agentID := u.live(t)
	create := func() string {
		return u.do(t, createExport, vars{"input": vars{"agentId": agentID}}).text(t, "createApiExport.export.id")
	}
	id, kept := create(), create()
	u.do(t, removeExport, vars{"id": id}).wantValues(t, "remove", map[string]any{
		"removeApiExport.export.state": "REMOVED", "removeApiExport.export.keys.0.state": "REMOVED"})
	list := u.do(t, `query($id: ID!) { agent(id: $id) { exports { id } all: exports(includeRemoved: true) { id state }
		none: exports(includeRemoved: false) { id } null: exports(includeRemoved: null) { id } } }`, vars{"id": agentID})
	list.wantValues(t, "lists", map[string]any{"agent.exports.0.id": kept, "agent.none.0.id": kept, "agent.null.0.id": kept,
		"agent.all.0.id": kept, "agent.all.1.id": id, "agent.all.1.state": "REMOVED"})
	if list.list("agent.exports") != 1 || list.list("agent.all") != 2 || list.list("agent.none") != 1 {
		t.Errorf("lists: %s", list.body)
	}
}

// TestReplaceKey: the times at which keys stop are passed on, and a stopped key is no longer
// listed.
func TestReplaceKey(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	created := u.do(t, createExport, vars{"input": vars{"agentId": u.live(t)}})
	id := created.text(t, "createApiExport.export.id")
	in := func(d time.Duration) string {
		return time.Now().Add(d).UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
	}
	first, later := in(time.Hour), in(2*time.Hour)
	replaced := u.do(t, replaceKey, vars{"input": vars{"exportId": id, "oldKeyStopsAt": first}})
	replaced.wantValues(t, "replace", map[string]any{
		"replaceApiKey.export.id":             id,
		"replaceApiKey.export.keys.0.stopsAt": nil,
		"replaceApiKey.export.keys.1.stopsAt": first,
		"replaceApiKey.export.keys.1.id":      created.get("createApiExport.export.keys.0.id"),
	})
	newer, older := replaced.text(t, "replaceApiKey.export.keys.0.id"), replaced.text(t, "replaceApiKey.export.keys.1.id")
	u.do(t, replaceKey, vars{"input": vars{"exportId": id, "oldKeyStopsAt": nil}}).want(t,
		"a third key", http.StatusOK, "CONFLICT")
	const setStop = `mutation($id: ID!, $at: DateTime!) { setApiKeyStop(input: {keyId: $id, stopsAt:
		$at}) { export { keys { id stopsAt } } } }`
	u.do(t, setStop, vars{"id": older, "at": later}).wantValues(t, "later", map[string]any{
		"setApiKeyStop.export.keys.1.stopsAt": later})
	u.do(t, setStop, vars{"id": older, "at": "2026-01-01T00:00:00Z"}).wantFields(t, "the past", "stopsAt out_of_range")
	stopped := u.do(t, stopKey, vars{"id": older})
	stopped.wantValues(t, "stop", map[string]any{"stopApiKey.export.keys.0.id": newer, "stopApiKey.export.keys.1": nil})
}

// A mutation of a request sees the changes of the mutations before it.
func TestMutationsOfOneRequestSeeEachOther(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.live(t)
	const part = `createApiExport(input: {agentId: $id}) { export { id agent { name exports { id } } } }`
	a := u.do(t, `mutation($id: ID!) { a:
		`+part+` rename: updateAgent(input: {id: $id, name: "Renamed"}) { agent { exports { id } } } b: `+
		part+` }`, vars{"id": id})
	a.wantValues(t, "names", map[string]any{"a.export.agent.name": "Shop", "b.export.agent.name": "Renamed"})
	if one, two := a.list("a.export.agent.exports"), a.list("b.export.agent.exports"); one != 1 || two != 2 {
		t.Errorf("the first sees %d exports, the second %d", one, two)
	}
}

// TestPauseAndExpiry: pausing shows in the state, and expiresAt tells an absent field, null and a
// time apart.
func TestPauseAndExpiry(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const at = "2999-01-02T03:04:05.678Z"
	made := u.do(t, createExport, vars{"input": vars{"agentId": u.live(t), "expiresAt": at}})
	id := made.text(t, "createApiExport.export.id")
	change := func(mutation, input string) answer {
		return u.do(t, `mutation($id: ID!) {
			`+mutation+`(input: {id: $id`+input+`}) { export { state expiresAt } } }`, vars{"id": id})
	}
	change("updateApiExport", "").wantValues(t, "absent", map[string]any{
		"updateApiExport.export.expiresAt": at, "updateApiExport.export.state": "ACTIVE"})
	change("pauseApiExport", "").wantValues(t, "pause", map[string]any{"pauseApiExport.export.state": "PAUSED"})
	u.do(t, `{ viewer { exports(filter: {state: PAUSED}) { nodes { id } } } }`, nil).wantValues(t, "the paused ones",
		map[string]any{"viewer.exports.nodes.0.id": id})
	change("updateApiExport", `, expiresAt: "2001-01-01T00:00:00Z"`).wantFields(t, "in the past", "expiresAt out_of_range")
	change("updateApiExport", ", expiresAt: null").wantValues(t, "never", map[string]any{
		"updateApiExport.export.expiresAt": nil, "updateApiExport.export.state": "PAUSED"})
	change("resumeApiExport", "").wantValues(t, "resume", map[string]any{"resumeApiExport.export.state": "ACTIVE"})
}
