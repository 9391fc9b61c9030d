package graph_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
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
	u.do(t, `query($id: ID!) { `+strings.Replace(standing, "agent", "agent(id: $id)", 1)+` }`, vars{
		"id": id}).wantValues(t, "a draft",
		map[string]any{"agent.publishedVersion": nil, "agent.hasUnpublishedChanges": true})
	u.do(t, discard, vars{"id": id}).want(t, "discard what was never published", http.StatusOK, "CONFLICT")
	publish := func(input vars) answer {
		input["id"] = id
		return u.do(t, publishAgent, vars{"input": input})
	}
	publish(vars{"note": strings.Repeat("\u00e9", 501)}).wantFields(t, "a long note", "note too_long")
	first := publish(vars{"note": " The first \n"})
	first.wantValues(t, "publish", map[string]any{"publishAgent.agent.state": "LIVE", "publishAgent.version.number": 1,
		"publishAgent.version.note": "The first", "publishAgent.version.instructions": "i",
		"publishAgent.version.temperature":     1.5,
		"publishAgent.version.maxOutputTokens": 10, "publishAgent.version.contextTurns": 5,
		"publishAgent.version.replySchema":          `{"type":"object"}`,
		"publishAgent.version.actions.0.name":       "order_status",
		"publishAgent.version.actions.0.parameters": orderStatus["parameters"],
		"publishAgent.version.modelName":            "sandbox/assistant", "publishAgent.version.agent.id": id,
		"publishAgent.version.fallbackModelName": "sandbox/free", "publishAgent.version.fallbackModel.name": "sandbox/free",
		"publishAgent.agent.publishedVersion.number": 1, "publishAgent.agent.hasUnpublishedChanges": false})
	at := first.text(t, "publishAgent.agent.updatedAt")

	u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": "two", "model": nil,
		"fallbackModel": nil, "actions": nil}}).wantNone(t, "edit")
	publish(vars{}).wantFields(t, "incomplete", "model missing")
	u.do(t, updateAgent, vars{"input": vars{"id": id, "model": "sandbox/free"}}).wantNone(t, "edit")
	publish(vars{"expectedUpdatedAt": at}).want(t, "edited since", http.StatusOK, "CONFLICT")
	publish(vars{}).wantValues(t, "publish again", map[string]any{"publishAgent.version.number": 2,
		"publishAgent.version.instructions": "two", "publishAgent.version.actions.0": nil,
		"publishAgent.version.model.name": "sandbox/free", "publishAgent.version.note": ""})
	for _, number := range []int{0, -1, 3, 1 << 31, 1 << 52} {
		u.do(t, restore, vars{"id": id, "n": number}).wantFields(t, "version "+strconv.Itoa(number), "number invalid_value")
	}
	u.do(t, restore, vars{"id": id, "n": 1}).wantValues(t, "restore", map[string]any{
		"restoreAgentVersion.agent.instructions":          "i",
		"restoreAgentVersion.agent.actions.0.name":        "order_status",
		"restoreAgentVersion.agent.hasUnpublishedChanges": true, "restoreAgentVersion.agent.publishedVersion.number": 2})
	u.do(t, discard, vars{"id": id}).wantValues(t, "discard", map[string]any{"discardAgentChanges.agent.instructions": "two",
		"discardAgentChanges.agent.hasUnpublishedChanges": false})
	u.do(t, unpublish, vars{"id": id}).wantValues(t, "unpublish", map[string]any{"unpublishAgent.agent.state": "OFFLINE"})
	unavailable := u.made(t, vars{"model": "gemini/gemini-2.5-pro"}).text(t, "createAgent.agent.id")
	u.do(t, publishAgent, vars{"input": vars{"id": unavailable}}).wantFields(t, "an unavailable model", "model invalid_value")
}

// TestVersionsAndPins: versions come in pages, and an export's version tells an absent field, null
// and a number apart.
func TestVersionsAndPins(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.live(t)
	for i := range 2 {
		u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": strconv.Itoa(i)}}).wantNone(t, "edit")
		u.do(t, publishAgent, vars{"input": vars{"id": id}}).wantNone(t, "publish")
	}
	page := u.do(t, versionsPage, vars{"id": id, "first": 2})
	page.wantValues(t, "first page", map[string]any{"agent.versions.nodes.0.number": 3, "agent.versions.edges.1.node.number": 2,
		"agent.versions.pageInfo.hasNextPage": true, "agent.versions.totalCount": 3})
	after := page.text(t, "agent.versions.pageInfo.endCursor")
	u.do(t, versionsPage, vars{"id": id, "after": after}).wantValues(t, "second page", map[string]any{
		"agent.versions.nodes.0.number": 1, "agent.versions.pageInfo.hasNextPage": false,
		"agent.versions.pageInfo.hasPreviousPage": true})
	u.do(t, versionsPage, vars{"id": u.live(t), "after": after}).wantFields(t, "another agent's cursor", "after invalid_value")

	made := u.do(t, createExport, vars{"input": vars{"agentId": id, "version": 2, "name": "Shop floor"}})
	made.wantValues(t, "create pinned", map[string]any{"createApiExport.export.version": 2})
	u.do(t, versionsPage, vars{"id": id}).wantValues(t, "who is pinned", map[string]any{
		"agent.versions.nodes.1.pinnedBy.0.name": "Shop floor"})
	update := func(input vars) answer {
		input["id"] = made.get("createApiExport.export.id")
		return u.do(t, updateExport, vars{"input": input})
	}
	update(vars{"version": 0}).wantFields(t, "version 0", "version out_of_range")
	update(vars{"version": 4}).wantFields(t, "an unknown version", "version invalid_value")
	update(vars{"name": "Counter"}).wantValues(t, "rename", map[string]any{"updateApiExport.export.version": 2})
	update(vars{"version": 1}).wantValues(t, "pin", map[string]any{"updateApiExport.export.version": 1})
	update(vars{"version": nil}).wantValues(t, "unpin", map[string]any{"updateApiExport.export.version": nil})
}

// TestPlaygroundVersions sends messages to the draft, to versions, and to an unknown version.
func TestPlaygroundVersions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := u.made(t, vars{"instructions": "first", "maxOutputTokens": nil}).text(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": id}).wantNone(t, "publish")
	u.do(t, updateAgent, vars{"input": vars{"id": id, "instructions": "drafted"}}).wantNone(t, "edit")
	say := func(version any, key string) answer {
		return u.do(t, sendTest, vars{"input": vars{"agentId": id, "message": "hello", "version": version, "idempotencyKey": key}})
	}
	for _, c := range []struct {
		version any
		want    string
	}{{nil, "drafted"}, {1, "first"}} {
		a := say(c.version, "key-"+c.want)
		a.wantValues(t, c.want, map[string]any{"sendTestMessage.turn.version": c.version})
		if reply := a.text(t, "sendTestMessage.turn.reply"); !strings.Contains(reply, "“"+c.want+"”") {
			t.Errorf("version %v answered %q", c.version, reply)
		}
	}
	for _, number := range []int{2, 0, -1, 1 << 52} {
		say(number, "x").wantFields(t, "version "+strconv.Itoa(number), "version invalid_value")
	}
	say(1, "key-drafted").want(t, "another version under the same key", http.StatusOK, "CONFLICT")
	u.do(t, updateAgent, vars{"input": vars{"id": id, "model": nil}}).wantNone(t, "edit")
	say(1, "last").wantNone(t, "a version, although the draft has no model")
	storetest.Audit(t, b.store)
}
