package versions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
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
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if n := storetest.CountRows(t, s,
		`SELECT count(*) FROM agent_versions WHERE agent_id = $1`, f.Agent.ID); n != 0 {
		t.Errorf("%d versions of a deleted agent are left", n)
	}
}

// BenchmarkManyVersions reports how much longer each takes for an agent with 1,000 versions than
// for one with 20, or with 1.
func BenchmarkManyVersions(b *testing.B) {
	s := storetest.New(b)
	f := storetest.Seed(b, s, storetest.Options{})
	ctx, me := b.Context(), f.Account.ID
	agentList := map[int]agent.Agent{}
	for _, versions := range []int{1, 20, 1_000} {
		a := storetest.SeedAgent(b, s, me,
			storetest.Options{Instructions: strings.Repeat("Answer the customer politely. ", 40)})
		storetest.Bulk(b, s,
			`INSERT INTO agent_versions (id, agent_id, number, account_id, note, settings)
			SELECT gen_random_uuid(), agent_id, n, account_id, note, settings || jsonb_build_object('instructions', (settings ->> 'instructions') || n) FROM agent_versions, generate_series(2, $2) n
			WHERE agent_id = $1`, a.ID, versions)
		storetest.Bulk(b, s, `UPDATE agents SET published_version = $2 WHERE id = $1`, a.ID, versions)
		agentList[versions] = a
	}
	storetest.Bulk(b, s, `VACUUM ANALYZE`)
	list := func(a agent.Agent, first int) error {
		_, err := versions.On(s).VersionsByAgents(ctx, me, []uuid.UUID{a.ID},
			versions.VersionQuery{First: first})
		return err
	}
	edits := 0
	for what, c := range map[string]struct {
		few  int
		work func(a agent.Agent) error
	}{
		"publish": {1, func(a agent.Agent) error {
			edits++
			_, err := agents.On(s).UpdateAgent(ctx, me, a.ID,
				agent.Changes{Instructions: storetest.SetTo(fmt.Sprint(a.Instructions, edits))}, nil)
			if err == nil {
				_, _, err = versions.On(s).PublishAgent(ctx, me, a.ID, versions.Publication{},
					storetest.OnlySandbox)
			}
			return err
		}},
		"published": {1, func(a agent.Agent) error {
			_, err := versions.On(s).PublishedVersions(ctx, me, []uuid.UUID{a.ID})
			return err
		}},
		"newest":     {1, func(a agent.Agent) error { return list(a, 1) }},
		"first_page": {20, func(a agent.Agent) error { return list(a, 20) }},
	} {
		b.Run(what, func(b *testing.B) {
			var took [2]time.Duration
			for b.Loop() {
				for i, versions := range []int{c.few, 1_000} {
					began := time.Now()
					if err := c.work(agentList[versions]); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took[1])/float64(took[0]), "many/few")
		})
	}
}
