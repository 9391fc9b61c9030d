package store_test

import (
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store"
)

// publish publishes and fails the test if that is refused.
func publish(t *testing.T, s *store.Store, a agent.Agent, note string) (agent.Agent, agent.Version) {
	t.Helper()
	out, version, err := s.PublishAgent(t.Context(), a.AccountID, a.ID, store.Publication{Note: note}, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return out, version
}

func edit(t *testing.T, s *store.Store, a agent.Agent, c agent.Changes) agent.Agent {
	t.Helper()
	out, err := s.UpdateAgent(t.Context(), a.AccountID, a.ID, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
