package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestVersionPages reads the versions of two agents page by page.
func TestVersionPages(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	one := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	for i := range 6 {
		edit(t, s, f.Agent, agent.Changes{Instructions: setTo(strings.Repeat("x", i+1))})
		publish(t, s, f.Agent, fmt.Sprint(i))
	}
	both, err := s.VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID, one.ID}, store.VersionQuery{First: 4})
	if err != nil || len(both[f.Agent.ID].Items) != 4 || !both[f.Agent.ID].HasNext || len(both[one.ID].Items) != 1 || both[one.ID].HasNext {
		t.Errorf("%+v %v", both, err)
	}
	q := store.VersionQuery{First: 4}
	place := store.VersionPlace(both[f.Agent.ID].Items[3])
	q.After = &place
	rest, err := s.VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, q)
	if list := rest[f.Agent.ID]; err != nil || len(list.Items) != 3 || list.HasNext || list.Items[0].Number != 3 {
		t.Errorf("%+v %v", rest, err)
	}
	if _, err := s.VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{one.ID}, q); !slices.Equal(fieldsOf(err), []string{"after"}) {
		t.Errorf("another agent's cursor: %v", err)
	}
	if _, err := s.VersionsByAgents(t.Context(), f.Account.ID, []uuid.UUID{one.ID}, store.VersionQuery{First: 101}); fieldsOf(err) == nil {
		t.Errorf("too large a page: %v", err)
	}
	if got, err := s.VersionsByAgents(t.Context(), uuid.New(), []uuid.UUID{one.ID}, store.VersionQuery{First: 1}); err != nil || len(got) != 0 {
		t.Errorf("for another account: %+v %v", got, err)
	}
	if err := s.DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM agent_versions WHERE agent_id = $1`, f.Agent.ID); n != 0 {
		t.Errorf("%d versions of a deleted agent are left", n)
	}
}
