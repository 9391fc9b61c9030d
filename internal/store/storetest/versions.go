package storetest

import (
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/versions"
)

// PublishNoted publishes with a note and fails the test on an error.
func PublishNoted(
	t *testing.T, s *store.DB, a agent.Agent, note string,
) (agent.Agent, agent.Version) {
	t.Helper()
	out, version, err := versions.On(s).PublishAgent(t.Context(), a.AccountID, a.ID,
		versions.Publication{Note: note}, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return out, version
}

// Edit changes an agent's draft.
func Edit(t *testing.T, s *store.DB, a agent.Agent, c agent.Changes) agent.Agent {
	t.Helper()
	out, err := agents.On(s).UpdateAgent(t.Context(), a.AccountID, a.ID, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
