package graph_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const versionFields = `{ number note createdAt instructions modelName model { name }
	fallbackModelName fallbackModel { name } temperature maxOutputTokens contextTurns replySchema
	actions { name parameters }
	agent { id } pinnedBy { id name } }`

const standing = `agent { id state missing updatedAt hasUnpublishedChanges instructions actions { name } publishedVersion ` + versionFields + ` }`

const (
	publishAgent = `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { ` + standing +
		` version ` + versionFields + ` } }`
	discard      = `mutation($id: ID!) { discardAgentChanges(input: {id: $id}) { ` + standing + ` } }`
	restore      = `mutation($id: ID!, $n: Int!) { restoreAgentVersion(input: {id: $id, number: $n}) { ` + standing + ` } }`
	versionsPage = `query($id: ID!, $first: Int, $after: String) { agent(id: $id) { versions(first: $first, after: $after) {
		totalCount nodes ` + versionFields +
		` edges { cursor node { number } } pageInfo { hasNextPage hasPreviousPage endCursor } } } }`
)

func TestPublishRestoreDiscard(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"replySchema": `{"type":"object"}`, "fallbackModel": "sandbox/free",
		"actions": []vars{orderStatus}}).text(t, "createAgent.agent.id")
	publish := func(input vars) answer {
		input["id"] = id
		return u.do(t, publishAgent, vars{"input": input})
	}
	publish(vars{"note": strings.Repeat("\u00e9", 501)}).wantFields(t, "a long note", "note too_long")
	first := publish(vars{"note": " The first \n"})
	const version = "publishAgent.version."
	first.wantValues(t, "publish", map[string]any{
		"publishAgent.agent.state":                   "LIVE",
		"publishAgent.agent.publishedVersion.number": 1,
		"publishAgent.agent.hasUnpublishedChanges":   false,
		version + "number":                           1,
		version + "note":                             "The first",
		version + "instructions":                     "i",
		version + "replySchema":                      `{"type":"object"}`,
		version + "actions.0.parameters":             orderStatus["parameters"],
		version + "fallbackModel.name":               "sandbox/free",
	})
	at := first.text(t, "publishAgent.agent.updatedAt")
	u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": "two", "model": nil}}).
		wantNone(t, "edit")
	publish(vars{}).wantFields(t, "incomplete", "model missing")
	publish(vars{"expectedUpdatedAt": at}).want(t, "edited since", http.StatusOK, "CONFLICT")
	for _, number := range []int{0, -1, 3, 1 << 31, 1 << 52} {
		u.do(t, restore, vars{"id": id, "n": number}).wantFields(t, "version "+strconv.Itoa(number), "number invalid_value")
	}
	u.do(t, restore, vars{"id": id, "n": 1}).
		wantValues(t, "restore", map[string]any{"restoreAgentVersion.agent.instructions": "i"})
	u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": "two"}}).wantNone(t, "edit")
	u.do(t, discard, vars{"id": id}).
		wantValues(t, "discard", map[string]any{"discardAgentChanges.agent.instructions": "i"})
	u.do(t, unpublish, vars{"id": id}).
		wantValues(t, "unpublish", map[string]any{"unpublishAgent.agent.state": "OFFLINE"})
	unavailable := u.made(t, vars{"model": "gemini/gemini-2.5-pro"}).text(t, "createAgent.agent.id")
	u.do(t, publishAgent, vars{"input": vars{"id": unavailable}}).wantFields(t, "an unavailable model", "model invalid_value")
}

// TestVersionsAndPins: an export's version tells an absent field, null and a number apart.
func TestVersionsAndPins(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.live(t)
	u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": "two"}}).wantNone(t, "edit")
	u.do(t, publishAgent, vars{"input": vars{"id": id}}).wantNone(t, "publish")
	page := u.do(t, versionsPage, vars{"id": id, "first": 1})
	page.wantValues(t, "a page", map[string]any{
		"agent.versions.nodes.0.number": 2, "agent.versions.totalCount": 2})
	after := page.text(t, "agent.versions.pageInfo.endCursor")
	u.do(t, versionsPage, vars{"id": u.live(t), "after": after}).wantFields(t, "another agent's cursor", "after invalid_value")

	made := u.do(t, createExport, vars{"input": vars{"agentId": id, "version": 2, "name": "Shop floor"}})
	made.wantValues(t, "create pinned", map[string]any{"createApiExport.export.version": 2})
	u.do(t, versionsPage, vars{"id": id}).wantValues(t, "who is pinned", map[string]any{
		"agent.versions.nodes.0.pinnedBy.0.name": "Shop floor"})
	update := func(input vars) answer {
		input["id"] = made.get("createApiExport.export.id")
		return u.do(t, updateExport, vars{"input": input})
	}
	update(vars{"version": 0}).wantFields(t, "version 0", "version out_of_range")
	update(vars{"version": 3}).wantFields(t, "an unknown version", "version invalid_value")
	update(vars{"name": "Counter"}).wantValues(t, "rename", map[string]any{"updateApiExport.export.version": 2})
	update(vars{"version": 1}).wantValues(t, "pin", map[string]any{"updateApiExport.export.version": 1})
	update(vars{"version": nil}).wantValues(t, "unpin", map[string]any{"updateApiExport.export.version": nil})
}

// TestPlaygroundVersions sends messages to the draft, to a version, and to an unknown version.
func TestPlaygroundVersions(t *testing.T) {
	t.Parallel()
	u := newTester(t, newBench(t))
	u.do(t, publish, vars{"id": u.draft}).wantNone(t, "publish")
	edit := vars{"id": u.draft, "instructions": "drafted", "model": nil}
	u.do(t, updateAgent, vars{"input": edit}).wantNone(t, "edit")
	say := func(version any) answer {
		return u.do(t, sendTest, vars{"input": vars{
			"agentId": u.draft, "message": "hello", "version": version}})
	}
	say(nil).want(t, "a draft without a model", http.StatusOK, "CONFLICT")
	published := say(1)
	published.wantValues(t, "a version", map[string]any{"sendTestMessage.turn.version": 1})
	if reply := published.text(t, "sendTestMessage.turn.reply"); !strings.Contains(reply, "“i”") {
		t.Errorf("it answers %q", reply)
	}
	for _, number := range []int{2, 0, -1, 1 << 52} {
		say(number).wantFields(t, "version "+strconv.Itoa(number), "version invalid_value")
	}
}
