package store_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestFirstVersionOfCompletedAgents: an agent from before there were versions answers with its first message, which makes its version;
// the background makes the others', and an editor keeps what callers get.
func TestFirstVersionOfCompletedAgents(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	others := []agent.Agent{storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{}),
		storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{}), storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true})}
	run(`UPDATE agents SET published_version = NULL`)(t, s, f)
	run(`DELETE FROM agent_versions`)(t, s, f)
	admission, err := s.Admit(t.Context(), newBegin(f.Key).Gate)
	if err != nil || admission.Outcome != store.Unversioned {
		t.Errorf("the gate alone: %+v %v", admission, err)
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Retry {
		t.Errorf("begin: %s, want %s", got.Outcome, store.Retry)
	}
	if got := begin(t, s, f.Key, nil); got.Outcome != store.Begun || got.Version != 1 || got.Instructions != f.Agent.Instructions {
		t.Errorf("begin again: %+v", got)
	}
	edit(t, s, others[0], agent.Changes{Instructions: setNull[string]()})
	for _, want := range []int{1, 0} {
		if n, err := s.MakeFirstVersions(t.Context(), 500); err != nil || n != want {
			t.Errorf("%d made in the background, %v; want %d", n, err, want)
		}
	}
	versions, err := s.PublishedVersions(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID, others[0].ID, others[1].ID, others[2].ID})
	if err != nil || len(versions) != 3 {
		t.Fatalf("%d have a version, %v", len(versions), err)
	}
	for _, a := range []agent.Agent{f.Agent, others[0], others[1]} {
		v := versions[a.ID]
		if v.Number != 1 || !reflect.DeepEqual(v.Settings, a.Settings) || !v.CreatedAt.Equal(a.UpdatedAt) && a.ID != others[0].ID {
			t.Errorf("the version of %+v is %+v", a, v)
		}
	}
}

// TestPreviousReleaseCompletes: 0.1.0 completes an agent by its state alone.
func TestPreviousReleaseCompletes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Draft: true})
	number := func() int {
		t.Helper()
		a, err := s.Agent(t.Context(), f.Account.ID, f.Agent.ID)
		if err != nil {
			t.Fatal(err)
		}
		versions, err := s.PublishedVersions(t.Context(), f.Account.ID, []uuid.UUID{a.ID})
		if v := versions[a.ID]; err != nil || v.Number != *a.PublishedVersion || !reflect.DeepEqual(v.Settings, a.Settings) {
			t.Errorf("published %+v of %+v, %v", v, a, err)
		}
		return *a.PublishedVersion
	}
	const completes, reopens = `UPDATE agents SET state = 'COMPLETED'`, `UPDATE agents SET state = 'DRAFT'`
	first := number()
	run(completes)(t, s, f)
	if n := number(); n != first {
		t.Errorf("completed without changes: version %d", n)
	}
	run(reopens)(t, s, f)
	run(`UPDATE agents SET instructions = 'changed by 0.1.0', temperature = 2`)(t, s, f)
	run(completes)(t, s, f)
	if n := number(); n != first+1 {
		t.Errorf("completed with changes: version %d", n)
	}
	run(`UPDATE agents SET instructions = 'changed while live'`)(t, s, f)
	if !hasChanges(t, s, f.Agent) {
		t.Error("a change by 0.1.0 to a live agent is no draft")
	}
}
