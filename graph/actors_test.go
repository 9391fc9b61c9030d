package graph_test

import (
	"testing"

	"agentchat/internal/store/storetest"
)

const (
	actor      = ` { kind actorId name } `
	readActors = `query($id: ID!) { agent(id: $id) { versions { nodes { number publishedBy` + actor + `} }
		exports { name createdBy` + actor + `keys { createdBy` + actor + `} } } }`
)

// TestActors: versions, exports and keys name their authors, in the same number of statements for
// one or many. The service itself is the author of its own objects.
func TestActors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	export := u.do(t, createExport, vars{"input": vars{"agentId": agent}}).wantNone(t, "export").id(t,
		"createApiExport.export.id")
	me := u.do(t, `{ me { id email } }`, nil)
	read := func() (answer, int64) {
		before := b.statements.Load()
		got := u.do(t, readActors, vars{"id": agent}).wantNone(t, "read")
		return got, b.statements.Load() - before
	}
	got, few := read()
	for _, at := range []string{"agent.versions.nodes.0.publishedBy.", "agent.exports.0.createdBy.",
		"agent.exports.0.keys.0.createdBy."} {
		got.wantValues(t, "a user's", map[string]any{at + "kind": "USER",
			at + "actorId": me.text(t, "me.id"), at + "name": me.text(t, "me.email")})
	}

	storetest.SeedExport(t, b.store, u.account.ID, agent, 10)
	u.do(t, replaceKey, vars{"input": vars{"exportId": export, "oldKeyStopsAt": inputs["stopsAt"]}}).wantNone(t, "replace")
	got, many := read()
	if many != few {
		t.Errorf("%d statements for one of each, %d for several", few, many)
	}
	for at, kind := range map[string]string{"agent.exports.0.createdBy.": "SYSTEM",
		"agent.exports.0.keys.0.createdBy.": "SYSTEM",
		"agent.exports.1.keys.0.createdBy.": "USER", "agent.exports.1.keys.1.createdBy.": "USER"} {
		got.wantValues(t, at, map[string]any{at + "kind": kind})
	}
	got.wantValues(t, "the service", map[string]any{"agent.exports.0.createdBy.actorId": nil,
		"agent.exports.0.createdBy.name": "Agent Chat"})
	other := signedIn(t, b)
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE api_exports SET created_by = $1`,
		other.do(t, `{ me { id } }`, nil).text(t, "me.id")); err != nil {
		t.Fatal(err)
	}
	if got, _ := read(); got.get("agent.exports.1.createdBy") != nil {
		t.Errorf("a user of another account: %s", got.body)
	}
}
