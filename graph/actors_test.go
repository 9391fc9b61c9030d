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
	u, other := signedIn(t, b), signedIn(t, b)
	agent := u.made(t, nil).id(t, "createAgent.agent.id")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, createExport, vars{"input": vars{"agentId": agent}}).wantNone(t, "export")
	me := `{"kind": "USER", "actorId": "` + u.account.OwnerID.String() + `",
		"name": "` + u.account.Email + `"}`
	read := func() answer { return u.do(t, readActors, vars{"id": agent}) }
	for _, at := range []string{"versions.nodes.0.publishedBy", "exports.0.createdBy",
		"exports.0.keys.0.createdBy"} {
		read().wantJSON(t, "a user's", "agent."+at, me)
	}
	few := u.statements(t, readActors, vars{"id": agent})
	storetest.SeedExport(t, b.store, u.account.ID, agent, 10)
	if many := u.statements(t, readActors, vars{"id": agent}); many != few {
		t.Errorf("%d statements for one of each, %d for several", few, many)
	}
	read().wantJSON(t, "the service's", "agent.exports.0.createdBy",
		`{"kind": "SYSTEM", "actorId": null, "name": "Agent Chat"}`)
	b.exec(t, `UPDATE api_exports SET created_by = $1`, other.account.OwnerID)
	read().wantJSON(t, "a user's of another account", "agent.exports.1.createdBy", `null`)
}
