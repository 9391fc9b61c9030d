package versions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// TestVersionsOfTwoAgents tests a page of each of two agents in one call.
func TestVersionsOfTwoAgents(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	one := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	for i := range 6 {
		storetest.Edit(t, s, f.Agent, agent.Changes{Instructions: storetest.SetTo(strings.Repeat("x", i+1))})
		storetest.PublishNoted(t, s, f.Agent, fmt.Sprint(i))
	}
	both, err := versions.On(s).VersionsByAgents(t.Context(), f.Account.ID,
		[]uuid.UUID{f.Agent.ID, one.ID}, versions.VersionQuery{First: 4})
	if err != nil || len(both[f.Agent.ID].Items) != 4 || !both[f.Agent.ID].HasNext || len(both[one.ID].Items) != 1 || both[one.ID].HasNext {
		t.Errorf("%+v %v", both, err)
	}
	q := versions.VersionQuery{First: 4}
	place := versions.VersionPlace(both[f.Agent.ID].Items[3])
	q.After = &place
	if _, err := versions.On(s).VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{one.ID}, q); !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
		t.Errorf("another agent's cursor: %v", err)
	}
	if got, err := versions.On(s).VersionsByAgents(t.Context(), uuid.New(), []uuid.UUID{one.ID}, versions.VersionQuery{First: 1}); err != nil || len(got) != 0 {
		t.Errorf("for another account: %+v %v", got, err)
	}
}
