package sources_test

import (
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
)

// TestKnowledgeOfManyVersions tests the bound of the list, which has no questions of answers.
func TestKnowledgeOfManyVersions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{}) // version 1
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeAnswer("How?", "So."))
	storetest.PublishNoted(t, s, f.Agent, "")
	keys := []agents.VersionNumber{{AgentID: f.Agent.ID, Number: 1}, {AgentID: f.Agent.ID, Number: 2}}
	found, err := sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys)
	if err != nil || len(found[keys[0]]) != 0 || len(found[keys[1]]) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	if got := found[keys[1]][0]; got.Kind != knowledge.Answer || got.Name != "How?" || got.Questions != nil {
		t.Errorf("%+v", got)
	}
	const more = `INSERT INTO knowledge_sources (id, account_id, agent_id, kind, name, state, size, versions)
		SELECT gen_random_uuid(), $1, $2, 'TEXT', 'more', 'READY', 1, '{[1,)}' FROM generate_series(1, $3::int)`
	for _, n := range []int{12_499, 1} { // each of them in both versions
		_, err = sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys)
		if err != nil {
			t.Fatalf("before %d more: %v", n, err)
		}
		storetest.Exec(t, s, more, f.Account.ID, f.Agent.ID, n)
	}
	if _, err = sources.On(s).KnowledgeByVersions(t.Context(), f.Account.ID, keys); !fault.Is(err, store.TextTooLong) {
		t.Errorf("too many: %v", err)
	}
}
